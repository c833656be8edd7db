"""The language of orders: `parse` reads it in any of four languages, `notate` writes it."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from marketpost.rules.portobello.board import lane_name
from marketpost.rules.reading import LONGEST_STEP, MOST_STEPS, first_meaning
from marketpost.rules.refusal import Unreadable
from marketpost.rules.words import Words, plain, tokens

WORDS = Path(__file__).parent / "words"
ENGLISH = Words("en", WORDS)
HUGE = 10**6
KINDS = ("clerk", "citizen")


class BaseStep(msgspec.Struct, frozen=True, gc=False, tag_field="kind", forbid_unknown_fields=True):
    """A step, as the parser and as scripts write it."""


class ChooseTile(BaseStep, frozen=True, gc=False, tag="tile"):
    """`3:` or `tile 3`."""

    number: int


class Stall(BaseStep, frozen=True, gc=False, tag="stall"):
    """`stall A-B`: on an empty lane at A's end. `stall AB` is enough on a started lane."""

    lane: str
    start: str | None = None


class Draw(BaseStep, frozen=True, gc=False, tag="customer"):
    """`customer C`, or `customer clerk C citizen D`: draw and put it there."""

    clerk: str
    citizen: str


class IfDrawn(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """`if citizen: place C; stall A-B`: the rest of the turn for that outcome."""

    kind: str
    steps: tuple["Step", ...]


class DrawAndSee(BaseStep, frozen=True, gc=False, tag="look"):
    """`customer`: draw and look; with branches, go on by what came."""

    branches: tuple[IfDrawn, ...] = ()


class Place(BaseStep, frozen=True, gc=False, tag="place"):
    """`place C`: put the drawn customer down."""

    square: str


class Lord(BaseStep, frozen=True, gc=False, tag="lord"):
    """`lord`: place the lord on the one free square."""


class Bobby(BaseStep, frozen=True, gc=False, tag="bobby"):
    """`bobby 5`: by the engine's route. `bobby 4-5`: through 4 into 5."""

    route: tuple[int, ...]


class MarkDistrict(BaseStep, frozen=True, gc=False, tag="mark"):
    """`mark 5`: mark the district with the chosen tile."""

    district: int


class End(BaseStep, frozen=True, gc=False, tag="end"):
    """`end`: end early, when no action is left to take."""


Step = ChooseTile | Stall | Draw | DrawAndSee | Place | Lord | Bobby | MarkDistrict | End
Orders = tuple[Step, ...]


@lru_cache(maxsize=64)
def parse(text: str) -> Orders:
    """Parse a whole submission, or raise `Unreadable` with the first step that cannot be read. Cached: bots and previews parse often."""
    reader = _Reader()
    for line in plain(text).splitlines():
        reader.read_line(line.partition("#")[0])
    if not reader.steps:
        raise Unreadable(1, "", why="empty")
    return tuple(reader.steps)


class _Reader:
    """Reads line by line: an `if` takes the rest of its line and belongs to the `customer` before it."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.count = 0

    def read_line(self, line: str) -> None:
        """Parse one line of the submission."""
        pieces = line.split(";")
        for place, piece in enumerate(pieces):
            words = tokens(piece[:LONGEST_STEP])
            if words and first_meaning(WORDS, words, len(self.steps) + 1) == ("if", 1):
                self._read_branch(";".join(pieces[place:]))
                return
            self._read_piece(piece)

    def _read_piece(self, piece: str) -> None:
        for step in _steps(piece, len(self.steps)):
            if self._branched:
                raise Unreadable(len(self.steps) + 1, piece.strip(), why="after-if")
            self.steps.append(step)
            self._counted()

    @property
    def _branched(self) -> bool:
        return bool(self.steps) and isinstance(self.steps[-1], DrawAndSee) and bool(self.steps[-1].branches)

    def _read_branch(self, text: str) -> None:
        number = len(self.steps) + 1
        look = self.steps[-1] if self.steps else None
        head, colon, rest = text.partition(":")
        words = tokens(head[:LONGEST_STEP])
        kind = _kind(words[1:], number) if colon else None
        if kind is None:
            raise Unreadable(number, text.strip(), why="if-kind")
        if not isinstance(look, DrawAndSee) or kind in (branch.kind for branch in look.branches):
            raise Unreadable(number, text.strip(), why="if-where")
        self.steps[-1] = DrawAndSee((*look.branches, IfDrawn(kind, tuple(self._branch_steps(rest)))))

    def _branch_steps(self, text: str) -> Iterator[Step]:
        number = len(self.steps)
        for piece in text.split(";"):
            for step in _steps(piece, number):
                number += 1
                self._counted()
                yield step

    def _counted(self) -> None:
        self.count += 1
        if self.count > MOST_STEPS:
            raise Unreadable(MOST_STEPS + 1, "", why="too-many", most=MOST_STEPS)


def _steps(piece: str, before: int) -> Iterator[Step]:
    """Parse the steps of one piece: `3: stall A-B` holds two."""
    if len(piece.strip()) > LONGEST_STEP:
        raise Unreadable(before + 1, piece.strip())
    words = tokens(piece)
    while words:
        before += 1
        size = _tile_prefix(words, before)
        if not size:
            yield _step(words, piece.strip(), before)
            return
        yield ChooseTile(_number(words[size - 2] if words[size - 1] == ":" else words[size - 1]))
        words = words[size:]


def _tile_prefix(words: list[str], number: int) -> int:
    """Count the words that choose a tile: `3 :`, `tile 3`, `tile 3 :`; 0 if they do not."""
    if words[0].isdecimal():
        return 2 if words[1:2] == [":"] and words[0].isascii() else 0
    meaning, size = first_meaning(WORDS, words, number)
    if meaning != "tile" or not _is_number(words[size : size + 1]):
        return 0
    if words[size + 1 : size + 2] == [":"]:
        return size + 2
    return size + 1 if len(words) == size + 1 else 0


def _step(words: list[str], text: str, number: int) -> Step:
    meaning, size = first_meaning(WORDS, words, number)
    step = _READERS[meaning](words[size:], number) if meaning in _READERS else None
    if step is None:
        raise Unreadable(number, text)
    return step


def _is_number(words: list[str]) -> bool:
    return len(words) == 1 and words[0].isascii() and words[0].isdecimal()


def _number(digits: str) -> int:
    """Parse a number; all numbers beyond any board become the same one, because Python refuses very long ones."""
    return int(digits) if len(digits) < 7 else HUGE


def _square(words: list[str]) -> str | None:
    if len(words) != 1 or len(words[0]) != 1 or not (words[0].isascii() and words[0].isalpha()):
        return None
    return words[0].upper()


def _kind(words: list[str], number: int) -> str | None:
    if not words:
        return None
    meaning, size = first_meaning(WORDS, words, number)
    return meaning if meaning in KINDS and size == len(words) else None


def _read_stall(words: list[str], number: int) -> Step | None:
    if len(words) == 1 and len(words[0]) == 2 and words[0].isascii() and words[0].isalpha():
        return Stall(lane_name(*words[0].upper()))
    if len(words) != 3 or words[1] != "-":
        return None
    start, end = _square(words[:1]), _square(words[2:])
    return Stall(lane_name(start, end), start) if start and end else None


def _read_customer(words: list[str], number: int) -> Step | None:
    if not words:
        return DrawAndSee()
    if square := _square(words):
        return Draw(square, square)
    if len(words) != 4:
        return None
    squares = {_kind(words[:1], number): _square(words[1:2]), _kind(words[2:3], number): _square(words[3:])}
    clerk, citizen = squares.get("clerk"), squares.get("citizen")
    return Draw(clerk, citizen) if clerk and citizen else None


def _read_place(words: list[str], number: int) -> Step | None:
    square = _square(words)
    return Place(square) if square else None


def _read_bobby(words: list[str], number: int) -> Step | None:
    route, hyphens = words[::2], words[1::2]
    if len(words) % 2 == 0 or any(sign != "-" for sign in hyphens) or not all(_is_number([each]) for each in route):
        return None
    return Bobby(tuple(map(_number, route)))


def _read_mark(words: list[str], number: int) -> Step | None:
    return MarkDistrict(_number(words[0])) if _is_number(words) else None


def _read_lord(words: list[str], number: int) -> Step | None:
    return None if words else Lord()


def _read_end(words: list[str], number: int) -> Step | None:
    return None if words else End()


_READERS = {
    "stall": _read_stall,
    "customer": _read_customer,
    "place": _read_place,
    "bobby": _read_bobby,
    "mark": _read_mark,
    "lord": _read_lord,
    "end": _read_end,
}


def notate(orders: Orders, words: Words = ENGLISH) -> str:
    """Write orders in this language; `parse` reads them back."""
    text = ""
    for step in orders:
        between = "" if not text else " " if text.endswith(":") else "; "
        text += between + notate_step(step, words)
    return text


def notate_step(step: Step, words: Words = ENGLISH) -> str:
    """Write one step in this language."""
    match step:
        case ChooseTile(number):
            return f"{number}:"
        case Stall(lane, start):
            return f"{words.order('stall')} {_lane(lane, start)}"
        case Draw(clerk, citizen) if clerk == citizen:
            return f"{words.order('customer')} {clerk}"
        case Draw(clerk, citizen):
            return f"{words.order('customer')} {words.order('clerk')} {clerk} {words.order('citizen')} {citizen}"
        case DrawAndSee(branches):
            return "\n".join([words.order("customer"), *(_notate_branch(branch, words) for branch in branches)])
        case Place(square):
            return f"{words.order('place')} {square}"
        case Lord():
            return words.order("lord")
        case Bobby(route):
            return f"{words.order('bobby')} {'-'.join(map(str, route))}"
        case MarkDistrict(district):
            return f"{words.order('mark')} {district}"
        case End():
            return words.order("end")


def _notate_branch(branch: IfDrawn, words: Words) -> str:
    return f"{words.order('if')} {words.order(branch.kind)}: {notate(branch.steps, words)}".rstrip()


def _lane(lane: str, start: str | None) -> str:
    if start is None:
        return lane
    return f"{start}-{lane[1] if start == lane[0] else lane[0]}"


def places(text: str) -> list[str]:
    """List the places that a step names; an empty lane by the end at which it begins, another by its squares in order."""
    return [place for step in parse(text) for place in _places(step)]


def _places(step: Step) -> tuple[str, ...]:
    match step:
        case Stall(lane, start):
            return (_lane(lane, start or lane[0]),)
        case Draw(clerk, citizen):
            return (clerk, citizen)
        case Place(square):
            return (square,)
        case Bobby(route):
            return (str(route[-1]),)
        case MarkDistrict(district):
            return (str(district),)
        case _:
            return ()
