"""A finished game as one compressed blob: its log, and those outcomes of moves that do not follow from the log.

Versions and hashes, which link an entry to the one before it, are left out and computed again. The random ids of moves are stored apart as
bytes, because they do not compress as text.
"""

import hashlib
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from marketpost.store.formats import Formats, UnknownFormat

BEFORE, MOVE = b"\0", b"\1"
"""Placeholders for a hash and for the id of a move; JSON has no such bytes."""
ID = re.compile(rb'(?<=")[0-9a-f]{12}(?=")')
LZMA = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 0, "pb": 0}]
"""Settings that suit short JSON; they belong to format 1."""
FORMATS: Formats[list[Any]] = Formats()
"""Formats of the list that `_leave_out` returns."""


class DamagedBlob(Exception):
    """A compacted game that cannot be expanded."""


class CompactedGame(msgspec.Struct, frozen=True):
    """The entries of a finished game, and the outcomes that do not follow from them."""

    entries: tuple[bytes, ...]
    outcomes: Mapping[str, bytes] = {}
    """By the ids of their moves: those that do not follow from the entries."""


def compress(finished: CompactedGame) -> bytes | None:
    """Compress a game into a blob that begins with the number of its format; None if it would not expand to the same bytes."""
    blob = compress_bytes(bytes([FORMATS.newest]) + msgspec.msgpack.encode(_leave_out(finished)))
    return blob if expand(blob) == finished else None


def expand(blob: bytes) -> CompactedGame:
    """Expand a blob into the game, from any format up to the newest; raises `DamagedBlob` for what nobody compressed."""
    try:
        loose = expand_bytes(blob)
        return _put_in(*FORMATS.upcast(loose[0], msgspec.msgpack.decode(loose[1:])))
    except UnknownFormat:
        raise
    except Exception as error:
        raise DamagedBlob from error


def compress_bytes(loose: bytes) -> bytes:
    """Compress what follows the first byte, the number of the format."""
    return loose[:1] + lzma.compress(loose[1:], lzma.FORMAT_RAW, filters=LZMA)


def expand_bytes(blob: bytes) -> bytes:
    """Decompress a blob without parsing it: an archive compresses many games together, which makes them smaller."""
    return blob[:1] + lzma.decompress(blob[1:], lzma.FORMAT_RAW, filters=LZMA)


def _leave_out(finished: CompactedGame) -> list[Any]:
    """Serialize a game without links, and with the ids of moves apart."""
    text = b"\n".join(_without_links(finished.entries))
    return [ID.sub(MOVE, text), bytes.fromhex(b"".join(ID.findall(text)).decode()), finished.outcomes]


def _put_in(text: bytes, ids: bytes, outcomes: dict[str, bytes]) -> CompactedGame:
    """Parse what `_leave_out` has made."""
    each = (ids[start : start + 6].hex().encode() for start in range(0, len(ids), 6))
    lines = re.sub(MOVE, lambda _: next(each), text).split(b"\n")
    return CompactedGame(tuple(_with_links(lines)), outcomes)


def _without_links(entries: Sequence[bytes]) -> Iterator[bytes]:
    before = BEFORE
    for version, entry in enumerate(entries, 1):
        yield entry.removeprefix(b"[%d," % version).replace(before, BEFORE)
        before = _hash(entry)


def _with_links(lines: Sequence[bytes]) -> Iterator[bytes]:
    before = BEFORE
    for version, line in enumerate(lines, 1):
        entry = b"[%d,%b" % (version, line.replace(BEFORE, before))
        before = _hash(entry)
        yield entry


def _hash(entry: bytes) -> bytes:
    return hashlib.sha256(entry).hexdigest().encode()
