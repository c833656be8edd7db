"""Split lists into pages. A cursor names the last item of the page before and is signed, so that only ours are accepted."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from itsdangerous import BadData, Signer
from itsdangerous.encoding import base64_decode, base64_encode

from api.http.context import inside
from marketpost.rules.refusal import Refused

T = TypeVar("T")
Place = tuple[float, str]
_place: msgspec.msgpack.Decoder[Place] = msgspec.msgpack.Decoder(Place)


def write_cursor(place: Place) -> str:
    """Write the cursor of the page that begins behind this place."""
    return _signer().sign(base64_encode(msgspec.msgpack.encode((float(place[0]), place[1])))).decode()


def read_cursor(cursor: str | None) -> Place | None:
    """Read a cursor; refused if it is not one of ours."""
    if cursor is None:
        return None
    try:
        return _place.decode(base64_decode(_signer().unsign(cursor)))
    except (BadData, msgspec.DecodeError) as error:
        raise Refused("bad-cursor") from error


def _signer() -> Signer:
    return Signer(inside().settings.secret_key, salt="cursor")


def page(all_of_them: Sequence[T], place_of: Callable[[T], Place], query: dict[str, Any]) -> dict[str, Any]:
    """Return the items behind the cursor; they must be sorted by their places."""
    after = read_cursor(query.get("cursor"))
    left = [each for each in all_of_them if after is None or place_of(each) > after]
    items = left[: query["limit"]]
    return {"items": items, "next": write_cursor(place_of(items[-1])) if len(left) > len(items) else None}
