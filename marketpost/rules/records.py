"""Records: games as plain text that people can read and mail to a friend."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Event, Ruleset, Setting, ruleset

TITLE = "marketpost record 1"
SEAT = re.compile(r"(\w+)(?:\s*\(([^()]*)\))?\s*")
TURN = re.compile(r"(\d{1,6})\s+(\w+)(?:\s+(.*))?")
MUST_REFUSE = re.compile(r"!\s*([a-z-]+)\s*:\s*(\w+)(?:\s+(.*))?")
END = re.compile(r"end\s*\{([^{}]*)\}\s*wins\s+(.*)")
CHECK = re.compile(r"\s*\{([^{}]*)\}\s*$")
FIRST = 1
"""The version of the rules that a record need not name."""
HEAD_ONCE = ("rules", "board", "edition", "queue", "seats")


class RecordWrong(Refused):
    """Raised for a record that cannot be read or that tells what cannot have happened; `step` is the line."""

    @property
    def line(self) -> int:
        """The number of the line that is wrong."""
        return self.refusal.step


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line of a record: what one seat did, or what happened by itself."""

    number: int
    colour: str
    orders: str
    turn: int | None = None
    refused_with: str | None = None
    check: str | None = None


@dataclass(slots=True)
class Record:
    """A game as its record tells it."""

    rules: Ruleset[Any]
    setting: Setting
    names: dict[str, str] = field(default_factory=dict)
    queue: list[str] = field(default_factory=list)
    lines: list[RecordLine] = field(default_factory=list)
    end: tuple[int, str, str] | None = None
    """Line, scores and winners, if the record says that the game is over."""
    head_line: int = 0
    """Where the head ends; what is wrong with the set-up is said of this line."""
    last_line: int = 0


class Played(msgspec.Struct, frozen=True):
    """The events of one submission; the seat is `None` for what nobody decided."""

    seat: int | None
    events: Sequence[Event]


BoardFinder = Callable[[str], str | dict[str, Any]]


def read(text: str, find_board: BoardFinder = lambda name: name) -> Record:
    """Parse a record. `find_board` may turn a board's name into a board that does not come with the ruleset."""
    lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or lines[0][1] != TITLE:
        raise RecordWrong("record-title", lines[0][0] if lines else 1, title=TITLE)
    rule = next((place for place, (_, line) in enumerate(lines) if line == "---"), None)
    if rule is None:
        raise RecordWrong("record-no-rule", lines[-1][0])
    record = _read_head(lines[1:rule], find_board)
    record.head_line, record.last_line = lines[rule][0], lines[-1][0]
    for number, line in lines[rule + 1 :]:
        _read_line(record, number, line)
    return record


def _read_head(lines: Sequence[tuple[int, str]], find_board: BoardFinder) -> Record:
    head: dict[str, str] = {}
    options: dict[str, object] = {}
    for number, line in lines:
        key, colon, value = (part.strip() for part in line.partition(":"))
        name, equals, setting = (part.strip() for part in value.partition("="))
        if key == "option" and colon and equals and name not in options:
            options[name] = setting
        elif key not in HEAD_ONCE or not colon or key in head:
            raise RecordWrong("record-head", number, line=line[:80])
        else:
            head[key] = value
    missing = {"rules", "board", "seats"} - head.keys()
    if missing:
        raise RecordWrong("record-head-missing", lines[-1][0] if lines else 1, missing=sorted(missing))
    return _record(head, options, lines, find_board)


def _record(head: Mapping[str, str], options: dict[str, object], lines: Sequence[tuple[int, str]], find_board: BoardFinder) -> Record:
    seats = _seats(head["seats"])
    if not seats:
        raise RecordWrong("record-head", lines[-1][0], line=f"seats: {head['seats']}"[:80])
    try:
        setting = Setting(tuple(colour for colour, _ in seats), find_board(head["board"]), head.get("edition"), options)
        names = {colour: name for colour, name in seats if name}
        return Record(_rules(head["rules"]), setting, names, head.get("queue", "").split())
    except Refused as refused:
        raise RecordWrong(refused.code, lines[-1][0], **refused.refusal.values) from refused


