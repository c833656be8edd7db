"""What-if on a page and over REST: by buttons, for players alone, in every language."""

import html
import re

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.service import Service
from tests.web.conftest import Open

TITLES = {"en": "What if?", "de": "Was wäre, wenn?", "fr": "Et si", "it": "E se?"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
def test_a_line_is_tried_by_buttons_and_the_game_stays_as_it_is(house: Service, browser: Open, rules: str, language: str) -> None:
    ann, bob = house.person(f"ann-{rules}-{language}"), house.person(f"bob-{rules}-{language}")
    game = f"if-{rules}-{language}"
    open_game(house.ports, game, ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(player=bob.id)], {})
    version, page = house.ports.game(game).version, browser(bob)
    page.client.set_cookie("language", language)

    shown = page.get(f"/games/{game}/what-if").text
    assert TITLES[language] in html.unescape(shown)
    line = ""
    for _ in range(6):
        button = re.search(r'name="(outcome|add)" value="([^"]+)"', shown)
        assert button
        answer = page.post(f"/games/{game}/what-if", at=str(version), line=line, **{button[1]: html.unescape(button[2])})
        shown = answer.text
        assert answer.status_code == 200, shown
        line = html.unescape(re.search(r"<textarea[^>]*>([^<]*)</textarea>", shown)[1])  # type: ignore[index]

    assert line
    tried = bob.post(f"/v1/games/{game}/what-if", {"line": line, "version": version})
    assert tried.status_code == 200
    assert tried.json["steps"] or tried.json["open"]
    assert house.ports.game(game).version == version
    assert house.person(f"eve-{rules}-{language}").post(f"/v1/games/{game}/what-if", {"line": line}).status_code in (403, 404)
