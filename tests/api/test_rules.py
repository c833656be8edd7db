"""The rules over REST: of a ruleset as asked for, and of the game at hand."""

from typing import Any

import pytest

from marketpost.rules.guide import whole
from marketpost.rules.ruleset import Ruleset, rulesets
from marketpost.rules.words import LANGUAGES
from tests.service import Person
from tests.settings import unusual, wanted

games = pytest.mark.parametrize("rules", rulesets().values(), ids=rulesets())


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_rules_are_told_for_any_edition_and_options(ann: Person, rules: Ruleset[Any], language: str) -> None:
    setting = unusual(rules)
    options = ",".join(f"{name}={value}" for name, value in setting.options.items())
    edition = f"&edition={setting.edition}" if setting.edition else ""

    told = ann.get(f"/v1/rules/{rules.name}?language={language}&options={options}{edition}").json

    expected = [(each.title, dict(each.statements)) for each in whole(rules.guide(setting, language))]
    assert [(each["title"], each["statements"]) for each in told["sections"]] == expected
    assert told["variant"] == rules.variant(setting, rules.in_language(language))
    assert (told["edition"], told["chosen"]) == (setting.edition, dict(setting.options))
    assert told["summary"]


@games
def test_a_game_tells_the_rules_it_is_played_by(ann: Person, rules: Ruleset[Any]) -> None:
    seats = [{"me": True}, *[{"open": True}] * (rules.players[0] - 1)]
    game = ann.post("/v1/games", {"rules": rules.name, "seats": seats, **wanted(rules)}).json["id"]

    of_game, usual = ann.get(f"/v1/games/{game}/rules?language=it").json, ann.get(f"/v1/rules/{rules.name}?language=it").json

    assert of_game["variant"] == rules.variant(unusual(rules), rules.in_language("it"))
    assert usual["variant"] == ""
    assert of_game["sections"] != usual["sections"]


@games
def test_rules_that_no_game_could_have_are_refused(ann: Person, rules: Ruleset[Any]) -> None:
    edition, option = (ann.get(f"/v1/rules/{rules.name}?{query}") for query in ("edition=zz", "options=weather=rain"))

    assert (edition.status_code, edition.json["code"]) == (422, "unknown-edition")
    assert (option.status_code, option.json["code"]) == (422, "unknown-option")


def test_whoever_makes_a_game_reads_which_set_up_is_the_printed_one(ann: Person) -> None:
    assert "`manual` is the printed way" in " ".join(ann.get("/openapi.yaml").text.split())
