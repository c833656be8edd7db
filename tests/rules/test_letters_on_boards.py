"""Letters on boards are the same for everybody at a table; below the map each reader finds those that their language does not expect."""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest

from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.words import LANGUAGES, fold
from tests.games import open_game, sealed

DRAWN = {name: game for name, game in rulesets().items() if hasattr(import_module(f"marketpost.rules.{name}.draw"), "LETTERS")}
games = pytest.mark.parametrize("game", DRAWN.values(), ids=DRAWN)
languages = pytest.mark.parametrize("language", LANGUAGES)


def position(game: Ruleset[Any]) -> Any:
    return open_game(game, Setting(game.colours[: max(game.players)], game.boards()[0]), sealed(1))[0]


def letters_of(game: Ruleset[Any]) -> Mapping[str, str]:
    """Every colour and figure with its letter."""
    draw = import_module(f"marketpost.rules.{game.name}.draw")
    return {**draw.LETTERS, **getattr(draw, "KINDS", {})}


def unexpected(game: Ruleset[Any], language: str) -> list[tuple[str, str]]:
    named = [(letter, game.in_language(language).translate(thing)) for thing, letter in letters_of(game).items()]
    return [(letter, name) for letter, name in named if fold(name[0]) != fold(letter)]


def test_yellow_is_y_for_everybody() -> None:
    assert ("Y", "Gelb") in unexpected(DRAWN["portobello"], "de")
    assert unexpected(DRAWN["portobello"], "en") == []


@games
@languages
def test_the_text_board_names_them_between_the_map_and_the_table(game: Ruleset[Any], language: str) -> None:
    _, below, *_ = game.draw(position(game), game.in_language(language)).split("\n\n")

    for letter, name in unexpected(game, language):
        assert f"{letter} {name}" in below


@games
@languages
def test_the_picture_names_them_right_below_the_map(game: Ruleset[Any], language: str) -> None:
    svg = game.picture(position(game), game.in_language(language))
    told = re.findall(r"<text[^>]*>([^<]*)</text>", svg)

    for letter, name in unexpected(game, language):
        first = next(number for number, text in enumerate(told) if re.match(rf"{re.escape(name)}\b", text))
        assert told[first - 1] == letter
