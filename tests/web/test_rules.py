"""The pages with the rules."""

from html import unescape
from typing import Any

import pytest

from marketpost.rules.guide import summary, whole
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.words import LANGUAGES
from tests.service import Service
from tests.settings import unusual, wanted
from tests.web.conftest import Open

games = pytest.mark.parametrize("rules", rulesets().values(), ids=rulesets())


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_anyone_reads_the_whole_rules_of_every_edition(browser: Open, rules: Ruleset[Any], language: str) -> None:
    for edition in rules.editions or (None,):
        page = unescape(browser().get(f"/rules/{rules.name}?edition={edition or ''}", headers={"Accept-Language": language}).text)

        guide = rules.guide(Setting(rules.colours[: rules.players[0]], rules.boards()[0], edition), language)
        assert all(told in page for section in whole(guide) for told in section.statements.values())


@games
def test_the_page_of_a_game_leads_to_the_rules_it_is_played_by(house: Service, browser: Open, rules: Ruleset[Any]) -> None:
    ann = house.person("ann")
    seats = [{"me": True}, *[{"open": True}] * (rules.players[0] - 1)]
    game = ann.post("/v1/games", {"rules": rules.name, "seats": seats, **wanted(rules)}).json["id"]
    guide, words = rules.guide(unusual(rules), "en"), rules.in_language("en")

    page, whole_rules = (unescape(browser(ann).get(path).text) for path in (f"/games/{game}", f"/games/{game}/rules"))

    assert rules.variant(unusual(rules), words) in page
    assert f'href="/games/{game}/rules"' in page
    assert all(told in page for told in summary(guide))
    assert all(told in whole_rules for section in whole(guide) for told in section.statements.values())


def test_rules_that_do_not_exist_are_no_page(browser: Open) -> None:
    assert browser().get("/rules/chess").status_code == 404


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_for_a_new_game_says_what_each_choice_means(house: Service, browser: Open, rules: Ruleset[Any], language: str) -> None:
    page = browser(house.person(f"reader-of-forms-{language}"))
    page.post("/language", language=language)
    words = rules.in_language(language)

    form = unescape(page.get(f"/new/{rules.name}").text)

    for option, values in rules.option_values().items():
        assert words.say(f"options.{option}") in form
        assert len(values) == 1 or all(words.say(f"values.{option}={value}") in form for value in values)
    assert all(words.say(f"editions.{code}") in form for code in rules.editions)
    assert all(line in form for line in rules.unprinted(Setting(rules.colours[: rules.players[0]], rules.boards()[0]), words))
