"""A finished game as lines of text: its entries, and among them what became of moves that no entry tells.

What a line has in common with its neighbours, or can be reckoned from them, is left out of it.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import accumulate
from operator import itemgetter

LEFT_OUT, MOVE, NAME, SEAT, NUMBER, SEAL, AS_BEFORE, MOVER = b"\0", b"\1", b"\2", b"\3", b"\4", b"\5", b"\6", b"\7"
"""Never found in JSON: the hash of the entry before, the id of a move, a word of its orders, a seat counted from the one that moves,
a number of its orders, the hash of the secret, the same end as the line before, and the same player as last in this seat."""
ORDERS = re.compile(rb'"moved",(\d+),[^,]*,"((?:[^"\\]|\\.)*)"')
WORD = re.compile(rb"[0-9A-Za-z]+")
FIELD = re.compile(rb'(?P<tag>\["[0-9a-z-]+",)(?P<first>\d+)(?=[,\]])|"(?P<name>[0-9A-Za-z]+)"|(?<=[\[,])(?P<number>\d+)(?=[,\]])')
SAID = re.compile(rb"([\2-\4])([a-z]|\d+)")
LETTERS = bytes(range(ord("a"), ord("z") + 1))
REVEALED = re.compile(rb'\["revealed","([0-9a-f]{64})"\]')
HEAD = re.compile(rb"\[(\d+),(\d{1,14}),")
"""Version and moment, with which every entry begins."""
END = re.compile(rb'(?:,\d+,(?:true|false),(?:true|false)\])?,"[^"\\]*","\0","",\[\]\]$')
"""Of an entry that no mail asked for, behind its events."""
MOVED = re.compile(rb'((?:null|"[^"\\]*"),\["moved",|\x07)(\d+),')
OUTCOME = re.compile(rb'(\{"id":"([0-9a-f]{12})","status":"[a-z]+","at":)(\d*)')
ID = re.compile(rb'((?:null|"[^"\\]*"),\["moved",\d+,|\{"id":)"([0-9a-f]{12})"')
"""Where the id of a move stands."""

Line = tuple[int, bytes]
"""Its moment, and what it says."""


def seats_in(entries: Iterable[bytes]) -> int:
    """How many seats were moved from, counted up to the last of them."""
    found = (MOVED.match(entry, head.end()) for entry in entries if (head := HEAD.match(entry)))
    return max((int(moved[2]) + 1 for moved in found if moved), default=0)


def written(entries: Sequence[bytes], outcomes: Mapping[str, bytes], seats: int) -> tuple[list[Line], dict[str, bytes]]:
    """In the order in which it happened, with the ids of moves and the seal still in it; and outcomes of a form that no line tells."""
    said = ((at, _with_said(text, seats)) for at, text in _apart(entries))
    became = {move: line for move, data in outcomes.items() if (line := _line(data))}
    others = {move: data for move, data in outcomes.items() if move not in became}
    return list(merge(said, sorted(became.values()), key=itemgetter(0))), others


def read(passed: Iterable[int], lines: Iterable[bytes], seats: int) -> tuple[tuple[bytes, ...], dict[str, bytes]]:
    """Entries, and outcomes by the ids of their moves."""
    entries, outcomes = list[bytes](), dict[str, bytes]()
    for at, line in zip(accumulate(passed), lines, strict=True):
        if became := OUTCOME.match(line):
            outcomes[became[2].decode()] = b"%b%d%b" % (became[1], at, line[became.end() :])
            continue
        text = _without_said(line, seats)
        entries.append(text if text.startswith(b"[") else b"[%d,%d,%b" % (len(entries) + 1, at, text))
    return tuple(chained(entries)), outcomes


def seal_in(text: bytes) -> bytes:
    """As the log has it from its first entry on; empty if it does not tell the secret."""
    revealed = REVEALED.search(text)
    return hashlib.sha256(bytes.fromhex(revealed[1].decode())).hexdigest().encode() if revealed else b""


def hash_of(entry: bytes) -> bytes:
    return hashlib.sha256(entry).hexdigest().encode()


def chained(entries: Iterable[bytes]) -> Iterator[bytes]:
    """Each with the hash of the one before."""
    before = b""
    for entry in entries:
        whole = entry.replace(LEFT_OUT, before) if before else entry
        before = hash_of(whole)
        yield whole


def told_by_neighbours(lines: Iterable[bytes], seats: int) -> Iterator[bytes]:
    """Without the end that a line shares with the one before, and without the player who moved in this seat last."""
    return _without_ends(_without_players(lines, seats))


def told_alone(lines: Iterable[bytes], seats: int) -> Iterator[bytes]:
    return _with_players(_with_ends(lines), seats)


def _without_players(lines: Iterable[bytes], seats: int) -> Iterator[bytes]:
    """Their seat is counted on from the one that moved before."""
    players, last = dict[int, bytes](), 0
    for line in lines:
        moved = MOVED.match(line)
        if not moved:
            yield line
            continue
        player, seat = moved[1], int(moved[2])
        yield b"%b%d,%b" % (MOVER, (seat - last) % seats, line[moved.end() :]) if players.get(seat) == player else line
        players[seat], last = player, seat


def _with_players(lines: Iterable[bytes], seats: int) -> Iterator[bytes]:
    players, last = dict[int, bytes](), 0
    for line in lines:
        moved = MOVED.match(line)
        if not moved:
            yield line
            continue
        last = (last + int(moved[2])) % seats if moved[1] == MOVER else int(moved[2])
        players[last] = players[last] if moved[1] == MOVER else moved[1]
        yield b"%b%d,%b" % (players[last], last, line[moved.end() :])


def _without_ends(lines: Iterable[bytes]) -> Iterator[bytes]:
    end = b""
    for line in lines:
        found = END.search(line)
        yield line[: found.start()] + AS_BEFORE if found and found[0] == end else line
        end = found[0] if found else end


def _with_ends(lines: Iterable[bytes]) -> Iterator[bytes]:
    end = b""
    for line in lines:
        if line.endswith(AS_BEFORE):
            yield line[:-1] + end
            continue
        yield line
        end = found[0] if (found := END.search(line)) else end


def _line(outcome: bytes) -> Line | None:
    """None for one of another form."""
    found = OUTCOME.match(outcome)
    return (int(found[3] or 0), found[1] + outcome[found.end() :]) if found else None


def _apart(entries: Sequence[bytes]) -> Iterator[Line]:
    """The moment of each entry, and the rest without version and hash. One that begins in another way stays as it is."""
    at, before = 0, b""
    for number, entry in enumerate(entries, 1):
        text = entry.replace(before, LEFT_OUT) if before else entry
        before = hash_of(entry)
        head = HEAD.match(text)
        if head and int(head[1]) == number:
            at, text = int(head[2]), text[head.end() :]
        yield at, text


def _with_said(text: bytes, seats: int) -> bytes:
    """What an event says after its orders is told by the place of that word in them, and its seat by how far it is from
    the one that moves: many events then read alike."""
    orders = ORDERS.search(text)
    if not orders:
        return text
    seat, words = int(orders[1]), WORD.findall(orders[2])[: len(LETTERS)]
    return text[: orders.end()] + FIELD.sub(lambda field: _said(field, seat, seats, words), text[orders.end() :])


def _said(field: re.Match[bytes], seat: int, seats: int, words: Sequence[bytes]) -> bytes:
    if field["tag"]:
        first = int(field["first"])
        return b"%b%b%d" % (field["tag"], SEAT, (first - seat) % seats) if first < seats else field[0]
    word, mark = (field["name"], NAME) if field["name"] else (field["number"], NUMBER)
    return mark + LETTERS[(place := words.index(word)) : place + 1] if word in words else field[0]


def _without_said(text: bytes, seats: int) -> bytes:
    orders = ORDERS.search(text)
    if not orders:
        return text
    seat, words = int(orders[1]), WORD.findall(orders[2])
    return SAID.sub(lambda said: _spelt(said[1], said[2], seat, seats, words), text)


def _spelt(mark: bytes, told: bytes, seat: int, seats: int, words: Sequence[bytes]) -> bytes:
    if mark == SEAT:
        return b"%d" % ((seat + int(told)) % seats)
    word = words[LETTERS.index(told)]
    return b'"%b"' % word if mark == NAME else word
