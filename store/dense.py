"""Many finished games in as few bits as their likes leave open, to the last byte.

A game is told word by word. Before each word a model that has read everything before it, and knows the rules of no game, says how
likely each word is; what it expects costs next to nothing. Reading asks the same model the same questions. So this is a format: what
the model expects, to the last rounding, never changes. Anything better would be another one beside it.
"""

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from store.packing import Lean, columns, numbers
from store.ranges import Reader, Writer

T = TypeVar("T", bytes, int)
"""A word of a line, or a letter of a word that is new."""
Table = dict[T, int]
"""What each word that came somewhere weighs there."""
WHOLE = 1 << 20
"""Shared out among all that may come next."""
ONCE, DOUBT = 5, 1
"""What a word weighs when it has come once, and what each leaves of that for words that never came there."""
FORGET = 1000
"""A table with a heavier word is halved: what came lately counts more."""
TRUST, EVENLY = 1 << 16, 1 << 11
"""Shared out among the contexts of a place by how well they foretold it, and how much of it evenly."""
MOST_TABLES = 300_000
"""So much is learnt, about 100 MB, before all is forgotten."""
TYPICAL = Path(__file__).with_name("typical.json")
"""Lines that the model has read before the first game."""

CHUNK = re.compile(rb'(?=\[")|(?<=\])(?=\],\d)')
"""Between one event and the next."""
FIELD = re.compile(rb'(\["[^"\\]*")|(\x01,)"((?:[^"\\]|\\.)*)"|-?\d+|"(?:[^"\\]|\\.)*"')
"""What differs from event to event: not its name, but orders (behind the id of their move), numbers and other names."""
SPOKEN = re.compile(rb"[a-z]\d+ ?|[^\W\d]+ ?|\d+ ?|[^\n]")
HOLE, END, ORDERS = b"\2", b"\3", b"\4"
"""In place of a field, of what follows the last word, and of orders. Like those of `store.packing`, never found in an entry."""
HOLES = re.compile(rb"([\2\4])")
LETTERS_END = ord("\n")
QUIET = (b"-", b">", b":", b";")
"""Words of orders that no event repeats."""
NOTHING = (b"", b"", b"")
AHEAD = 6
"""So far a field is looked for among the words of the orders that no event has repeated yet."""
MOST_PLACES, AT_ONCE = 7, 16
LONG = 6
"""Longer words are ids, more likely than not."""


