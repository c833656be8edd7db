"""The rules as players read them: whole, in every language, and for the game at hand."""

import re
from typing import Any

import pytest

from marketpost.rules.guide import GuideSection, as_text, summary, whole
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.words import LANGUAGES, read_words
from tests.rules.test_variant import changes, games, languages, setting, variants

NEEDED = {
    "portobello": {
        "stalls-by-players", "start-score", "bobby-placer", "tile", "actions", "actions-owed", "tiles-turned", "where", "row", "draw",
        "lord", "no-action", "never-over-squares", "toll-alone", "toll-empty", "toll-tied", "toll-other", "toll-others", "never-below-zero",
        "route", "no-bobby-when-marking", "when", "points", "how", "neutral", "neutral-never-marks", "same-number", "last-round", "idle",
        "lord-scoring", "shared-win",
    },
    "alturien": {
        "sites", "grey", "die", "twelve-houses", "customers", "customers-start", "first-shops", "one-grey-at-start", "by-whom", "roll",
        "way", "end", "look", "must", "sale", "once", "shop", "house", "moving", "prestige", "getting", "keeping", "lost-below-two",
        "wealth", "entry", "robbing", "second-move", "guard", "guard-goes", "ties", "selling", "sale-prices", "four-shops", "by-itself",
        "cancelled", "last-round", "last-is-last", "shared-win",
    },
}  # fmt: skip
WITH = {("alturien", "expansion", "on"): {"at-most-two", "ship", "post", "cart", "staff", "counting"}}


def keys(sections: list[GuideSection]) -> list[str]:
    return [f"{section.name}.{key}" for section in sections for key in section.statements]


def statements(sections: list[GuideSection]) -> dict[str, str]:
    return {f"{section.name}.{key}": told for section in sections for key, told in section.statements.items()}


@variants
@languages
def test_the_rules_tell_everything_that_a_player_needs(game: Ruleset[Any], edition: str | None, language: str) -> None:
    told = {key.partition(".")[2] for key in keys(whole(game.guide(setting(game, edition), language)))}

    assert NEEDED[game.name] <= told


@games
@languages
def test_the_rules_speak_of_no_game_for_they_are_shown_without_one_too(game: Ruleset[Any], language: str) -> None:
    of_a_game = {"en": "this game", "de": "dieser partie", "fr": "cette partie", "it": "questa partita"}[language]

    told = (sentence for part in read_words(game.words.parent / "guide", language).values() for sentence in part.values())

    assert [sentence for sentence in told if of_a_game in sentence.casefold()] == []


@pytest.mark.parametrize(("name", "option", "value"), WITH)
@languages
def test_what_an_option_brings_is_told_where_it_is_chosen_and_nowhere_else(name: str, option: str, value: str, language: str) -> None:
    game = rulesets()[name]
    usual, chosen = (keys(game.guide(setting(game, None, **options), language)) for options in ({}, {option: value}))

    brought = {key.partition(".")[2] for key in set(chosen) - set(usual)}
    assert brought >= WITH[name, option, value]


@variants
@languages
def test_every_language_makes_the_same_statements(game: Ruleset[Any], edition: str | None, language: str) -> None:
    assert keys(game.guide(setting(game, edition), language)) == keys(game.guide(setting(game, edition), "en"))


@variants
@languages
def test_the_text_is_another_one_for_every_option_that_is_another(game: Ruleset[Any], edition: str | None, language: str) -> None:
    usual = statements(whole(game.guide(setting(game, edition), language)))
    for option, value in changes(game, edition):
        other = statements(whole(game.guide(setting(game, edition, **{option: value}), language)))
        differing = {key for key in usual.keys() | other.keys() if usual.get(key) != other.get(key)}

        assert f"chosen.{option}" in differing
        assert any(not key.startswith("chosen.") for key in differing), f"{option}={value} changes no sentence of the rules"


@variants
@languages
def test_no_sentence_is_left_in_english(game: Ruleset[Any], edition: str | None, language: str) -> None:
    if language == "en":
        return
    english = statements(game.guide(setting(game, edition), "en"))
    for key, told in statements(game.guide(setting(game, edition), language)).items():
        assert told != english[key], key


@games
@languages
def test_a_statement_that_hangs_on_an_option_has_a_sentence_for_each_of_its_values(game: Ruleset[Any], language: str) -> None:
    """Or for one value alone, where the other adds nothing, as with cards that are not in the game."""
    values = game.option_values()
    for name, part in read_words(game.words.parent / "guide", language).items():
        conditions: dict[str, set[str]] = {}
        for key in part:
            base, sign, condition = key.partition("?")
            if sign:
                conditions.setdefault(base, set()).add(condition)
        for base, found in conditions.items():
            [option] = {condition.partition("=")[0] for condition in found}
            told = {condition.partition("=")[2] for condition in found}
            assert told <= set(values[option]), (name, base)
            assert told == set(values[option]) or len(told) == 1, (name, base)


@variants
@languages
def test_no_value_is_left_unsaid_and_no_line_is_too_wide(game: Ruleset[Any], edition: str | None, language: str) -> None:
    text = as_text(whole(game.guide(setting(game, edition), language)))

    assert not re.search(r"[{}?=]{2}|{\w*}", text)
    assert all(len(line) <= 80 for line in text.splitlines())


@variants
@languages
def test_the_summary_is_short(game: Ruleset[Any], edition: str | None, language: str) -> None:
    guide = game.guide(setting(game, edition), language)

    assert summary(guide)
    assert len(" ".join(summary(guide))) < len(as_text(whole(guide))) / 2


@games
def test_apostrophes_are_typographic(game: Ruleset[Any]) -> None:
    for language in LANGUAGES:
        assert "'" not in (game.words.parent / "guide" / f"{language}.toml").read_text("utf-8")


@games
@languages
def test_the_usual_game_is_told_as_the_usual_edition(game: Ruleset[Any], language: str) -> None:
    plain = Setting(game.colours[: game.players[0]], game.boards()[0])

    assert game.guide(plain, language) == game.guide(setting(game, next(iter(game.editions), None)), language)


@games
def test_no_french_line_begins_with_a_sign_of_punctuation(game: Ruleset[Any]) -> None:
    told = "\n".join(section.title + "\n".join(section.statements.values()) for section in game.guide(setting(game), "fr"))

    assert ";" in told
    assert not re.search(r" [;:!?»]", told)
