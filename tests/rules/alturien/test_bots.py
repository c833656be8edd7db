"""The greedy bot plays any position, and plainly better than chance."""

from typing import Any

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.bots import greedy, pays, pays_after
from marketpost.rules.alturien.legal import legal_steps
from marketpost.rules.alturien.orders import MoveHouse
from marketpost.rules.alturien.steps import take
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.chance import RecordedChance
from marketpost.rules.ruleset import Setting
from tests.games import play_to_the_end
from tests.rules.alturien.positions import FIGURES, LOOPS, YELLOW, position, then

NO_CHANCE = RecordedChance([])


def test_it_moves_a_customer_to_its_own_shop() -> None:
    figures = FIGURES.replace("duke a1>a2", "duke c1>d1")
    state = position(roll="1", figures=figures, shops=("d1:3 c7 d7 f7", "g7 h7 j7 k7"))

    assert greedy(state, YELLOW, NO_CHANCE) == "c1-d1"


def test_it_buys_prestige_when_it_can() -> None:
    assert greedy(position(money=(12, 6)), YELLOW, NO_CHANCE) == "prestige"


def test_it_keeps_its_money_in_the_last_round() -> None:
    state = position(money=(11, 6), thief="g4>f4")
    state.last_round = True

    assert greedy(state, YELLOW, NO_CHANCE) == "pass"


@pytest.mark.parametrize("seat", [0, 1])
def test_what_shops_bring_is_the_same_whether_computed_anew_or_from_before(seat: int) -> None:
    """A second house in a group brings its supremacy card, and so changes what the other shop there brings."""
    state = position(shops=("b1 c1 d7 f7", "g7 h7 j7 k7"), money=(20, 20), expansion="on")
    before = pays(state, seat)
    steps = [step for step in legal_steps(state) if not isinstance(step, MoveHouse)]
    assert len(steps) > 20
    for step in steps:
        trial = Trial(state.copy(), NO_CHANCE)
        take(trial, step)
        assert pays_after(before, trial.state, seat, step) == pays(trial.state, seat)


def test_it_pays_a_small_debt_without_prestige() -> None:
    shops = ("b7 c7 d7 f7", "e2:2 h7:2 j7 k7 l7")
    owed = then(position(roll="1", thief="e3>e2", shops=shops, money=(6, 3), prestige=(0, 1)), "e3-e2")

    assert greedy(owed, owed.decider, NO_CHANCE).startswith("sell house")


@pytest.mark.parametrize(("board", "players", "options"), [
    ("alturien-classic", 2, {"customer_start": "plain", "variant": "long-short"}), (LOOPS, 3, {"expansion": "on"}),
    ("alturien-classic", 4, {"setup": "manual"}), ("alturien-classic", 6, {"expansion": "on"}),
], ids=lambda each: each.get("name", "options") if isinstance(each, dict) else str(each))  # fmt: skip
def test_it_plays_whole_games(board: Any, players: int, options: dict[str, str]) -> None:
    state, _ = play_to_the_end(RULESET, Setting(RULESET.colours[:players], board, None, options), 3, ["greedy"] * players)

    assert state.over
    assert state.turn < 300


def test_it_beats_chance() -> None:
    wins = 0
    for seed in range(10):
        bots = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        state, _ = play_to_the_end(RULESET, Setting(RULESET.colours[:2], "alturien-classic"), seed, bots)
        wins += [bots[seat] for seat in state.winners] == ["greedy"]

    assert wins >= 9
