"""`strong` plays any game, by what a seat can see, and thinks only so far."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from marketpost.rules.bots import POSITIONS, bot, strong
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from tests.games import one_move, open_game, sealed
from tests.rulesets import sticks

FEW = 3
"""Positions, so that whole games take no time."""
TABLES = [
    ("portobello", 2, "2.0", {"customers": "queue"}),
    ("portobello", 4, "fr", {}),
    ("alturien", 2, None, {"setup": "manual", "expansion": "on"}),
    ("alturien", 6, None, {"variant": "long-short"}),
]


def moments(rules: Ruleset[Any], setting: Setting, seed: int = 3) -> Iterator[tuple[Any, int, str]]:
    """A game in which the first seat is strong and the others are quick: each position in which the strong one decides, and its orders."""
    chance, own = sealed(seed), sealed(seed + 1)
    state, played = open_game(rules, setting, chance)
    assert rules.foresight
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        orders = rules.foresight.quick(state, seat, own) if seat else strong(rules, state, seat, own, positions=FEW)
        if not seat:
            yield state, seat, orders
        one_move(rules, state, seat, orders, chance, played)


def table(name: str, players: int, edition: str | None, options: dict[str, str]) -> tuple[Ruleset[Any], Setting]:
    rules = ruleset(name)
    return rules, Setting(rules.colours[:players], rules.boards()[0], edition, options)


@pytest.mark.parametrize(("name", "players", "edition", "options"), TABLES)
def test_it_plays_whole_games_by_the_rules(name: str, players: int, edition: str | None, options: dict[str, str]) -> None:
    decided = [orders for _, _, orders in moments(*table(name, players, edition, options))]

    assert decided


@pytest.mark.parametrize("name", ["portobello", "alturien"])
def test_it_decides_by_what_it_sees_and_leaves_the_position_alone(name: str) -> None:
    rules, setting = table(name, 2, None, {})
    for number, (state, seat, orders) in zip(range(3), moments(rules, setting), strict=False):
        seen = state.copy()
        think = partial(strong, rules, seat=seat, positions=FEW)

        once = think(state=state, chance=sealed(number))
        again = think(state=state.copy(), chance=sealed(number))

        assert once == again
        assert state == seen
        assert rules.judge(state, seat, orders, sealed(1)).refusal is None


def test_what_is_still_in_the_bag_does_not_change_its_mind() -> None:
    """Two games that went alike and will not go on alike: their secrets differ, and with them every draw to come."""
    rules, setting = table("portobello", 2, None, {})
    said, drawn = set(), set()
    for secret in range(3):
        state, played = open_game(rules, setting, sealed(secret))
        one_move(rules, state, rules.deciders(state)[0], "bobby 4", sealed(secret), played)
        said.add(strong(rules, state, 0, sealed(99), positions=FEW))
        drawn.add(repr(rules.judge(state, 0, "4: customer A; customer B; customer C; customer D", sealed(secret)).events))

    assert len(said) == 1
    assert len(drawn) > 1


@pytest.mark.parametrize("name", ["portobello", "alturien"])
def test_it_looks_at_so_many_positions_and_no_more(name: str) -> None:
    rules, setting = table(name, 2, None, {})
    looked = 0

    def counted(play: Callable[..., Any]) -> Callable[..., Any]:
        def count(*asked: Any) -> Any:
            nonlocal looked
            looked += 1
            return play(*asked)

        return count

    assert rules.fast
    counting = replace(rules, judge=counted(rules.judge), fast=replace(rules.fast, play=counted(rules.fast.play)))
    state, _ = open_game(rules, setting, sealed(5))
    strong(counting, state, rules.deciders(state)[0], sealed(6))

    assert POSITIONS <= looked < 2 * POSITIONS


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_a_game_that_offers_no_foresight_is_played_on_to_the_end(heap: int) -> None:
    """Whoever leaves a multiple of four has won."""
    state = sticks.State(("white", "brown"), sticks=heap, turn=1)

    assert bot(sticks.RULESET, "strong")(state, 0, sealed(heap)) == f"take {heap % 4}"
