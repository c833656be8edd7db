"""Luck and skill: how every decision and every draw of a finished game changed the chances to win, estimated by playouts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from math import sqrt
from typing import Any

import msgspec

from marketpost.rules.bots import foresight_of
from marketpost.rules.chance import Dice
from marketpost.rules.playout import NEVER, TrialGame, begin
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Event, Foresight, Ruleset, Setting

UNIT = 1000
"""Chances are told in thousandths: whole numbers, so that sums are exact."""
ALTERNATIVES, COMPARED = 3, 200
"""How many other orders are compared with those that were given, and how many in a whole game: of a long one fewer each, at least one."""
SCREENED = 8
"""Playouts after which the best of the alternatives is chosen, if it looks better than what was given. What it would have gained is then
estimated by later ones alone: otherwise the luckiest of them would be chosen, and its luck counted."""
FEWEST, LEAST, MOST = 4, 16, 60
"""Playouts of every position: as many as the time allows, at most `MOST`. Time is overrun for `LEAST`; a game so long that even this does
not suffice is told with the larger error of fewer, of `FEWEST` at least."""
SLIPS = range(8)
"""One decision in so many begins with a step at random: without it a game that has no draws left would always end the same way.

Where dice are rolled none does: the players, who slip less, would seem to gain by every decision, and to have bad luck."""
TURNING_POINTS = 3
SURE = 2.0
"""Standard errors by which another line must be better before it is told."""


class Decided(msgspec.Struct, frozen=True):
    """A decision as the log has it: orders of a seat, and all events that followed."""

    version: int
    seat: int
    orders: str
    events: Sequence[Event]


class Moment(msgspec.Struct, frozen=True, array_like=True):
    """What one decision, and the chance that followed it, changed. All chances are in thousandths, one for each seat."""

    version: int
    """The entry of the log."""
    seat: int
    turn: int
    before: tuple[int, ...]
    """The chances to win before the decision."""
    decided: tuple[int, ...]
    """How the decision changed them, compared with what the quick bot would have done."""
    drawn: tuple[int, ...]
    """How draws and rolls changed them; all 0 where there were none."""
    further: tuple[int, ...]
    """What changed because playouts from here on look further ahead."""
    lost: int = 0
    """What the decision gave away against the best line found."""
    error: int = 0
    """Standard error of `lost`."""
    better: str = ""
    """That line, if it was better by more than the error allows."""
    orders: str = ""
    """What was decided, in English."""


class Share(msgspec.Struct, frozen=True, array_like=True):
    """One seat's game in thousandths: `luck` + `skill` is `result` - `start`."""

    start: int
    result: int
    luck: int
    skill: int
    own: int
    """The part of `skill` that the seat's own decisions made."""
    lost: int
    """The sum of what the seat's own decisions gave away against the best lines found, where it is sure."""
    error: int = 0
    """Standard error of `luck` and `skill`, which err by the same; 0 in analyses made before it was computed."""


class Analysis(msgspec.Struct, frozen=True, array_like=True):
    """Luck and skill of a whole game."""

    playouts: int
    """Of every position. With as many, the analysis comes out the same again."""
    error: int
    """Standard error of a chance to win, in thousandths: of half of all positions it is smaller."""
    dealt: tuple[int, ...]
    """What the deal at the beginning changed; part of `luck`."""
    shares: tuple[Share, ...]
    moments: tuple[Moment, ...]
    turning_points: tuple[int, ...]
    """Versions of the moments that changed most, in order."""


@dataclass(slots=True)
class Value:
    """The chances to win in a position, or after orders in it, by playouts up to a turn."""

    state: Any
    """None for the time before anything was dealt."""
    until: int
    orders: str = ""
    seat: int = 0
    found: list[list[float]] = field(default_factory=list)

    def mean(self) -> tuple[int, ...]:
        """Return the mean of all playouts."""
        return tuple(round(UNIT * sum(each) / len(each)) for each in zip(*self.found, strict=True))

    def error(self) -> float:
        """Return the largest standard error of a seat's mean."""
        return max(standard_error(each) for each in zip(*self.found, strict=True))


