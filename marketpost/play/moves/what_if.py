"""What-if: a line of moves tried on a private copy of a position.

Nothing is stored and nobody is told. Chance is open: the reader chooses each outcome, so that a line tells nothing of what will come.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import position_at
from marketpost.rules.chance import T
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.ruleset import Ruleset

MOST_MOVES = 40
"""Moves of one line."""
LONGEST_LINE = 4000
"""Characters of one line as text."""
BRINGS = "=>"
"""Stands between orders and the outcomes of chance in them."""


@dataclass(frozen=True, slots=True)
class SupposedMove:
    """Orders of whoever is to decide, and the outcomes of chance that the reader chose for them, in order."""

    orders: str
    outcomes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move of a line as it was played, with what followed from it by itself."""

    seat: int
    orders: str
    outcomes: tuple[str, ...]
    before: Any
    """The position before it."""
    events: Sequence[Any]
    refusal: Refusal | None = None


@dataclass(slots=True)
class TriedLine:
    """A line up to the first move that is refused or waits for an outcome of chance."""

    state: Any
    moves: list[TriedMove] = field(default_factory=list)
    open: tuple[tuple[str, Fraction], ...] = ()
    """The outcomes to choose from, and how likely each is, if the last move waits for one."""


class _OpenDraw(Exception):
    """Raised at a draw for which no outcome is chosen, or one that cannot come."""

    def __init__(self, options: Sequence[Any]) -> None:
        self.options = options


class _ChosenChance:
    """Chance that brings what the reader chose; an outcome that is certain needs no choice."""

    def __init__(self, outcomes: Sequence[str]) -> None:
        self.left = list(outcomes)

    def pick(self, options: Sequence[T]) -> T:
        """Return the next chosen outcome."""
        distinct = list(dict.fromkeys(options))
        if len(distinct) == 1:
            return distinct[0]
        found = next((each for each in distinct if self.left and str(each) == self.left[0]), None)
        if found is None:
            raise _OpenDraw(options)
        del self.left[0]
        return found


def read_line(text: str) -> list[SupposedMove]:
    """Parse a line of moves: one a line of text, such as `3: customer A => clerk`."""
    parted = [each.partition(BRINGS) for each in text.splitlines() if each.strip()]
    return [SupposedMove(orders.strip(), tuple(word.strip() for word in said.split(",") if word.strip())) for orders, _, said in parted]


def try_line(game: Game, version: int, moves: Sequence[SupposedMove]) -> TriedLine:
    """Play a line from the position after a version of the log, each move by the first seat that is to decide.

    Refused if an outcome cannot come where it is given, or nobody is to decide any more.
    """
    if version > game.version:
        raise Refused("no-such-version", newest=game.version)
    state = position_at(game, version)
    if state is None:
        raise Refused("not-started")
    if len(moves) > MOST_MOVES:
        raise Refused("too-many-moves", most=MOST_MOVES)
    line = TriedLine(state)
    for move in moves:
        if line.open or (line.moves and line.moves[-1].refusal):
            break
        _try(game.rules, line, move)
    return line


def _try(rules: Ruleset[Any], line: TriedLine, move: SupposedMove) -> None:
    """Play one move of a line, up to a draw that is open."""
    deciders = rules.deciders(line.state)
    if not deciders:
        raise Refused("game-over")
    chance, before, events = _ChosenChance(move.outcomes), line.state.copy(), list[Any]()
    verdict = _drawn(line, chance, lambda: rules.judge(line.state, deciders[0], move.orders, chance))
    if verdict is None:
        return
    events += _happen(line.state, verdict.events)
    if not rules.winners(line.state) and (verdict.events or not verdict.refusal):
        events += _happen(line.state, _drawn(line, chance, lambda: rules.proceed(line.state, chance)) or ())
    if chance.left and not line.open:
        raise Refused("no-such-outcome", text=chance.left[0], options=[])
    line.moves.append(TriedMove(deciders[0], move.orders, move.outcomes, before, events, verdict.refusal))


def _drawn(line: TriedLine, chance: _ChosenChance, play: Callable[[], T]) -> T | None:
    """Let something happen that may draw; None if a draw in it is open, which the line then says."""
    try:
        return play()
    except _OpenDraw as draw:
        options = [str(each) for each in draw.options]
        if chance.left:
            raise Refused("no-such-outcome", text=chance.left[0], options=list(dict.fromkeys(options))) from draw
        line.open = tuple((each, Fraction(options.count(each), len(options))) for each in dict.fromkeys(options))
        return None


def _happen(state: Any, events: Sequence[Any]) -> list[Any]:
    for event in events:
        event.apply(state)
    return list(events)