class Dense:
    """Games in the order in which they are packed: each can be read only after those before it."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.tables: dict[Hashable, Table[Any]] = {}
        self.trust: dict[Hashable, list[int]] = {}
        self.latest: dict[Hashable, tuple[bytes, bytes]] = {}
        """The last two fields in a place."""
        self.events: dict[tuple[bytes, bytes], list[bytes]] = {}
        """The fields of the last event of that name in which a field was this."""
        self.orders: list[bytes] = []
        self.last_word: dict[bytes, bytes] = {}
        """Of the last orders that began with that word."""
        self.ending: tuple[bytes, bytes] = (b"", b"")
        """How the line before ended."""
        self.coder: Writer | Reader = Writer()
        for text in msgspec.json.decode(TYPICAL.read_bytes()):
            _Line(self, _words(text.encode())).told()

    def pack(self, loose: bytes) -> bytes:
        lean = msgspec.msgpack.decode(loose, type=Lean)
        self._begin(writer := Writer())
        for text, passed in zip(lean.texts.split(b"\n"), numbers(lean.moments), strict=True):
            _Line(self, _words(text)).told()
            self._moment(passed)
        _Line(self, iter([END])).told()
        return msgspec.msgpack.encode(msgspec.structs.replace(lean, texts=writer.end(), moments=b""))

    def unpack(self, data: bytes) -> bytes:
        lean = msgspec.msgpack.decode(data, type=Lean)
        self._begin(Reader(lean.texts))
        texts, moments = list[bytes](), list[int]()
        while text := _Line(self, repeat(None)).told():
            texts.append(text)
            moments.append(self._moment(None))
        return msgspec.msgpack.encode(msgspec.structs.replace(lean, texts=b"\n".join(texts), moments=columns(moments)))

    def _begin(self, coder: Writer | Reader) -> None:
        if len(self.tables) > MOST_TABLES:
            self._forget()
        self.coder = coder

    def _moment(self, passed: int | None) -> int:
        """How many bits it has, then those below the highest."""
        length = None if passed is None else b"%d" % (passed.bit_length() if passed >= 0 else -passed.bit_length())
        told = int(self.word("moment", (self.ending[0], self.latest.get("moment"), b""), length))
        self.latest["moment"] = (b"%d" % told, b"")
        number, bits = min(abs(told), 1), abs(told) - 1
        while bits > 0:
            bits, now = max(bits - AT_ONCE, 0), min(bits, AT_ONCE)
            number = number << now | self.coder.even(1 << now, None if passed is None else (abs(passed) >> bits) % (1 << now))
        return number if told >= 0 else -number

    def word(self, place: Hashable, contexts: Sequence[Hashable], word: bytes | None) -> bytes:
        """Tell a word, or be told it. One that is new here may be known from elsewhere; otherwise it is spelt."""
        tables = [self.tables.setdefault((place, number, context), {}) for number, context in enumerate(contexts)]
        found = self._choose(place, tables, word)
        if found is None:
            anywhere = [self.tables.setdefault("", {})]
            found = self._choose("", anywhere, word)
            if found is None:
                found = self._spell(word)
            _learn(anywhere, found)
        _learn(tables, found)
        return found

    def _spell(self, word: bytes | None) -> bytes:
        spelt = bytearray()
        for letter in repeat(None) if word is None else (*word, LETTERS_END):
            is_long, last, before = len(spelt) > LONG, spelt[-1:], spelt[-2:-1]
            contexts = (bytes(before + last), bytes(last), b"")
            tables = [self.tables.setdefault(("letter", is_long, number, each), {}) for number, each in enumerate(contexts)]
            found = self._choose("letter", tables, letter)
            if found is None:
                found = self.coder.even(256, letter)
            _learn(tables, found)
            if found == LETTERS_END:
                break
            spelt.append(found)
        return bytes(spelt)

    def _choose(self, place: Hashable, tables: Sequence[Table[T]], word: T | None) -> T | None:
        """What each table expects, weighed by how far it is trusted here. `None` if none of them knows the word."""
        trust = self.trust.get(place) or [TRUST // len(tables)] * len(tables)
        known = sum(trusted for table, trusted in zip(tables, trust, strict=True) if table)
        shares, rest = dict[T, int](), 1
        for table, trusted in zip(tables, trust, strict=True):
            if not table:
                continue
            each = trusted * WHOLE // (known * sum(table.values()))
            for name, weight in table.items():
                shares[name] = shares.get(name, 1) + each * (weight - DOUBT)
            rest += each * DOUBT * len(table)
        found = self.coder.choose(shares, rest, word)
        if found is not None:
            self.trust[place] = _trusted(tables, trust, known, found)
        return found


def _trusted(tables: Sequence[Table[T]], trust: Sequence[int], known: int, word: T) -> list[int]:
    """More where it was expected; as before in tables that have seen nothing yet."""
    fit = [trusted * _expected(table, word) for table, trusted in zip(tables, trust, strict=True)]
    mean = sum(fit) // known
    fit = [each if table else trusted * mean for each, table, trusted in zip(fit, tables, trust, strict=True)]
    return [each * (TRUST - EVENLY) // max(sum(fit), 1) + EVENLY // len(fit) for each in fit]


def _expected(table: Table[T], word: T) -> int:
    return (table[word] - DOUBT) * TRUST // sum(table.values()) if word in table else 0


def _learn(tables: Sequence[Table[T]], word: T) -> None:
    for table in tables:
        table[word] = table.get(word, 0) + ONCE
        if table[word] > FORGET:
            table.update({each: weight // 2 + DOUBT for each, weight in table.items()})


def _words(text: bytes) -> Iterator[bytes]:
    """Of each event its shape, then what stands in its holes."""
    for chunk in CHUNK.split(text):
        yield FIELD.sub(lambda found: found[1] or (found[2] + ORDERS if found[2] else HOLE), chunk)
        for found in FIELD.finditer(chunk):
            if found[2]:
                yield from SPOKEN.findall(found[3])
                yield END
            elif not found[1]:
                yield found[0]
    yield END


@lru_cache(4096)
def _places(shape: bytes) -> tuple[bytes, list[tuple[bytes, Hashable]]]:
    """The event's name; and the shape in parts, with the place of each hole: in which list, and where in it."""
    name, parts, depth, index = shape.split(b",")[0], list[tuple[bytes, Hashable]](), 0, 0
    for part in HOLES.split(shape):
        parts.append((part, (name, depth, min(index, MOST_PLACES))))
        index += part in (HOLE, ORDERS)
        if b"[" in part:
            depth, index = depth + part.count(b"["), 0
    return name, parts