def _rules(text: str) -> Ruleset[Any]:
    """Parse the ruleset and its version: `portobello` is version 1, `portobello 2` version 2."""
    name, _, version = text.partition(" ")
    return ruleset(name, int(version)) if version.isascii() and version.isdecimal() and len(version) < 6 else ruleset(text, FIRST)


def _seats(text: str) -> list[tuple[str, str]]:
    """Parse colours with their names; empty if the line holds anything else."""
    found = list(SEAT.finditer(text))
    if "".join(each.group(0) for each in found) != text:
        return []
    return [(each.group(1), each.group(2) or "") for each in found]


def _read_line(record: Record, number: int, line: str) -> None:
    if record.end:
        raise RecordWrong("record-after-end", number)
    if found := END.fullmatch(line):
        record.end = (number, found.group(1), found.group(2))
        return
    check = CHECK.search(line)
    body = line[: check.start()] if check else line
    if (found := MUST_REFUSE.fullmatch(body)) and not check:
        record.lines.append(RecordLine(number, found.group(2), found.group(3) or "", refused_with=found.group(1)))
    elif found := TURN.fullmatch(body):
        scores = check.group(1) if check else None
        record.lines.append(RecordLine(number, found.group(2), found.group(3) or "", int(found.group(1)), check=scores))
    else:
        raise RecordWrong("record-line", number, line=line[:80])


def write(rules: Ruleset[Any], played: Sequence[Played], names: Mapping[str, str] | None = None) -> str:
    """Write a game as a record. `played` begins with the opening; what nobody decided is written in the line after it."""
    state = rules.fold(played[0].events)
    lines = [*_write_head(rules, state, names or {}), "---"]
    due: list[Event] = []
    for each in played[1:]:
        due = [*due, *each.events]
        if each.seat is None:
            lines.extend(_write_dealt(rules, state, due))
        elif due:
            lines.append(_write_line(rules, state, each.seat, due))
            due = []
    if due:
        lines.append(_write_line(rules, state, rules.deciders(state)[0], due))
    winners = " ".join(state.colours[seat] for seat in rules.winners(state))
    if winners:
        lines.append(f"end {_braces(rules, state)} wins {winners}")
    return "\n".join(lines) + "\n"


def _write_head(rules: Ruleset[Any], state: Any, names: Mapping[str, str]) -> Iterator[str]:
    yield TITLE
    yield f"rules: {rules.name}" if rules.version == FIRST else f"rules: {rules.name} {rules.version}"
    yield f"board: {state.board.name}"
    for key, value in rules.head(state).items():
        if isinstance(value, str):
            yield f"{key}: {value}"
        else:
            yield from (f"{key}: {name}={setting}" for name, setting in value.items())
    yield "seats: " + " ".join(f"{colour} ({_clean(names[colour])})" if colour in names else colour for colour in state.colours)


def _clean(name: str) -> str:
    """Remove from a name what would end its brackets or its line."""
    return " ".join(re.sub(r"[()#\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", name).split())


def _write_dealt(rules: Ruleset[Any], state: Any, due: list[Event]) -> Iterator[str]:
    """Write a set-up dealt by chance as if the players had chosen it, one order a line; `due` keeps what came after."""
    while due and not state.turn:
        start = f"{state.turn} {state.colours[rules.deciders(state)[0]]}"
        if told := rules.serialize_turn(state, [due.pop(0)]):
            yield f"{start} {told} {_braces(rules, state)}"


def _write_line(rules: Ruleset[Any], state: Any, seat: int, events: Sequence[Event]) -> str:
    """Write one submission; `state` is moved on by it."""
    start = f"{state.turn} {state.colours[seat]}"
    return f"{start} {rules.serialize_turn(state, events)} {_braces(rules, state)}"


def _braces(rules: Ruleset[Any], state: Any) -> str:
    return "{" + ", ".join(f"{colour} {score}" for colour, score in zip(state.colours, rules.scores(state), strict=True)) + "}"
