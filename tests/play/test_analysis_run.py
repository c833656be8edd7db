"""An analysis keeps its time: with the usual number of playouts if it can, with fewer of a long game."""

from itertools import count

import pytest

from marketpost.play.analyses import AnalysisRun
from marketpost.rules.analysis import FEWEST, LEAST, GameAnalyst
from tests.rules.test_analysis import table


@pytest.mark.parametrize(("rounds", "playouts"), [(9.0, LEAST), (1.0, FEWEST)])
def test_a_game_too_long_for_its_budget_is_told_with_fewer_playouts(rounds: float, playouts: int) -> None:
    rules, game = table("alturien")
    decisions = game.decisions[:2]
    analyst, again = (GameAnalyst(rules, game.setting, game.opening, decisions, 1) for _ in range(2))
    a_round = sum(1 for _ in again.run(1))
    ticks = count()
    over, found = AnalysisRun("long", analyst, analyst.run(), rounds * a_round).go_on(float("inf"), lambda: float(next(ticks)))

    assert over
    assert found
    assert found.playouts == playouts
