"""The tutorial is a real game: what is learnt follows from its log, for guests and without a script."""

import os
import re
import time
from typing import Any

import pytest

from marketpost.play.log.game import Game
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.service import PATIENCE, Service, service
from tests.web.conftest import Browser, Open

MOST_TURNS = 60
TRIES = 200
STEP = re.compile(r"Tutorial, step (\d) of 5")


def at_turn(house: Service, game: str) -> Game:
    """The game, as soon as its bot has moved."""
    until = time.monotonic() + PATIENCE
    while 0 not in (found := house.ports.game(game)).deciders:
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


def towards(game: Game, goal: frozenset[str]) -> str:
    """Orders that do what the lesson asks for, if any of these tries does."""
    orders = ""
    for _ in range(TRIES):
        chance: Any = Sealed(os.urandom(32), "lesson")
        orders = bot(game.rules, "random")(game.state.copy(), 0, chance)
        if goal & {type(event).__struct_config__.tag for event in game.rules.judge(game.state, 0, orders, chance).events}:
            break
    return orders


@pytest.mark.parametrize("rules", rulesets())
def test_a_guest_learns_five_lessons_by_playing_a_real_game(house: Service, browser: Open, rules: str) -> None:
    page, course = browser(), rulesets()[rules].tutorial("en")
    assert f'formaction="/tutorial" name="rules" value="{rules}"' in page.get("/").text
    assert 'action="/tutorial"' in page.get(f"/rules/{rules}").text
    game = page.post("/tutorial", rules=rules).headers["Location"].rpartition("/")[2]
    seen, shown = list[int](), ""

    for _ in range(MOST_TURNS):
        found = at_turn(house, game)
        shown = page.get(f"/games/{game}").text
        step = STEP.search(shown)
        if not step:
            break
        seen.append(int(step[1]))
        page.post(f"/games/{game}/moves", orders=towards(found, course[seen[-1] - 1].goal), key=f"{len(seen):016x}")

    assert sorted(set(seen)) == [1, 2, 3, 4, 5]
    assert seen == sorted(seen)
    assert "Tutorial: done" in shown
    page.post(f"/games/{game}/tutorial/end")
    assert "Tutorial" not in page.get(f"/games/{game}").text.partition("<main")[2]


def test_a_guest_who_is_playing_gets_the_lessons_in_that_game(house: Service, browser: Open) -> None:
    page = browser()
    game = page.against_bot()

    assert page.post("/tutorial", rules="portobello").headers["Location"].endswith(game)
    at_turn(house, game)
    assert STEP.search(page.get(f"/games/{game}").text)


def test_a_guest_who_is_playing_one_game_may_learn_the_other() -> None:
    with service(workers=0, LIMITS="") as house:
        page = Browser(house.app.test_client())
        page.against_bot()

        assert page.post("/tutorial", rules="alturien").status_code == 303
        assert page.post("/play", rules="portobello").status_code == 429


def test_lessons_of_all_languages_have_the_same_goals_and_these_are_events() -> None:
    for rules in rulesets().values():
        goals = [[lesson.goal for lesson in rules.tutorial(language)] for language in LANGUAGES]
        tags = {str(event.__struct_config__.tag) for event in rules.event.__args__}
        assert len(goals[0]) == 5
        assert all(each == goals[0] for each in goals)
        assert frozenset().union(*goals[0]) <= tags
