"""Orders that would be accepted now, to show a player how they are written. They are no advice."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from play.look import MOST_BRANCHES, branches
from rules.ruleset import Ruleset
from rules.words import Words

MOST_STEPS = 8
MOST_TRIED = 8
"""How many turns are tried out before there are enough that differ."""


def example_orders(rules: Ruleset[Any], state: Any, seat: int, words: Words, count: int = 3) -> list[str]:
    """Up to `count` submissions, whole turns where possible, accepted by the judge whatever chance brings."""
    found: dict[str, None] = {}
    start = _Moment(rules, seat, state.turn, [state])
    for number in range(MOST_TRIED):
        if orders := "; ".join(_turn(start, number, count)):
            found[rules.notate(rules.parse(orders), words)] = None
        if len(found) == count:
            break
    return list(found)


class _Moment:
    """Where some steps of the turn lead: a position for each branch of chance, none if a step is refused in one of them.

    Steps are judged one by one, for that is what they do together.
    """

    def __init__(self, rules: Ruleset[Any], seat: int, turn: int, states: list[Any]) -> None:
        self.rules, self.seat, self.turn, self.states = rules, seat, turn, states
        goes_on = states and states[0].turn == turn
        self.kinds = _by_kind(rules.legal(states[0], seat)) if goes_on else {}
        self._next: dict[str, _Moment] = {}

    def after(self, step: str) -> "_Moment":
        """Several turns may begin alike."""
        if step not in self._next:
            found = [branch for state in self.states for branch in branches(self.rules, state, self.seat, step)]
            states = [] if any(branch.refusal for branch in found) else [branch.state for branch in found[:MOST_BRANCHES]]
            self._next[step] = _Moment(self.rules, self.seat, self.turn, states)
        return self._next[step]


def _turn(moment: _Moment, number: int, count: int) -> list[str]:
    """Steps until somebody else is to decide. Each example begins its own way, then no kind of step follows itself if it can be helped."""
    steps: list[str] = []
    kind, themed = "", False
    while moment.kinds and len(steps) < MOST_STEPS:
        kind = _next_kind(list(moment.kinds), kind, number if not themed else 0)
        themed = themed or len(moment.kinds) > 1
        steps.append(_spread(_most_explicit(moment.kinds[kind]), number, len(steps), count))
        moment = moment.after(steps[-1])
    return steps if moment.states else []


def _by_kind(legal: Sequence[str]) -> dict[str, list[str]]:
    """Steps by their first word, if it names no place or number."""
    kinds: dict[str, list[str]] = {}
    for step in legal:
        kinds.setdefault(_kind(step), []).append(step)
    return kinds


# The same steps are legal turn after turn.
@lru_cache(maxsize=1 << 13)
def _kind(step: str) -> str:
    first = step.partition(" ")[0]
    return first if first.isalpha() else ""


def _most_explicit(steps: list[str]) -> list[str]:
    words = [step.count(" ") for step in steps]
    most = max(words)
    return [step for step, count in zip(steps, words, strict=True) if count == most]


def _next_kind(kinds: list[str], before: str, number: int) -> str:
    others = [kind for kind in kinds if kind != before] or kinds
    return others[number % len(others)]


def _spread(steps: list[str], number: int, place: int, count: int) -> str:
    return steps[(number * max(1, len(steps) // count) + place) % len(steps)]