class _Line:
    """One entry of a log, as far as it is told."""

    def __init__(self, dense: Dense, left: Iterator[bytes | None]) -> None:
        self.dense, self.left = dense, left
        self.out = list[bytes]()
        self.shapes = (b"", b"")
        """The last one and the one before."""
        self.near = NOTHING
        """The last fields, the newest first."""
        self.who, self.verb, self.similar = b"", b"", b""
        """Who did it, how their orders began, and the last word of the last orders that began like that."""
        self.ahead = list(NOTHING)
        """Words of the orders that no event has repeated yet."""

    def told(self) -> bytes:
        while (shape := self._shape()) != END:
            name, parts = _places(shape)
            fields = list[bytes]()
            for part, place in parts:
                self.out.append(self._field(name, place, fields) if part == HOLE else self._orders() if part == ORDERS else part)
            self.dense.events.update({(name, field): fields for field in fields})
            self.shapes = (shape, self.shapes[0])
        self.dense.ending = (self.shapes[0], self.near[0])
        return b"".join(self.out)

    def _tell(self, place: Hashable, *contexts: Hashable) -> bytes:
        return self.dense.word(place, contexts, next(self.left))

    def _shape(self) -> bytes:
        last, shapes, verb = self.shapes[0], self.shapes, self.verb
        return self._tell("shape", (shapes, *self.ahead[:2]), (shapes, verb), (last, self.near[0]), (last, verb), last)

    def _field(self, name: bytes, place: Hashable, fields: list[bytes]) -> bytes:
        near, (next_word, after, third) = self.near, self.ahead[:3]
        latest = self.dense.latest.get(place, NOTHING[:2])
        field = self._tell(
            place,
            self._recalled(name, next_word, len(fields)),
            (self._recalled(name, near[0], len(fields)), next_word),
            (next_word, after, third),
            (next_word, near[0]),
            after,
            (self.similar, near[0]),
            near,
            near[0],
            latest,
            self.who,
        )
        self.dense.latest[place] = (field, latest[0])
        bare = field.strip(b'"')
        fields.append(bare)
        self.near = (bare, *near[:2])
        self.who = self.who or bare
        if bare in self.ahead[:AHEAD]:
            self.ahead = [*self.ahead[self.ahead.index(bare) + 1 :], *NOTHING]
        return field

    def _recalled(self, name: bytes, field: bytes, number: int) -> bytes:
        """What stood here in the last such event that had this field anywhere."""
        fields = self.dense.events.get((name, field), ())
        return fields[number] if number < len(fields) else b""

    def _orders(self) -> bytes:
        said, spoken, ending = self.dense.orders, list[bytes](), self.dense.ending
        while (word := self._spoken(spoken, said[:1], ending)) != END:
            spoken.append(word)
        self.verb = spoken[0] if spoken else b""
        self.similar = self.dense.last_word.get(self.verb, b"")
        self.dense.last_word[self.verb] = spoken[-1] if spoken else b""
        self.dense.orders = spoken
        bare = (word.strip() for word in spoken)
        self.ahead = [*(word for word in bare if word not in QUIET), *NOTHING]
        return b'"%b"' % b"".join(spoken)

    def _spoken(self, spoken: list[bytes], said: list[bytes], ending: tuple[bytes, bytes]) -> bytes:
        number, last = len(spoken), b"".join(spoken[-1:])
        return self._tell("word", tuple(spoken[-3:]), last, (number, *said, last), (number, ending), (number, last, ending[0]))
