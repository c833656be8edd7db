"""The turns that `strong` plays on: they must differ, or it can choose nothing."""

from collections import Counter

from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.bots import MOST_ALIKE, SHORTLIST, shortlist
from marketpost.rules.portobello.orders import ChooseTile, parse
from marketpost.rules.ruleset import Setting
from tests.games import one_move, open_game, sealed
from tests.rules.portobello.positions import FOUR_IS_FULL, position


def test_every_tile_and_a_mark_are_looked_at() -> None:
    turns = [parse(orders) for orders in shortlist(position(FOUR_IS_FULL, players=4), 0, sealed(1))]

    assert {steps[0] for steps in turns} == {ChooseTile(2), ChooseTile(3), ChooseTile(4)}
    assert {type(steps[-1]).__name__ for steps in turns} >= {"Stall", "Draw", "MarkDistrict"}
    assert len(turns) <= SHORTLIST
    assert max(Counter((steps[0], type(steps[-1])) for steps in turns).values()) <= MOST_ALIKE


def test_all_of_them_are_legal_in_every_turn_of_a_game() -> None:
    chance, played = sealed(4), list[object]()
    state, played = open_game(RULESET, Setting(RULESET.colours[:3], RULESET.boards()[0]), chance)
    while not state.over:
        turns = shortlist(state, state.decider, chance)
        refusals = [RULESET.judge(state, state.decider, orders, sealed(5)).refusal for orders in turns]
        assert refusals == [None] * len(turns)
        one_move(RULESET, state, state.decider, turns[len(played) % len(turns)], chance, played)
