"""Whole games by forms and links alone, as a browser without JavaScript sends them."""

import html
import re
import time

import pytest

from marketpost.play.log.game import GameStatus
from marketpost.rules.ruleset import rulesets
from tests.service import PATIENCE, Service
from tests.web.conftest import Browser, Open

STEP = re.compile(r'<button class="quiet order"[^>]* name="add" value="([^"]*)"')
ORDERS = re.compile(r'<textarea id="orders"[^>]*>([^<]*)</textarea>')
KEY = re.compile(r'name="key" value="(\w+)"><input type="hidden" name="version" value="(\d+)"')
MOST_TURNS = 400
AVOIDED = ("bobby", "mark")
"""Steps that do not bring the game nearer to its end."""


def at_turn(house: Service, game: str) -> bool:
    """Wait for the bot; false when the game is over."""
    until = time.monotonic() + PATIENCE
    while (found := house.ports.game(game)).status == GameStatus.RUNNING and 0 not in found.deciders:
        assert time.monotonic() < until
        time.sleep(0.005)
    return bool(found.status == GameStatus.RUNNING)


def steps_of(shown: str) -> list[str]:
    return [html.unescape(step) for step in STEP.findall(shown)]


def write_orders(page: Browser, token: str, game: str, shown: str) -> str:
    """Click on steps until none is offered or the rules ask for no more; the page with the whole orders."""
    while steps := steps_of(shown):
        step = next((each for each in steps if not each.startswith(AVOIDED)), steps[-1])
        orders = html.unescape(ORDERS.search(shown)[1])
        shown = page.post(f"/games/{game}/preview", token=token, orders=orders, add=step).text
    return shown


@pytest.mark.parametrize("rules", rulesets())
def test_a_whole_game_is_played_without_a_script(house: Service, browser: Open, rules: str) -> None:
    page = browser()
    game = page.post("/play", rules=rules, bot="greedy").headers["Location"].rpartition("/")[2]
    token = page.token()

    for _ in range(MOST_TURNS):
        if not at_turn(house, game):
            break
        shown = write_orders(page, token, game, page.get(f"/games/{game}").text)
        key, version = KEY.search(shown).groups()
        orders = html.unescape(ORDERS.search(shown)[1])
        sent = page.post(f"/games/{game}/moves", token=token, orders=orders, key=key, version=version)
        assert sent.status_code == 303, sent.text

    assert house.ports.game(game).status == GameStatus.OVER
    assert 'class="final"' in page.get(f"/games/{game}").text
