"""A finished game in one piece. What can be reckoned again is left out; what looks like noise stands apart from the text."""

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

LEFT_OUT, MOVE = b"\0", b"\1"
"""Never found in an entry, which is JSON: the hash of the entry before, and the id of a move."""
WIDE = 6
"""Bytes for a moment."""
HEAD = re.compile(rb"\[(\d+),(\d{1,14}),")
"""Version and moment, with which every entry begins."""
MOVED = re.compile(rb'((?:null|"[^"\\]*"),\["moved",\d+,)"([0-9a-f]{12})"')
SPARE = 1000
"""So many moves may have been refused in a game and the ids of the others still be found."""


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """What is left of a game that is over: its log, and what its log does not tell of the moves."""

    entries: tuple[bytes, ...]
    outcomes: Mapping[str, bytes] = {}
    keys: Mapping[str, bytes] = {}
    """Only in games that were packed when keys were kept for ever."""
    salt: bytes = b""
    """From which the ids of moves follow."""


class Lean(msgspec.Struct, frozen=True, array_like=True):
    """As it is written."""

    texts: bytes
    """The entries, one a line, without what stands in the other columns."""
    moments: bytes
    """Milliseconds between the entries, their highest bytes first."""
    moves: tuple[int | bytes, ...]
    """How far the number of each move is from the one before, or its id where that does not follow from the salt."""
    outcomes: Mapping[str, bytes]
    salt: bytes


FIRST_FORM = 0x93
"""How a list of three begins: packed games were one, before they had columns."""
_first, _lean = msgspec.msgpack.Decoder(Packed), msgspec.msgpack.Decoder(Lean)


def move_id(salt: bytes, number: int) -> str:
    """Short, for it stays in the log for ever."""
    return hashlib.sha1(b"%b %d" % (salt, number), usedforsecurity=False).hexdigest()[:12]


def pack(packed: Packed) -> bytes:
    moments, whole = zip(*_apart(packed.entries), strict=True)
    texts, moves = _without_moves(whole, packed.salt)
    passed = [after - before for before, after in zip((0, *moments), moments, strict=False)]
    return tighten(msgspec.msgpack.encode(Lean(b"\n".join(texts), _columns(passed), moves, packed.outcomes, packed.salt)))


def unpack(data: bytes) -> Packed:
    loose = loosen(data)
    if loose[0] == FIRST_FORM:
        first = _first.decode(loose)
        return Packed(tuple(_chained(first.entries)), first.outcomes, first.keys)
    lean = _lean.decode(loose)
    texts = _with_moves(lean.texts.split(b"\n"), lean.moves, lean.salt)
    return Packed(tuple(_chained(_together(texts, _numbers(lean.moments)))), lean.outcomes, salt=lean.salt)


def tighten(lean: bytes) -> bytes:
    return zlib.compress(lean, 9)


def loosen(data: bytes) -> bytes:
    return zlib.decompress(data)


def _apart(entries: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """The moment of each entry, and the rest without version and hash. One that begins in another way stays as it is."""
    at, before = 0, b""
    for number, entry in enumerate(entries, 1):
        text = entry.replace(before, LEFT_OUT) if before else entry
        before = _hash(entry)
        head = HEAD.match(text)
        if head and int(head[1]) == number:
            at, text = int(head[2]), text[head.end() :]
        yield at, text


def _together(texts: Iterable[bytes], moments: Iterable[int]) -> Iterator[bytes]:
    at = 0
    for number, (text, passed) in enumerate(zip(texts, moments, strict=True), 1):
        at += passed
        yield text if text.startswith(b"[") else b"[%d,%d,%b" % (number, at, text)


def _chained(entries: Iterable[bytes]) -> Iterator[bytes]:
    """Each with the hash of the one before."""
    before = b""
    for entry in entries:
        whole = entry.replace(LEFT_OUT, before) if before else entry
        before = _hash(whole)
        yield whole


def _without_moves(texts: Sequence[bytes], salt: bytes) -> tuple[list[bytes], tuple[int | bytes, ...]]:
    numbers = {move_id(salt, number).encode(): number for number in range(1, len(texts) + SPARE)} if salt else {}
    left, moves, last = list[bytes](), list[int | bytes](), 0
    for text in texts:
        found = MOVED.match(text)
        left.append(found[1] + MOVE + text[found.end() :] if found else text)
        if found and (number := numbers.get(found[2])):
            moves.append(number - last)
            last = number
        elif found:
            moves.append(bytes.fromhex(found[2].decode()))
    return left, tuple(moves)


def _with_moves(texts: Sequence[bytes], moves: Iterable[int | bytes], salt: bytes) -> Iterator[bytes]:
    left, number = iter(moves), 0
    for text in texts:
        if MOVE not in text:
            yield text
            continue
        match next(left):
            case bytes(id):
                move = id.hex()
            case further:
                number += further
                move = move_id(salt, number)
        yield text.replace(MOVE, b'"%b"' % move.encode())


def _columns(numbers: Iterable[int]) -> bytes:
    rows = [number.to_bytes(WIDE, "big", signed=True) for number in numbers]
    return bytes(byte for column in zip(*rows, strict=True) for byte in column)


def _numbers(columns: bytes) -> list[int]:
    count = len(columns) // WIDE
    return [int.from_bytes(columns[row::count], "big", signed=True) for row in range(count)]


def _hash(entry: bytes) -> bytes:
    return hashlib.sha256(entry).hexdigest().encode()
