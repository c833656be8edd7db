"""Find example orders that would be accepted now, to show a player how orders are written. They are no advice."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile
from typing import Any

from marketpost.play.moves.game_view import MOST_BRANCHES, branches
from marketpost.rules.bots import foresight_of
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Foresight, Ruleset
from marketpost.rules.words import Words

MOST_STEPS = 8
"""Steps of an example at most."""
MOST_BEGINNINGS = 6
"""How many of the turns that a bot finds promising are tried."""
MOST_VARIED = 2
"""How many of these are varied to find other ways to go on."""
MOST_ELSEWHERE = 40
"""How many other first steps are tried."""
ENOUGH_KINDS = 3
"""With so many kinds of turns, no turns are tried that a bot does not find promising."""
MOST_COMPARED = 4
"""How many steps of one kind are compared."""
BETWEEN_STEPS = re.compile(r"[;\n]|^\s*\d+\s*:")
Kind = frozenset[str]
"""The words with which the steps of a turn begin."""


def example_orders(rules: Ruleset[Any], state: Any, seat: int, words: Words, count: int = 3) -> list[str]:
    """Return up to `count` orders that are legal whatever chance brings: first a bot's, then turns of other kinds.

    Turns with most kinds of steps that were not shown yet come first, so that an example draws wherever drawing is possible. Where a
    position has turns of one kind only, the best of that kind are returned.
    """
    kinds: dict[Kind, str] = {}
    alike: dict[tuple[str, ...], str] = {}
    for orders in _sensible(rules, state, seat):
        kinds.setdefault(_kind(orders), orders)
        alike.setdefault(tuple(sorted(_steps(orders))), orders)
    found = [kinds[kind] for kind in _varied(kinds)] if len(kinds) > 1 else [*alike.values()]
    return [*dict.fromkeys(rules.notate(rules.parse(orders), words) for orders in found[:count])]


def _varied(kinds: Iterable[Kind]) -> Iterator[Kind]:
    """Yield the first kind, then always the one with most words that are new."""
    left, shown = [*kinds], Kind()
    while left:
        most = max(left, key=lambda kind: len(kind - shown)) if shown else left[0]
        left.remove(most)
        shown |= most
        yield most


def _sensible(rules: Ruleset[Any], state: Any, seat: int) -> Iterator[str]:
    """Yield turns that waste nothing, most promising first; if there are none, one that is possible."""
    examples = _Examples(rules, seat, state)
    wasted: list[str] = []
    kinds: set[Kind] = set()
    for orders in chain(examples.turns(), takewhile(lambda _: len(kinds) < ENOUGH_KINDS, examples.elsewhere())):
        if not orders or rules.wasteful(state, seat, orders):
            wasted += [orders] if orders else []
        else:
            kinds.add(_kind(orders))
            yield orders
    if not kinds:
        yield from (wasted or examples.single_steps())[:1]


class _Examples:
    """Finds the turns of one position."""

    def __init__(self, rules: Ruleset[Any], seat: int, state: Any) -> None:
        self.rules, self.seat, self.turn, self.start = rules, seat, state.turn, [state]
        self.foresight: Foresight = foresight_of(rules)
        self.chance = Sealed(bytes(32), "examples")

    def turns(self) -> Iterator[str]:
        """Yield the turns that a bot finds promising; then variants of them, of the second one first."""
        shortlist = self.foresight.shortlist(self.start[0].copy(), self.seat, self.chance)[:MOST_BEGINNINGS]
        wholes = []
        for beginning in shortlist:
            if whole := self._without_idle_end(self._finished(beginning, self._after(self.start, beginning))):
                wholes.append(whole)
                yield whole
        for whole in [*wholes[1:MOST_VARIED], *wholes[:1]]:
            yield from map(self._without_idle_end, self._otherwise(whole))

    def elsewhere(self) -> Iterator[str]:
        """Yield turns that begin with steps a bot does not find promising."""
        legal = self.rules.legal(self.start[0], self.seat)
        for first in legal[:: max(1, -(-len(legal) // MOST_ELSEWHERE))]:
            yield self._finished(first, self._after(self.start, first))

    def single_steps(self) -> list[str]:
        """List the legal steps that are legal whatever chance brings."""
        return [step for step in self.rules.legal(self.start[0], self.seat) if self._after(self.start, step)]

    def _otherwise(self, whole: str) -> Iterator[str]:
        """Yield turns with a step of another kind at the first choice, and turns of one kind of step throughout."""
        before, states, kinds = "", self.start, dict[str, list[str]]()
        parsed = self.rules.parse(whole)
        for step in map(self._written, parsed if isinstance(parsed, tuple) else ()):  # where a turn is one step, it may be anything
            kinds = _by_word(self.rules.legal(states[0], self.seat)) if states else {}
            if len(kinds) > 1:
                break
            before, states = _joined(before, step), self._after(states, step)
        for steps in kinds.values() if len(kinds) > 1 else ():
            first = self._best(states, steps)
            yield self._finished(_joined(before, first), self._after(states, first))
        if len(kinds) > 1:
            yield self._finished(before, states, next(iter(kinds)))

    def _written(self, step: Any) -> str:
        return str(self.rules.notate((step,)))

    def _without_idle_end(self, whole: str) -> str:
        """Remove a last step that names nothing, if the turn is over without it."""
        shorter, _, last = whole.rpartition("; ")
        is_idle = shorter and last.isalpha() and self._after(self.start, shorter) == self._after(self.start, whole)
        return shorter if is_idle else whole

    def _finished(self, orders: str, states: list[Any], word: str = "") -> str:
        """Complete orders with a quick bot's steps until the turn is over, preferably steps that begin with `word`.

        Empty if something in it would be refused.
        """
        while self._goes_on(states):
            fitting = _by_word(self.rules.legal(states[0], self.seat)).get(word, []) if word else []
            added = self._best(states, fitting) if fitting else self.foresight.quick(states[0].copy(), self.seat, self.chance)
            after = self._after(states, added)
            if not after:  # what suits one outcome of chance is refused after another
                added = self._best(states, self._legal_anyway(states))
                after = self._after(states, added)
            states, orders = after, _joined(orders, added)
            if orders.count(";") >= MOST_STEPS:
                return ""
        return orders if states else ""

    def _legal_anyway(self, states: list[Any]) -> list[str]:
        """List the steps that are legal for every outcome of chance."""
        first, *others = [self.rules.legal(state, self.seat) for state in states]
        return [step for step in first if all(step in legal for legal in others)]

    def _goes_on(self, states: list[Any]) -> bool:
        """Whether the turn is not over yet."""
        return bool(states) and states[0].turn == self.turn and bool(self.rules.legal(states[0], self.seat))

    def _after(self, states: list[Any], orders: str) -> list[Any]:
        """Return the position for each branch of chance; none if the orders are refused in one of them."""
        found = [branch for state in states for branch in branches(self.rules, state, self.seat, orders)]
        return [] if any(branch.refusal for branch in found) else [branch.state for branch in found[:MOST_BRANCHES]]

    def _best(self, states: list[Any], legal: list[str]) -> str:
        """Return the step after which this seat stands best, among some of the most explicit ones."""
        steps = _most_explicit(legal) if legal else []
        some = steps[:: max(1, -(-len(steps) // MOST_COMPARED))]
        return max(some, key=lambda step: self._worth(self._after(states, step)), default="")

    def _worth(self, states: list[Any]) -> float:
        """Compute how well this seat stands, on average over the branches of chance."""
        if not states:
            return float("-inf")
        return sum(self.foresight.prospects(state)[self.seat] for state in states) / len(states)


def _joined(before: str, orders: str) -> str:
    return f"{before}; {orders}" if before else orders


def _steps(orders: str) -> list[str]:
    return [step.strip() for step in BETWEEN_STEPS.split(orders) if step.strip()]


def _kind(orders: str) -> Kind:
    return frozenset(map(_first_word, _steps(orders)))


def _first_word(step: str) -> str:
    """Return the first word of a step, if it is neither place nor number."""
    first = step.partition(" ")[0]
    return first if first.isalpha() else ""


def _by_word(legal: Sequence[str]) -> dict[str, list[str]]:
    words: dict[str, list[str]] = {}
    for step in legal:
        words.setdefault(_first_word(step), []).append(step)
    return words


def _most_explicit(steps: list[str]) -> list[str]:
    """Return the steps with the most words."""
    most = max(step.count(" ") for step in steps)
    return [step for step in steps if step.count(" ") == most]
