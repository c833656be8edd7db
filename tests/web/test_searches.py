"""Searching for a game on the start page."""

import re

import pytest

from tests.service import Service
from tests.web.conftest import Open

FORM = {"rules": "alturien", "players": "4", "per_decision": "3d", "strength": "similar"}


def test_the_start_page_says_how_long_i_wait_and_a_click_ends_it(house: Service, browser: Open) -> None:
    me = browser(house.person("pagecarl"))
    assert me.post("/search", **FORM).status_code == 303
    shown = me.get("/").text
    assert "4 players – waiting for 0 minutes" in shown
    found = re.search(r'action="(/search/\w+/cancel)"', shown)
    assert found
    assert me.post(found[1]).status_code == 303
    assert "waiting for" not in me.get("/").text


@pytest.mark.parametrize("wrong", [{"rules": "chess"}, {"players": "9"}, {"strength": "weak"}])
def test_a_form_that_cannot_be_is_refused(house: Service, browser: Open, wrong: dict[str, str]) -> None:
    assert browser(house.person("pagedora")).post("/search", **FORM | wrong).status_code == 422
