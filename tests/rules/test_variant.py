"""What is not as usual in a game is named, in every language and for every game."""

from collections.abc import Iterator
from typing import Any

import pytest

from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.variant import edition_name, option_label, value_told
from marketpost.rules.words import LANGUAGES

games = pytest.mark.parametrize("game", rulesets().values(), ids=rulesets())
languages = pytest.mark.parametrize("language", LANGUAGES)
VARIANTS = [(game, edition) for game in rulesets().values() for edition in game.editions or (None,)]
variants = pytest.mark.parametrize(
    ("game", "edition"), VARIANTS, ids=lambda each: each if isinstance(each, str) else getattr(each, "name", "-")
)


def setting(game: Ruleset[Any], edition: str | None = None, **options: object) -> Setting:
    return Setting(game.colours[: game.players[0]], game.boards()[0], edition, options)


def values(told: list[str]) -> list[str]:
    """A range is tried at its ends."""
    return told[0].split("-") if len(told) == 1 else told


def changes(game: Ruleset[Any], edition: str | None) -> Iterator[tuple[str, str]]:
    """Each option with each value that the edition does not have."""
    usual = game.settle(edition, {})
    for option, told in game.option_values().items():
        yield from ((option, value) for value in values(told) if str(usual[option]) != value)


@games
@languages
def test_nothing_is_said_of_a_game_in_which_all_is_usual(game: Ruleset[Any], language: str) -> None:
    assert game.variant(setting(game), game.in_language(language)) == ""


@variants
@languages
def test_an_edition_is_called_by_its_name_unless_it_is_the_usual_one(game: Ruleset[Any], edition: str | None, language: str) -> None:
    words = game.in_language(language)
    named = game.variant(setting(game, edition), words)

    assert named == ("" if edition in (None, *game.editions[:1]) else edition_name(words, str(edition)))


@variants
@languages
def test_every_option_that_is_set_otherwise_is_told(game: Ruleset[Any], edition: str | None, language: str) -> None:
    words = game.in_language(language)
    for option, value in changes(game, edition):
        assert value_told(words, option, value) in game.variant(setting(game, edition, **{option: value}), words)


@games
@languages
def test_every_option_and_each_of_its_values_has_words(game: Ruleset[Any], language: str) -> None:
    words = game.in_language(language)
    for option, told in game.option_values().items():
        assert words.knows(f"options.{option}")
        assert option_label(words, option) != option
        sentences = [value_told(words, option, value) for value in values(told)]
        assert len(set(sentences)) == len(sentences)
        assert not any("=" in sentence for sentence in sentences)


@games
@languages
def test_every_edition_and_value_has_a_name_of_its_own_in_every_language(game: Ruleset[Any], language: str) -> None:
    words, english = game.in_language(language), game.in_language("en")
    for code in game.editions:
        assert edition_name(words, code) != code
        assert language == "en" or edition_name(words, code) != edition_name(english, code)
    for option, told in game.option_values().items():
        for value in values(told):
            assert language == "en" or value_told(words, option, value) != value_told(english, option, value)


@variants
@languages
def test_board_and_sentences_name_what_is_not_as_usual(game: Ruleset[Any], edition: str | None, language: str) -> None:
    words = game.in_language(language)
    for option, value in changes(game, edition):
        chosen = setting(game, edition, **{option: value})
        state = game.fold(game.start(chosen, Sealed(bytes(32), "trial")))
        told, board = game.variant(chosen, words), game.draw(state, words)

        assert told in " ".join(board.split())
        assert told in game.linear(state, words)
        assert all(len(line) <= 80 for line in board.splitlines())


@languages
def test_our_usual_set_up_of_alturien_is_said_not_to_be_the_printed_one(language: str) -> None:
    game = rulesets()["alturien"]
    words = game.in_language(language)

    assert "setup=manual" in " ".join(game.unprinted(setting(game), words))
    assert game.unprinted(setting(game, None, setup="manual"), words) == []
