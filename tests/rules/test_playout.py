"""Trial games are played with steps: they must go as the same game does that is played with orders."""

from collections import Counter

import pytest

from marketpost.rules.chance import Dice
from marketpost.rules.playout import begin, fast_play, play_at_random, play_orders
from marketpost.rules.ruleset import rulesets
from tests.fuzz import settings


@pytest.mark.parametrize("name", rulesets())
def test_a_trial_game_goes_as_with_orders(name: str) -> None:
    rules = rulesets()[name]
    for seed, setting in zip(range(4), settings(rules, 5), strict=False):
        chance, same, choose = Dice(seed), Dice(seed), Dice(seed + 100)
        state, written = begin(rules, setting, chance), begin(rules, setting, same)
        while deciders := rules.deciders(written):
            legal, steps = rules.legal(written, deciders[0]), fast_play(rules).steps(state)
            assert [rules.notate((step,)) for step in steps] == legal
            chosen = choose.pick(range(len(legal)))
            fast_play(rules).play(state, (steps[chosen],), chance)
            play_orders(rules, written, deciders[0], legal[chosen], same)
            assert state == written


@pytest.mark.parametrize("name", rulesets())
def test_a_game_at_random_ends(name: str) -> None:
    rules = rulesets()[name]
    dice = Dice(3)
    state = begin(rules, next(settings(rules, 1)), dice)
    play_at_random(rules, state, dice)
    assert rules.winners(state)


def test_trial_games_in_a_row_begin_with_each_outcome_about_equally_often() -> None:
    faces = ["1", "2", "3", "4", "5", "1-3"]
    for seed in range(5):
        shown = Counter(Dice(seed, number).pick(faces) for number in range(18))
        assert all(2 <= shown[face] <= 4 for face in faces)
