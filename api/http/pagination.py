"""Lists in pages. A cursor says where the last page ended; it is signed, so that only ours are taken."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from itsdangerous import BadData, URLSafeSerializer

from api.http.context import inside
from marketpost.rules.refusal import Refused

T = TypeVar("T")
Place = tuple[float, str]


class Packed:
    """Writes a place as bytes, for itsdangerous to sign."""

    decoder = msgspec.msgpack.Decoder(tuple[float, str])

    def dumps(self, place: object) -> bytes:
        """Serialize a place."""
        return msgspec.msgpack.encode(place)

    def loads(self, packed: bytes) -> Place:
        """Parse a place."""
        return self.decoder.decode(packed)


def write_cursor(place: Place) -> str:
    """Write the cursor of the page that begins behind this place."""
    return str(_signer().dumps((float(place[0]), place[1])))


def read_cursor(cursor: str | None) -> Place | None:
    """Read a cursor; refused if it is not one of ours."""
    if cursor is None:
        return None
    try:
        place: Place = _signer().loads(cursor)
    except (BadData, msgspec.DecodeError) as error:
        raise Refused("bad-cursor") from error
    return place


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(inside().settings.secret_key, salt="cursor", serializer=Packed())


def page(all_of_them: Sequence[T], place_of: Callable[[T], Place], query: dict[str, Any]) -> dict[str, Any]:
    """Return the items behind the cursor; they must be sorted by their places."""
    after = read_cursor(query.get("cursor"))
    left = [each for each in all_of_them if after is None or place_of(each) > after]
    items = left[: query["limit"]]
    return {"items": items, "next": write_cursor(place_of(items[-1])) if len(left) > len(items) else None}
