"""A finished game as one compressed blob: its log, and what its log does not tell of its moves.

What links an entry to the one before it, its version and a hash, is left out and computed again. The ids of moves, which are random,
stand beside the text as bytes.
"""

import hashlib
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from marketpost.store.formats import Formats

BEFORE, MOVE = b"\0", b"\1"
"""What stands for a hash and for an id; JSON has no such bytes."""
ID = re.compile(rb'(?<=")[0-9a-f]{12}(?=")')
LZMA = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 0, "pb": 0}]
"""Settings that suit short JSON; they belong to format 1."""
FORMATS: Formats[list[Any]] = Formats()
"""Of the list that `_leave_out` makes."""


class CompactedGame(msgspec.Struct, frozen=True):
    entries: tuple[bytes, ...]
    outcomes: Mapping[str, bytes] = {}
    """By the ids of their moves: those that no entry tells."""


def compress(finished: CompactedGame) -> bytes | None:
    """The blob, which begins with the number of its format; None for a game that would not come back to the last byte."""
    blob = compress_bytes(bytes([FORMATS.newest]) + msgspec.msgpack.encode(_leave_out(finished)))
    return blob if expand(blob) == finished else None


def expand(blob: bytes) -> CompactedGame:
    loose = expand_bytes(blob)
    return _put_in(*FORMATS.upcast(loose[0], msgspec.msgpack.decode(loose[1:])))


def compress_bytes(loose: bytes) -> bytes:
    return loose[:1] + lzma.compress(loose[1:], lzma.FORMAT_RAW, filters=LZMA)


def expand_bytes(blob: bytes) -> bytes:
    """The blob before it was compressed: in an archive many are compressed together."""
    return blob[:1] + lzma.decompress(blob[1:], lzma.FORMAT_RAW, filters=LZMA)


def _leave_out(finished: CompactedGame) -> list[Any]:
    text = b"\n".join(_without_links(finished.entries))
    return [ID.sub(MOVE, text), bytes.fromhex(b"".join(ID.findall(text)).decode()), finished.outcomes]


def _put_in(text: bytes, ids: bytes, outcomes: dict[str, bytes]) -> CompactedGame:
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
