"""Three levels of bots: every ruleset has them, and people ask for them in their own language."""

import pytest

from marketpost.play.table.new_game_request import read_request
from marketpost.rules.bots import LEVELS, bot
from marketpost.rules.ruleset import Setting, rulesets
from tests.games import play_to_the_end, sealed


@pytest.mark.parametrize("name", rulesets())
def test_an_easy_bot_plays_whole_games_and_a_medium_one_plays_as_the_usual_bot(name: str) -> None:
    rules = rulesets()[name]
    setting = Setting(rules.colours[:2], rules.boards()[0])
    state, played = play_to_the_end(rules, setting, 3, ["easy", "medium"])

    assert rules.winners(state)
    start = rules.fold([event for each in played[:2] for event in each.events])
    seat = rules.deciders(start)[0]
    assert bot(rules, "medium")(start, seat, sealed(1)) == bot(rules, "greedy")(start, seat, sealed(1))


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("portobello with an easy bot", "easy"),
        ("portobello mit einem leichten Bot", "easy"),
        ("portobello avec un bot moyen", "medium"),
        ("portobello con un bot forte", "strong"),
        ("portobello mit 2 starken Bots", "strong"),
        ("portobello with a greedy bot", "greedy"),
    ],
)
def test_a_level_is_asked_for_in_any_language(text: str, level: str) -> None:
    request = read_request(text)

    assert request
    assert set(request.bots) == {level}
    assert level in (*LEVELS, "greedy")
