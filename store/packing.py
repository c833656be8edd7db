"""A finished game in one piece. What can be reckoned again is left out; what looks like noise stands apart from the text."""

import hashlib
import lzma
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from store.lines import ID, MOVE, REVEALED, SEAL, chained, hash_of, read, seal_in, seats_in, told_alone, told_by_neighbours, written

WIDE = 6
"""Bytes for a moment."""
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
    """Entries and outcomes, one a line, without what stands in the other columns."""
    moments: bytes
    """Milliseconds between the lines, their highest bytes first."""
    moves: tuple[int | bytes, ...]
    """As `numbered` tells them."""
    outcomes: Mapping[str, bytes]
    """Those that are no lines."""
    salt: bytes
    seats: int = 0
    """Round which seats are counted; 0 in games that were packed before they were."""


AS_IT_IS = (0x93, 0x94)
"""How lists of three and four begin: packed games were the first before they had columns, and one that does not fit is the second."""
ZLIB = 0x78
"""How they began while they were compressed in another way."""
LZMA = [{"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 0, "pb": 0}]
"""The dictionary holds any game whole; a larger one would take memory for nothing."""
_packed, _lean = msgspec.msgpack.Decoder(Packed), msgspec.msgpack.Decoder(Lean)


def move_id(salt: bytes, number: int) -> str:
    """Short, for it stays in the log for ever."""
    return hashlib.sha1(b"%b %d" % (salt, number), usedforsecurity=False).hexdigest()[:12]


def pack(packed: Packed) -> bytes:
    """A game that would not come back to the last byte stays as it is."""
    loose = msgspec.msgpack.encode(_leaner(packed))
    return tighten(loose if spread(loose) == packed else msgspec.msgpack.encode(packed))


def _leaner(packed: Packed) -> Lean:
    seats = seats_in(packed.entries)
    lines, others = written(packed.entries, packed.outcomes, seats)
    moments, whole = zip(*lines, strict=True)
    texts, moves = _without_moves(whole, packed.salt)
    passed = [after - before for before, after in zip((0, *moments), moments, strict=False)]
    text = b"\n".join(told_by_neighbours(texts, seats))
    if seal := seal_in(text):
        text = text.replace(seal, SEAL)
    return Lean(text, columns(passed), moves, others, packed.salt, seats)


@lru_cache(maxsize=16)
def unpack(data: bytes) -> Packed:
    """Remembered for a moment: who asks for one move of a game often asks for the next."""
    return spread(loosen(data))


def spread(loose: bytes) -> Packed:
    if loose[0] in AS_IT_IS:
        packed = _packed.decode(loose)
        return msgspec.structs.replace(packed, entries=tuple(chained(packed.entries)))
    lean = _lean.decode(loose)
    texts = told_alone(lean.texts.replace(SEAL, seal_in(lean.texts)).split(b"\n"), lean.seats)
    entries, outcomes = read(numbers(lean.moments), _with_moves(texts, lean.moves, lean.salt), lean.seats)
    return Packed(entries, {**lean.outcomes, **outcomes}, salt=lean.salt)


def tells(packed: Packed) -> tuple[bytes, ...]:
    """What lies beside a game and follows from its log: the hash of its last entry, and its secret once that is revealed."""
    revealed = REVEALED.search(packed.entries[-1])
    return (hash_of(packed.entries[-1]), *([bytes.fromhex(revealed[1].decode())] if revealed else []))


def tighten(loose: bytes) -> bytes:
    return lzma.compress(loose, lzma.FORMAT_RAW, filters=LZMA)


def loosen(data: bytes) -> bytes:
    return zlib.decompress(data) if data[0] == ZLIB else lzma.decompress(data, lzma.FORMAT_RAW, filters=LZMA)


def _without_moves(texts: Sequence[bytes], salt: bytes) -> tuple[list[bytes], tuple[int | bytes, ...]]:
    found = [ID.match(text) for text in texts]
    left = [each[1] + MOVE + text[each.end() :] if each else text for each, text in zip(found, texts, strict=True)]
    return left, numbered([each[2].decode() for each in found if each], salt)


def _with_moves(texts: Iterable[bytes], moves: Iterable[int | bytes], salt: bytes) -> Iterator[bytes]:
    ids = named(moves, salt)
    for text in texts:
        yield text.replace(MOVE, b'"%b"' % next(ids).encode()) if MOVE in text else text


def numbers_of(salt: bytes, count: int) -> dict[str, int]:
    """The ids of about so many moves, and their numbers."""
    return {move_id(salt, number): number for number in range(1, count + SPARE)} if salt else {}


def numbered(ids: Sequence[str], salt: bytes) -> tuple[int | bytes, ...]:
    """How far the number of each move is from the one before, or its id where that does not follow from the salt."""
    known, moves, last = numbers_of(salt, len(ids)), list[int | bytes](), 0
    for id in ids:
        number = known.get(id)
        moves.append(bytes.fromhex(id) if number is None else number - last)
        last = last if number is None else number
    return tuple(moves)


def named(moves: Iterable[int | bytes], salt: bytes) -> Iterator[str]:
    number = 0
    for move in moves:
        if isinstance(move, bytes):
            yield move.hex()
        else:
            number += move
            yield move_id(salt, number)


def columns(numbers: Iterable[int]) -> bytes:
    rows = [number.to_bytes(WIDE, "big", signed=True) for number in numbers]
    return bytes(byte for column in zip(*rows, strict=True) for byte in column)


def numbers(columns: bytes) -> list[int]:
    count = len(columns) // WIDE
    return [int.from_bytes(columns[row::count], "big", signed=True) for row in range(count)]
