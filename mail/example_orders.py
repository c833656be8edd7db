"""Whole turns that would be accepted now, to show a player how orders are written and what can be done. They are no advice."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from play.look import MOST_BRANCHES, branches
from rules.bots import foresight_of
from rules.chance import Sealed
from rules.ruleset import Foresight, Ruleset
from rules.words import Words

MOST_STEPS = 8
MOST_BEGINNINGS = 4
"""How many of the turns that a bot finds promising are looked at."""
MOST_COMPARED = 6
"""Of the steps of one kind so many are compared."""
BETWEEN_STEPS = re.compile(r"[;\n]|^\s*\d+\s*:")
Kind = frozenset[str]
"""The words that the steps of a turn begin with."""


def example_orders(rules: Ruleset[Any], state: Any, seat: int, words: Words, count: int = 3) -> list[str]:
    """Up to `count` submissions, accepted by the judge whatever chance brings: first what a bot would do, then turns of other kinds.

    Where a position has turns of one kind only, they are the best of that kind.
    """
    kinds: dict[Kind, str] = {}
    alike: list[str] = []
    for orders in _turns(rules, state, seat, kinds):
        if _kind(orders) in kinds:
            alike.append(orders)
        else:
            kinds[_kind(orders)] = orders
        if len(kinds) == count:
            break
    found = [*kinds.values()] if len(kinds) > 1 else [*kinds.values(), *alike][:count]
    return [*dict.fromkeys(rules.notate(rules.parse(orders), words) for orders in found)]


def _turns(rules: Ruleset[Any], state: Any, seat: int, known: dict[Kind, str]) -> Iterator[str]:
    """Turns that waste nothing, the most promising first; each beginning is gone through until it has brought a kind that is not `known`.

    If there are none, whatever is possible.
    """
    examples = _Examples(rules, seat, state)
    wasted: list[str] = []
    for beginning in examples.beginnings():
        before = len(known)
        for orders in examples.like(beginning):
            if rules.wasteful(state, seat, orders):
                wasted.append(orders)
            else:
                yield orders
            if len(known) > before:
                break
    if not known:
        yield from (wasted or examples.single_steps())[:1]


class _Examples:
    """The turns of one position."""

    def __init__(self, rules: Ruleset[Any], seat: int, state: Any) -> None:
        self.rules, self.seat, self.turn, self.start = rules, seat, state.turn, [state]
        self.foresight: Foresight = foresight_of(rules)
        self.chance = Sealed(bytes(32), "examples")

    def beginnings(self) -> Sequence[str]:
        return self.foresight.shortlist(self.start[0].copy(), self.seat, self.chance)[:MOST_BEGINNINGS]

    def single_steps(self) -> list[str]:
        return [step for step in self.rules.legal(self.start[0], self.seat) if self._after(self.start, step)]

    def like(self, beginning: str) -> Iterator[str]:
        """The turn that begins so, then those that go another way where it first had a choice between kinds of steps."""
        whole = self._finished(beginning, self._after(self.start, beginning))
        if not whole:
            return
        yield whole
        before, states = "", self.start
        steps = self.rules.parse(whole)
        for step in steps if isinstance(steps, tuple) else ():  # a ruleset whose turn is one step may parse it to anything
            taken = self.rules.notate((step,))
            kinds = _by_word(self.rules.legal(states[0], self.seat)) if states else {}
            if len(kinds) > 1:
                yield from self._otherwise(before, states, {word: steps for word, steps in kinds.items() if word != _first_word(taken)})
                return
            before, states = _joined(before, taken), self._after(states, taken)

    def _otherwise(self, before: str, states: list[Any], kinds: dict[str, list[str]]) -> Iterator[str]:
        """Turns that go on with the best step of each kind."""
        for steps in kinds.values():
            step = self._best(states, _most_explicit(steps))
            if whole := self._finished(_joined(before, step), self._after(states, step)):
                yield whole

    def _finished(self, orders: str, states: list[Any]) -> str:
        """Orders with what a quick bot adds until the turn is over; empty if something in it would be refused."""
        while self._goes_on(states):
            added = self.foresight.quick(states[0].copy(), self.seat, self.chance)
            states, orders = self._after(states, added), _joined(orders, added)
            if orders.count(";") >= MOST_STEPS:
                return ""
        return orders if states else ""

    def _goes_on(self, states: list[Any]) -> bool:
        return bool(states) and states[0].turn == self.turn and bool(self.rules.legal(states[0], self.seat))

    def _after(self, states: list[Any], orders: str) -> list[Any]:
        """A position for each branch of chance; none if the orders are refused in one of them."""
        found = [branch for state in states for branch in branches(self.rules, state, self.seat, orders)]
        return [] if any(branch.refusal for branch in found) else [branch.state for branch in found[:MOST_BRANCHES]]

    def _best(self, states: list[Any], steps: list[str]) -> str:
        """The step after which this seat stands best, among some of them."""
        some = steps[:: max(1, -(-len(steps) // MOST_COMPARED))]
        return max(some, key=lambda step: self._worth(self._after(states, step)), default="")

    def _worth(self, states: list[Any]) -> float:
        if not states:
            return float("-inf")
        return sum(self.foresight.prospects(state)[self.seat] for state in states) / len(states)


def _joined(before: str, orders: str) -> str:
    return f"{before}; {orders}" if before else orders


def _kind(orders: str) -> Kind:
    return frozenset(_first_word(step) for step in BETWEEN_STEPS.split(orders) if step.strip())


# The same steps are legal turn after turn.
@lru_cache(maxsize=1 << 13)
def _first_word(step: str) -> str:
    """If it names no place or number."""
    first = step.strip().partition(" ")[0]
    return first if first.isalpha() else ""


def _by_word(legal: Sequence[str]) -> dict[str, list[str]]:
    words: dict[str, list[str]] = {}
    for step in legal:
        words.setdefault(_first_word(step), []).append(step)
    return words


def _most_explicit(steps: list[str]) -> list[str]:
    most = max(step.count(" ") for step in steps)
    return [step for step in steps if step.count(" ") == most]