def standard_error(numbers: Sequence[float]) -> float:
    """Compute the standard error of a mean, in thousandths."""
    mean, count = sum(numbers) / len(numbers), len(numbers)
    return UNIT * sqrt(sum((each - mean) ** 2 for each in numbers) / (count - 1) / count) if count > 1 else UNIT / 2


@dataclass(slots=True)
class Compared:
    """One decision: the value before it, as it was given, after all that followed, and of other orders."""

    decided: Decided
    turn: int
    before: Value
    given: Value
    """With chance still open."""
    after: Value
    """With chance as it was, seen as far ahead as `before`."""
    others: list[Value]

    def keep_best(self) -> None:
        """Drop all alternatives but the one that looks best so far, and that too if it looks no better than what was given."""
        better = [each for each in self.others if sum(self.gains(each)) > 0]
        self.others = nlargest(1, better, key=lambda each: sum(self.gains(each)))

    def gains(self, other: Value, first: int = 0) -> list[float]:
        """List how much better the other orders came out, playout by playout with the same dice."""
        seat = self.decided.seat
        return [one[seat] - given[seat] for one, given in zip(other.found[first:], self.given.found[first:], strict=True)]


class GameAnalyst:
    """Analyses one game, playout by playout, so that whoever runs it can do something else in between."""

    def __init__(self, rules: Ruleset[Any], setting: Setting, opening: Sequence[Event], decisions: Sequence[Decided], seed: int) -> None:
        self.rules, self.setting, self.seed = rules, setting, seed
        self.foresight: Foresight = foresight_of(rules)
        self.values: dict[tuple[int, int], Value] = {}
        self.alternatives = max(1, min(ALTERNATIVES, COMPARED // max(1, len(decisions))))
        state = rules.fold(opening)
        self.start = Value(None, self._until(state))
        self.first = self._value(0, state, self._until(state))
        self.compared = [self._compare(number, state, each) for number, each in enumerate(decisions)]
        self.last = self._value(len(decisions), state, self._until(state))

    def _until(self, state: Any) -> int:
        """Return the turn up to which playouts look ahead, about so many rounds away, when everyone has had as many turns.

        It stays the same for some turns, so that the values of their positions can be compared.
        """
        step = self.foresight.rounds * len(self.setting.colours)
        return 1 + step * ((int(state.turn) + step // 2) // step + 1)

    def _value(self, number: int, state: Any, until: int) -> Value:
        return self.values.setdefault((number, until), Value(state.copy(), until))

    def _compare(self, number: int, state: Any, decided: Decided) -> Compared:
        """Prepare the comparison of a decision, and apply its events to the position."""
        until, turn = self._until(state), state.turn
        before = self._value(number, state, until)
        drawn = self._apply(state, decided.events)
        after = self._value(number + 1, state, until)
        given = Value(before.state, until, decided.orders, decided.seat) if drawn else after
        others = [Value(before.state, until, orders, decided.seat) for orders in self._alternatives(before.state, decided)]
        return Compared(decided, turn, before, given, after, others)

    def _apply(self, state: Any, events: Sequence[Event]) -> bool:
        """Apply events; returns whether chance chose something in them."""
        drawn = False
        for event in events:
            drawn = drawn or any(len(set(map(str, options))) > 1 for options, _ in self.rules.draws(state, event))
            event.apply(state)
        return drawn

    def _alternatives(self, state: Any, decided: Decided) -> list[str]:
        """List the most promising orders other than those that were given."""
        found = self.foresight.shortlist(state.copy(), decided.seat, Dice(self.seed))
        given = self._written(decided.orders)
        return [orders for orders in found if self._written(orders) != given][: self.alternatives]

    def _written(self, orders: str) -> str:
        try:
            return str(self.rules.notate(self.rules.parse(orders)))
        except Refused:
            return orders

    def run(self, playouts: int = MOST) -> Iterator[int]:
        """Play all positions out so many times; yields after every position how many times all of them were."""
        for number in range(playouts):
            if number == SCREENED:
                for each in self.compared:
                    each.keep_best()
            for value in self._open():
                self._play(value, number)
                yield number

    def _open(self) -> list[Value]:
        given = [each.given for each in self.compared if each.given is not each.after]
        others = [value for each in self.compared for value in each.others]
        return [self.start, *self.values.values(), *given, *others]

    def _play(self, value: Value, number: int) -> None:
        """Play a position out once. The same number means the same dice for all positions, so that luck does not tell them apart."""
        dice = Dice(self.seed, number)
        state = begin(self.rules, self.setting, dice) if value.state is None else value.state
        trial = TrialGame(self.rules, self.foresight, state, dice, NEVER if self.foresight.is_rolled else SLIPS)
        if value.orders:
            trial.give(value.seat, value.orders)
        trial.play_until(value.until)
        value.found.append(trial.chances())

    def result(self, playouts: int) -> Analysis:
        """Tell what so many playouts of every position found."""
        for value in (*self._open(), *self.values.values()):
            del value.found[playouts:]
        moments = tuple(self._moment(number, each) for number, each in enumerate(self.compared))
        dealt = _less(self.first.mean(), self.start.mean())
        shares = tuple(self._share(seat, moments, dealt) for seat in range(len(self.setting.colours)))
        errors = sorted(value.error() for value in self.values.values())
        return Analysis(playouts, round(errors[len(errors) // 2]), dealt, shares, moments, turning_points(moments))

    def _moment(self, number: int, each: Compared) -> Moment:
        before, given, after = each.before.mean(), each.given.mean(), each.after.mean()
        following = self.compared[number + 1].before if number + 1 < len(self.compared) else self.last
        further = _less(following.mean(), after)
        return Moment(
            each.decided.version,
            each.decided.seat,
            each.turn,
            before,
            _less(given, before),
            _less(after, given),
            further,
            *self._lost(each),
            self._written(each.decided.orders),
        )

    def _lost(self, each: Compared) -> tuple[int, int, str]:
        """Tell what the decision gave away, the error of that, and the better line; nothing where it is not sure."""
        gains = each.gains(each.others[0], SCREENED) if each.others else []
        if not gains:
            return 0, 0, ""
        lost, error = UNIT * sum(gains) / len(gains), standard_error(gains)
        is_sure = lost >= 1 and lost > SURE * error
        return (round(lost), round(error), each.others[0].orders) if is_sure else (0, round(error), "")

    def _share(self, seat: int, moments: Sequence[Moment], dealt: Sequence[int]) -> Share:
        own = sum(each.decided[seat] for each in moments if each.seat == seat)
        skill = sum(each.decided[seat] for each in moments)
        luck = dealt[seat] + sum(each.drawn[seat] + each.further[seat] for each in moments)
        lost = sum(each.lost for each in moments if each.seat == seat)
        return Share(self.start.mean()[seat], self.last.mean()[seat], luck, skill, own, lost, round(self._error_of_skill(seat)))

    def _error_of_skill(self, seat: int) -> float:
        """Compute it from the sums of single playouts: what one moment errs by is often taken back by the next."""
        skills = [
            sum(each.given.found[number][seat] - each.before.found[number][seat] for each in self.compared)
            for number in range(len(self.start.found))
        ]
        return standard_error(skills)


def _less(after: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    return tuple(one - other for one, other in zip(after, before, strict=True))


def turning_points(moments: Sequence[Moment]) -> tuple[int, ...]:
    """Find the moments in which most was given away, or chance changed most."""
    most = sorted(moments, key=lambda each: -max(each.lost, *map(abs, each.drawn)))[:TURNING_POINTS]
    return tuple(sorted(each.version for each in most))
