"""Positions of The Market of Alturien for tests: set up by hand, then played with chance told."""

import json
from pathlib import Path
from typing import Any

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import COLOURS, NOBODY, THIEF, Phase, State
from marketpost.rules.alturien.supremacy import count_houses, holder
from marketpost.rules.chance import RecordedChance
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import Setting, Verdict

YELLOW, GREEN, BLUE = 0, 1, 2
FIGURES = "duke a1>a2, marquis e1>e2, marquis i1>i2, count m1>m2, count a7>a6, count m7>m6"
EMPTY_STREETS = "duke a1>a2, marquis i1>j1, marquis i7>j7, count m1>m2, count a7>a6, count m7>m6"
SHOPS = ("b7 c7 d7 f7", "g7 h7 j7 k7", "j4 k4 l4 h4", "b4 c4 d4 f4", "f1 g1 h1 j1", "a5 a3 m3 m5")
"""Four plain shops for each seat, on other streets than most figures."""
LOOPS: dict[str, Any] = json.loads((Path(__file__).parent / "alturien-loops.json").read_text("utf-8"))


def opened(players: int = 2, board: str | dict[str, Any] = "alturien-classic", **options: str) -> State:
    """A table to be set by its players, unless told otherwise."""
    setting = Setting(COLOURS[:players], board, None, {"setup": "manual"} | options)
    return RULESET.fold(RULESET.start(setting, RecordedChance([])))


def position(
    *,
    players: int = 2,
    roll: str = "",
    figures: str = FIGURES,
    thief: str = "",
    shops: tuple[str, ...] = SHOPS,
    money: tuple[int, ...] = (),
    prestige: tuple[int, ...] = (),
    cards: tuple[str, ...] = (),
    guard: int = NOBODY,
    active: int = YELLOW,
    board: str | dict[str, Any] = "alturien-classic",
    **options: str,
) -> State:
    """In the middle of a turn: with a roll a figure must be moved, without one it is time to invest. `c1:3` is a shop with three houses."""
    state = opened(players, board, **options)
    state.turn, state.active, state.guard = 1 + active, active, guard
    state.phase, state.dice = (Phase.MOVE, tuple(roll.split(","))) if roll else (Phase.INVEST, ())
    _put_figures(state, figures, thief)
    for seat in range(players):
        _put_shops(state, seat, shops[seat])
    state.money[: len(money)] = money
    state.prestige[: len(prestige)] = prestige
    state.cards[: len(cards)] = [tuple(each.split()) for each in cards]
    for group in state.board.groups:
        if (seat := holder(count_houses(state, group), NOBODY)) != NOBODY:
            state.supremacy[group] = seat
    return state


def _put_figures(state: State, figures: str, thief: str) -> None:
    for each in [*figures.split(", "), *([f"{THIEF} {thief}"] if thief else [])]:
        kind, _, place = each.partition(" ")
        space, _, facing = place.partition(">")
        state.kinds.append(kind)
        state.spaces.append(space)
        state.facings.append(facing)


def _put_shops(state: State, seat: int, shops: str) -> None:
    for shop in shops.split():
        site, _, houses = shop.partition(":")
        state.owners[site], state.houses[site] = seat, int(houses or 1)
        state.stock[seat] -= int(houses or 1)


def robbing(houses: int = 1, **rest: Any) -> State:
    """Yellow can move the thief onto green's shop on e2."""
    shops = ("b7 c7 d7 f7", f"e2:{houses} h7 j7 k7")
    return position(**({"roll": "1", "thief": "e3>e2", "figures": EMPTY_STREETS, "shops": shops} | rest))


def judged(state: State, orders: str, rolls: str = "", seat: int | None = None) -> Verdict:
    """By whoever is to decide, unless told otherwise."""
    return RULESET.judge(state, state.decider if seat is None else seat, orders, RecordedChance(rolls.replace(",", " ").split()))


def then(state: State, orders: str, rolls: str = "") -> State:
    """The position after orders that must be accepted."""
    verdict = judged(state, orders, rolls)
    assert verdict.refusal is None, verdict.refusal
    after = state.copy()
    for event in verdict.events:
        event.apply(after)
    return after


def rolled(state: State, rolls: str) -> State:
    """The position after the roll that is due."""
    after = state.copy()
    for event in RULESET.proceed(state, RecordedChance(rolls.replace(",", " ").split())):
        event.apply(after)
    return after


def refusal(state: State, orders: str, rolls: str = "", seat: int | None = None) -> Refusal:
    found = judged(state, orders, rolls, seat).refusal
    assert found, "the orders are legal"
    return found


def refused(state: State, orders: str, rolls: str = "", seat: int | None = None) -> str:
    return refusal(state, orders, rolls, seat).code


def figure(state: State, space: str) -> str:
    """Who stands there and where it looks."""
    return next(f"{kind}>{facing}" for kind, at, facing in zip(state.kinds, state.spaces, state.facings, strict=True) if at == space)
