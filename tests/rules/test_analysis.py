"""Luck and skill add up exactly, come out the same again, and what a player throws away is found."""

from dataclasses import replace
from typing import Any

import pytest

from marketpost.rules import analysis
from marketpost.rules.analysis import Analysis, GameAnalyst
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from tests.blunders import Recorded, plant, play_game, scored_lanes

PLAYOUTS, LAST = 4, 12
"""Few playouts, and only of the last decisions, so that it takes no time."""


def analysed(rules: Ruleset[Any], game: Recorded, playouts: int = PLAYOUTS, seed: int = 1) -> Analysis:
    analyst = GameAnalyst(rules, game.setting, game.opening, game.decisions, seed)
    for _ in analyst.run(playouts):
        pass
    return analyst.result(playouts)


def table(name: str) -> tuple[Ruleset[Any], Recorded]:
    rules = ruleset(name)
    game = play_game(rules, Setting(rules.colours[:2], rules.boards()[0]), 5)
    early = [event for each in game.decisions[:-LAST] for event in each.events]
    return rules, replace(game, opening=[*game.opening, *early], decisions=game.decisions[-LAST:])


@pytest.mark.parametrize("name", ["portobello", "alturien"])
def test_luck_and_skill_of_every_player_are_exactly_what_changed_between_start_and_result(name: str) -> None:
    rules, game = table(name)
    found = analysed(rules, game)

    for seat, share in enumerate(found.shares):
        assert share.luck + share.skill == share.result - share.start
        assert share.error > 0
        told = [each.decided[seat] + each.drawn[seat] + each.further[seat] for each in found.moments]
        assert share.start + found.dealt[seat] + sum(told) == share.result
    assert [share.result for share in found.shares] == [1000 * (seat in game.winners) // len(game.winners) for seat in range(2)]
    assert any(any(each.drawn) for each in found.moments)
    assert len(found.turning_points) == 3
    assert analysed(rules, game) == found
    assert analysed(rules, game, seed=2) != found


def test_of_a_long_game_fewer_other_orders_are_compared_so_that_it_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, game = table("alturien")
    most = [len(each.others) for each in GameAnalyst(rules, game.setting, game.opening, game.decisions, 1).compared]
    monkeypatch.setattr(analysis, "COMPARED", len(game.decisions))
    fewer = [len(each.others) for each in GameAnalyst(rules, game.setting, game.opening, game.decisions, 1).compared]

    assert max(most) == analysis.ALTERNATIVES
    assert fewer == [min(1, each) for each in most]


def test_a_lane_that_was_not_scored_is_found_and_the_better_orders_are_told() -> None:
    rules, setting = ruleset("portobello"), Setting(("red", "yellow"), "portobello-classic")
    planted = plant(rules, setting, 3)
    assert planted
    found = planted.look(24)

    assert found.lost > 2 * found.error
    assert scored_lanes(rules, planted.state, found.seat, found.better) >= 0
