"""`marketpost rules` in a terminal."""

import json
from typing import Any

import pytest

from marketpost.cli.standing_commands import told_pace
from marketpost.rules.guide import as_text, whole
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.variant import note
from marketpost.rules.words import LANGUAGES
from tests.cli.conftest import Desk
from tests.settings import unusual

games = pytest.mark.parametrize("rules", rulesets().values(), ids=rulesets())


def asked(rules: Ruleset[Any]) -> list[str]:
    setting = unusual(rules)
    options = [part for name, value in setting.options.items() for part in ("--option", f"{name}={value}")]
    return [*(["--edition", setting.edition] if setting.edition else []), *options]


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_rules_are_printed_for_any_edition_and_options(ann: Desk, rules: Ruleset[Any], language: str) -> None:
    printed = ann.done("rules", rules.name, *asked(rules), "--language", language)

    assert as_text(whole(rules.guide(unusual(rules), language))) in printed
    assert rules.in_language(language).say("help.orders").strip("\n") in printed


@games
def test_the_rules_of_a_game_are_those_it_is_played_by(ann: Desk, rules: Ruleset[Any]) -> None:
    seats = [part for _ in range(rules.players[0] - 1) for part in ("--seat", "open")]
    game = json.loads(ann.done("new", rules.name, *seats, *asked(rules), "--json"))["id"]

    assert as_text(whole(rules.guide(unusual(rules), "en"))) in ann.done("rules", game)
    assert rules.variant(unusual(rules), rules.in_language("en")) in " ".join(ann.run("show", game, COLUMNS="80").output.split())


def test_without_a_name_all_editions_and_options_are_listed_with_what_they_mean(ann: Desk) -> None:
    printed = ann.done("rules")

    for rules in rulesets().values():
        words = rules.in_language("en")
        assert all(f"--edition {code}: {words.say(f'editions.{code}')}" in printed for code in rules.editions)
        for option, values in rules.option_values().items():
            assert len(values) == 1 or all(
                f"--option {option}={value}: {words.say(f'values.{option}={value}')}" in printed for value in values
            )


def test_an_edition_that_does_not_exist_is_refused(ann: Desk) -> None:
    done = ann.run("rules", "portobello", "--edition", "zz")

    assert done.exit_code == 2
    assert "There is no edition “zz”" in done.stderr


def test_opening_a_game_says_which_set_up_is_the_printed_one(ann: Desk) -> None:
    assert "`setup=manual` is the printed way" in " ".join(ann.done("new", "--help").split())


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_opens_a_game_is_told_what_is_not_as_printed(ann: Desk, rules: Ruleset[Any], language: str) -> None:
    seats = [part for _ in range(rules.players[0] - 1) for part in ("--seat", "open")]
    usual = Setting(rules.colours[: rules.players[0]], rules.boards()[0])

    told = " ".join(ann.done("new", rules.name, *seats, "--language", language).split())

    assert all(" ".join(line.split()) in told for line in rules.unprinted(usual, rules.in_language(language)))
    assert not rules.unprinted(unusual(rules), rules.in_language(language))


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_opens_a_game_is_told_edition_options_and_time(ann: Desk, rules: Ruleset[Any], language: str) -> None:
    seats = [part for _ in range(rules.players[0] - 1) for part in ("--seat", "open")]
    words, pace = rules.in_language(language), {"per_decision": 86400, "bank": 0, "weekends": False, "quiet": None, "at_zero": "bot-plays"}

    told = " ".join(ann.done("new", rules.name, "1", "day,", "weekends", "off", *seats, *asked(rules), "--language", language).split())

    assert all(" ".join(line.split()) in told for line in note(words, *rules.unusual(unusual(rules))))
    assert " ".join(told_pace(pace, language)).replace("\N{NO-BREAK SPACE}", " ") in told.replace("\N{NO-BREAK SPACE}", " ")
