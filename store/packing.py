"""A finished game in one piece. What can be reckoned again is left out; what looks like noise stands apart from the text."""

import hashlib
import lzma
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

LEFT_OUT, MOVE, NAME, NUMBER, SEAL = b"\0", b"\1", b"\2", b"\4", b"\5"
"""Never found in an entry, which is JSON: the hash of the entry before, the id of a move, what its orders say, the hash of the secret."""
ORDERS = re.compile(rb'"moved",\d+,[^,]*,"((?:[^"\\]|\\.)*)"')
WORD = re.compile(rb"[0-9A-Za-z]+")
FIELD = re.compile(rb'"([0-9A-Za-z]+)"|(?<=[\[,])(\d+)(?=[,\]])')
SAID = re.compile(rb"([\2\4])([a-z])")
LETTERS = bytes(range(ord("a"), ord("z") + 1))
REVEALED = re.compile(rb'\["revealed","([0-9a-f]{64})"\]')
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
    """As `numbered` tells them."""
    outcomes: Mapping[str, bytes]
    salt: bytes


FIRST_FORM = 0x93
"""How a list of three begins: packed games were one, before they had columns."""
ZLIB = 0x78
"""How they began while they were compressed in another way."""
LZMA = [{"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 0, "pb": 0}]
"""The dictionary holds any game whole; a larger one would take memory for nothing."""
_first, _lean = msgspec.msgpack.Decoder(Packed), msgspec.msgpack.Decoder(Lean)


def move_id(salt: bytes, number: int) -> str:
    """Short, for it stays in the log for ever."""
    return hashlib.sha1(b"%b %d" % (salt, number), usedforsecurity=False).hexdigest()[:12]


def pack(packed: Packed) -> bytes:
    moments, whole = zip(*_apart(packed.entries), strict=True)
    texts, moves = _without_moves([*map(_with_said, whole)], packed.salt)
    passed = [after - before for before, after in zip((0, *moments), moments, strict=False)]
    text = b"\n".join(texts)
    if seal := _seal(text):
        text = text.replace(seal, SEAL)
    return tighten(msgspec.msgpack.encode(Lean(text, columns(passed), moves, packed.outcomes, packed.salt)))


@lru_cache(maxsize=16)
def unpack(data: bytes) -> Packed:
    """Remembered for a moment: who asks for one move of a game often asks for the next."""
    return spread(loosen(data))


def spread(loose: bytes) -> Packed:
    if loose[0] == FIRST_FORM:
        first = _first.decode(loose)
        return Packed(tuple(_chained(first.entries)), first.outcomes, first.keys)
    lean = _lean.decode(loose)
    told = lean.texts.replace(SEAL, _seal(lean.texts)).split(b"\n")
    texts = _with_moves(map(_without_said, told), lean.moves, lean.salt)
    return Packed(tuple(_chained(_together(texts, numbers(lean.moments)))), lean.outcomes, salt=lean.salt)


def tells(packed: Packed) -> tuple[bytes, ...]:
    """What lies beside a game and follows from its log: the hash of its last entry, and its secret once that is revealed."""
    revealed = REVEALED.search(packed.entries[-1])
    return (_hash(packed.entries[-1]), *([bytes.fromhex(revealed[1].decode())] if revealed else []))


def tighten(loose: bytes) -> bytes:
    return lzma.compress(loose, lzma.FORMAT_RAW, filters=LZMA)


def loosen(data: bytes) -> bytes:
    return zlib.decompress(data) if data[0] == ZLIB else lzma.decompress(data, lzma.FORMAT_RAW, filters=LZMA)


def _seal(text: bytes) -> bytes:
    """As the log has it from its first entry on; empty if it does not tell the secret."""
    revealed = REVEALED.search(text)
    return hashlib.sha256(bytes.fromhex(revealed[1].decode())).hexdigest().encode() if revealed else b""


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


def _with_said(text: bytes) -> bytes:
    """What an event says after its orders is told by the place of that word in them: many events then read alike."""
    orders = ORDERS.search(text)
    if not orders:
        return text
    words = WORD.findall(orders[1])[: len(LETTERS)]
    return text[: orders.end()] + FIELD.sub(lambda field: _said(field, words), text[orders.end() :])


def _said(field: re.Match[bytes], words: Sequence[bytes]) -> bytes:
    word, mark = (field[1], NAME) if field[1] else (field[2], NUMBER)
    return mark + LETTERS[(place := words.index(word)) : place + 1] if word in words else field[0]


def _without_said(text: bytes) -> bytes:
    orders = ORDERS.search(text)
    if not orders:
        return text
    words = WORD.findall(orders[1])
    return SAID.sub(lambda said: _spelt(said[1], words[LETTERS.index(said[2])]), text)


def _spelt(mark: bytes, word: bytes) -> bytes:
    return b'"%b"' % word if mark == NAME else word


def _without_moves(texts: Sequence[bytes], salt: bytes) -> tuple[list[bytes], tuple[int | bytes, ...]]:
    found = [MOVED.match(text) for text in texts]
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


def _hash(entry: bytes) -> bytes:
    return hashlib.sha256(entry).hexdigest().encode()
