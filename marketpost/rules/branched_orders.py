"""Orders ahead: orders for a seat's next turn, each under conditions on what happens until then.

One branch a line: `if red builds in AB: 3: stall B-C`, and for all other cases `else: 2: stall A-B` or orders without a condition. Lines
that begin no branch belong to the orders of the branch above them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from marketpost.rules.bots import foresight_of
from marketpost.rules.chance import Chance
from marketpost.rules.conditions import GRAMMAR, Condition, Since, holds, notate_conditions, read_conditions
from marketpost.rules.refusal import Refused, Unreadable
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.words import COMMON, Words, fold, lexicon, plain

MOST_BRANCHES = 12
MOST_DECISIONS = 400
"""Decisions until the next turn of a seat that are played through in a sample."""
FIRST_WORD = re.compile(r"\s*([^\W\d_]+)\s*(.*)", re.DOTALL)


class OrdersBranch(msgspec.Struct, frozen=True):
    """Orders, and the conditions that must all hold for them."""

    conditions: tuple[Condition, ...]
    orders: str
    """In English."""


def read_ahead(rules: Ruleset[Any], state: Any, text: str) -> tuple[OrdersBranch, ...]:
    """Parse orders ahead in any language; refused with the number of the first branch that cannot be read."""
    found: list[OrdersBranch] = []
    for number, (conditions, lines) in enumerate(_cut(rules, state, text), 1):
        if number > MOST_BRANCHES:
            raise Refused("too-many-branches", number, most=MOST_BRANCHES)
        found.append(OrdersBranch(conditions, _orders(rules, state, lines, number)))
    if not found:
        raise Unreadable(1, "", why="empty")
    return tuple(found)


def _cut(rules: Ruleset[Any], state: Any, text: str) -> list[tuple[tuple[Condition, ...], list[str]]]:
    """Cut a text into branches: the conditions and the lines of each."""
    found: list[tuple[tuple[Condition, ...], list[str]]] = []
    for line in (line.strip() for line in plain(text).splitlines() if line.strip()):
        meaning, rest = _begins(line)
        if meaning == "else":
            found.append(((), [rest.lstrip(" :,")]))
        elif meaning == "if" and (conditions := _conditions(rules, state, rest, is_first=not found)):
            found.append((conditions, [rest.partition(":")[2].strip()]))
        elif found:
            found[-1][1].append(line)
        else:
            found.append(((), [line]))
    return found


def _begins(line: str) -> tuple[str, str]:
    """Return `if` or `else` if the line begins so, and the rest of the line."""
    first = FIRST_WORD.match(line)
    meanings = lexicon(COMMON, GRAMMAR).get(fold(first[1]), ()) if first else ()
    return next(((meaning, first[2]) for meaning in ("if", "else") if first and meaning in meanings), ("", line))


def _conditions(rules: Ruleset[Any], state: Any, rest: str, *, is_first: bool) -> tuple[Condition, ...]:
    """Parse the conditions before the colon; empty if the line may be one of the orders above it, such as `if citizen: place C`."""
    try:
        return read_conditions(rules.conditions, state, rest.partition(":")[0])
    except Refused:
        if is_first:
            raise
        return ()


def _orders(rules: Ruleset[Any], state: Any, lines: Sequence[str], number: int) -> str:
    """Parse the orders of a branch. A mail program may have broken a line: then its parts are joined."""
    for between in ("\n", " "):
        try:
            steps = rules.parse(between.join(lines))
        except Refused as refused:
            why = refused
            continue
        orders = str(rules.notate(steps))
        if not rules.on_board(state, orders):
            raise Refused("unreadable-order", number, text=orders[:80])
        return orders
    if odd := next((line for line in lines[1:] if _begins(line)[0] == "if"), ""):
        raise Refused("unreadable-condition", number + 1, text=_begins(odd)[1].partition(":")[0][:120])
    raise Refused(why.code, number, **why.refusal.values)


def notate_ahead(rules: Ruleset[Any], branches: Sequence[OrdersBranch], words: Words) -> str:
    """Write orders ahead in a language, one branch a line; `read_ahead` reads them back."""
    return "\n".join(_notate(rules, branch, words) for branch in branches)


def _notate(rules: Ruleset[Any], branch: OrdersBranch, words: Words) -> str:
    orders = str(rules.notate(rules.parse(branch.orders), words))
    if not branch.conditions:
        return f"{words.order('else', GRAMMAR)}: {orders}"
    return f"{words.order('if', GRAMMAR)} {notate_conditions(rules.conditions, branch.conditions, words)}: {orders}"


def is_wanted(rules: Ruleset[Any], since: Since, branch: OrdersBranch) -> bool:
    """Whether the conditions of a branch hold."""
    return holds(rules.conditions, since, branch.conditions)


def is_own_turn(rules: Ruleset[Any], state: Any, seat: int, after: int) -> bool:
    """Whether this seat decides in a turn of its own that is later than turn `after`."""
    is_aside = rules.standing is not None and rules.standing.concerns(state, seat)
    return state.turn > after and seat in rules.deciders(state) and not is_aside


def samples(rules: Ruleset[Any], state: Any, seat: int, chance: Chance, number: int) -> Iterator[Since]:
    """Play on until the seat's next turn, so many times: in turn with random steps and with those of the quick bot.

    A sample in which the game ends before that turn yields nothing. `chance` must not be the game's own, or the samples would tell what
    it will bring.
    """
    for each in range(number):
        if (found := _sample(rules, state, seat, chance, is_random=each % 2 == 0)) is not None:
            yield found


def _sample(rules: Ruleset[Any], state: Any, seat: int, chance: Chance, *, is_random: bool) -> Since | None:
    quick, then, events = foresight_of(rules).quick, state.copy(), list[Any]()
    before = state.copy()
    for _ in range(MOST_DECISIONS):
        if rules.winners(then):
            return None
        if is_own_turn(rules, then, seat, state.turn):
            return Since(before, events, then, seat)
        decider = rules.deciders(then)[0]
        is_own = is_own_turn(rules, then, seat, -1)
        orders = chance.pick(rules.legal(then, decider)) if is_random else quick(then, decider, chance)
        played = play(rules, then, decider, orders, chance)
        before, events = (then.copy(), []) if is_own else (before, [*events, *played])
    return None


def play(rules: Ruleset[Any], state: Any, seat: int, orders: str, chance: Chance) -> list[Any]:
    """Play orders in a position, and what follows from them by itself; returns all events."""
    events = _happen(state, rules.judge(state, seat, orders, chance).events)
    return events if rules.winners(state) else events + _happen(state, rules.proceed(state, chance))


def _happen(state: Any, events: Sequence[Any]) -> list[Any]:
    for event in events:
        event.apply(state)
    return list(events)
