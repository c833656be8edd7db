"""Hints by forms alone: chosen when a table is opened, and asked for by a button."""

import pytest

from marketpost.play.log.actions import HintRule
from tests.service import Service
from tests.web.conftest import Open


@pytest.mark.parametrize("rule", HintRule)
def test_the_form_for_a_new_game_has_hints_and_the_page_a_button_where_they_are_allowed(
    house: Service, browser: Open, rule: HintRule
) -> None:
    ann = house.person(f"form-{rule}")
    mine = browser(ann)
    form = mine.get("/new/portobello").text
    game = mine.post("/new/portobello", bots="1", bot="random", hints=rule).headers["Location"].rpartition("/")[2]
    house.turn_of(ann, game)
    button = f'action="/games/{game}/hint"'

    assert f'<option value="{rule}"' in form
    assert (button in mine.get(f"/games/{game}").text) == (rule != HintRule.OFF)
    answer = mine.post(f"/games/{game}/hint")
    assert answer.status_code == (409 if rule == HintRule.OFF else 303)
    assert button not in mine.get(f"/games/{game}").text
