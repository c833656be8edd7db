"""Orders that would be accepted now, to show a player how they are written. They are no advice."""

from collections.abc import Iterator, Sequence
from typing import Any

from play.game import Game
from play.look import preview
from rules.chance import T
from rules.ruleset import Ruleset
from rules.words import Words

MOST_STEPS = 8
MOST_TRIED = 8
"""How many turns are tried out before there are enough that differ."""


class _Whatever:
    """Chance that draws nothing: it takes the first outcome that is possible, to see what could follow."""

    def pick(self, options: Sequence[T]) -> T:
        return options[0]


def example_orders(rules: Ruleset[Any], state: Any, seat: int, words: Words, count: int = 3) -> list[str]:
    """Up to `count` submissions, whole turns where possible, accepted by the judge whatever chance brings."""
    found: dict[str, None] = {}
    first = rules.legal(state, seat)
    for number in range(MOST_TRIED):
        orders = "; ".join(_turn(rules, state.copy(), seat, first, number, count))
        if orders and _accepted(rules, state, seat, orders):
            found[rules.notate(rules.parse(orders), words)] = None
        if len(found) == count:
            break
    return list(found)


def _turn(rules: Ruleset[Any], state: Any, seat: int, legal: Sequence[str], number: int, count: int) -> Iterator[str]:
    """Steps until somebody else is to decide. Each example begins its own way, then no kind of step follows itself if it can be helped."""
    kind, turn, themed = "", state.turn, False
    for place in range(MOST_STEPS):
        if not legal or state.turn != turn:
            return
        kinds = _by_kind(legal)
        kind = _next_kind(list(kinds), kind, number if not themed else 0)
        themed = themed or len(kinds) > 1
        step = _spread(_most_explicit(kinds[kind]), number, place, count)
        yield step
        for event in rules.judge(state, seat, step, _Whatever()).events:
            event.apply(state)
        legal = rules.legal(state, seat)


def _by_kind(legal: Sequence[str]) -> dict[str, list[str]]:
    """Steps by their first word, if it names no place or number."""
    kinds: dict[str, list[str]] = {}
    for step in legal:
        first = step.partition(" ")[0]
        kinds.setdefault(first if first.isalpha() else "", []).append(step)
    return kinds


def _most_explicit(steps: list[str]) -> list[str]:
    words = [step.count(" ") for step in steps]
    most = max(words)
    return [step for step, count in zip(steps, words, strict=True) if count == most]


def _next_kind(kinds: list[str], before: str, number: int) -> str:
    others = [kind for kind in kinds if kind != before] or kinds
    return others[number % len(others)]


def _spread(steps: list[str], number: int, place: int, count: int) -> str:
    return steps[(number * max(1, len(steps) // count) + place) % len(steps)]


def _accepted(rules: Ruleset[Any], state: Any, seat: int, orders: str) -> bool:
    table = Game("example")
    table.rules, table.state = rules, state
    return all(branch.refusal is None for branch in preview(table, seat, orders))
