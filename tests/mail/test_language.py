"""Which language letters are written in: asked for by its name, in whatever language one writes."""

import re

import pytest

from marketpost.mail.inbound.command_lines import ARGUMENTS
from marketpost.mail.outbound.render import read_words
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.mail.every_letter import languages


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("language German", "de"), ("language french please", "fr"), ("language: Deutsch", "de"), ("language in Italian", "it"),
        ("Sprache Französisch", "fr"), ("Sprache franzoesisch", "fr"), ("Sprache: Englisch!", "en"), ("Sprache it", "it"),
        ("langue allemand", "de"), ("langue anglaise", "en"), ("Langue : français", "fr"), ("langue de", "de"),
        ("lingua tedesco", "de"), ("lingua tedesca", "de"), ("lingua inglese per favore", "en"), ("lingua Français", "fr"),
    ],
)  # fmt: skip
def test_a_language_is_asked_for_by_its_name(desk: Desk, playing: Player, asked: str, language: str) -> None:
    assert desk.answer(playing, asked) == "answered"

    assert language_of(desk, playing) == language
    assert desk.newest(playing).text.startswith(read_words("words", language)["above"])


def language_of(desk: Desk, player: Player) -> str:
    found = desk.mailer.ports.players.find(player.id)
    assert found
    return found.language


def test_a_language_that_we_do_not_write_is_answered_with_those_we_do(desk: Desk) -> None:
    anna = desk.person("Anna", "de")
    desk.table(anna, desk.person("Ben", "en"))

    desk.answer(anna, "Sprache Klingonisch", desk.newest(anna))

    assert language_of(desk, anna) == "de"
    for name in ("Deutsch", "Englisch", "Französisch", "Italienisch"):
        assert name in desk.newest(anna).text


@languages
def test_letters_show_languages_by_name(language: str) -> None:
    """What they tell a player to write is understood, and is no code."""
    command, known = lexicon(COMMON, "commands"), lexicon(COMMON, "languages")
    shown = read_words("words", language)["how-own"], read_words("words", language)["languages"]
    quoted = [each.strip() for sentence in shown for each in re.findall(r"[“„«]([^”“»]+)[”“»]", sentence)]
    asked = [each.split() for each in quoted if command[fold(each.split()[0])] == ("language",)]

    assert len(asked) == 2
    for _, name in asked:
        assert ARGUMENTS["language"].fullmatch(name)
        assert len(known[fold(name)]) == 1
        assert len(name) > 2
