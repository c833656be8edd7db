"""Lists in pages. A cursor says where the last page ended; what it looks like inside is nobody's business."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from marketpost.rules.refusal import Refused

T = TypeVar("T")
Place = tuple[float, str]
_place = msgspec.json.Decoder(tuple[float, str])


def write_cursor(place: Place) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode((float(place[0]), place[1]))).decode().rstrip("=")


def read_cursor(cursor: str | None) -> Place | None:
    if cursor is None:
        return None
    try:
        place = _place.decode(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (msgspec.DecodeError, binascii.Error, ValueError) as error:
        raise Refused("bad-cursor") from error
    if write_cursor(place) != cursor:
        raise Refused("bad-cursor")
    return place


def page(all_of_them: Sequence[T], place_of: Callable[[T], Place], query: dict[str, Any]) -> dict[str, Any]:
    """The items after the cursor, which must be sorted by their places."""
    after = read_cursor(query.get("cursor"))
    left = [each for each in all_of_them if after is None or place_of(each) > after]
    items = left[: query["limit"]]
    return {"items": items, "next": write_cursor(place_of(items[-1])) if len(left) > len(items) else None}
