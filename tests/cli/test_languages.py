"""A command speaks one language: the player's own, else that of the machine."""

import re
from pathlib import Path
from typing import get_args

import pytest

from marketpost import cli
from marketpost.cli.command_language import Language, of_machine
from marketpost.rules.words import COMMON, LANGUAGES, Words
from tests.cli.conftest import Desk
from tests.service import Service

ENGLISH = re.compile(r"\b(the|and|with|look at|orders are|to move|points|taken back|not played|said)\b", re.IGNORECASE)
SAID = re.compile(r"(?<!\.)\b(?:say|tell|Failed|Unreachable|WrongCall)\(\"([a-z-]+)\"")


@pytest.fixture
def anna(house: Service, url: str, tmp_path: Path) -> Desk:
    return Desk(tmp_path / "anna", url, house.person("anna"))


def speaks(desk: Desk, language: str) -> None:
    desk.person.call("PATCH", "/v1/players/me", json={"language": language})


def test_a_command_knows_every_language() -> None:
    assert sorted(get_args(Language)) == sorted(LANGUAGES)


def test_every_line_is_in_the_players_language(house: Service, anna: Desk) -> None:
    game = house.against_bot(anna.person)
    speaks(anna, "de")
    done = [
        anna.run("games", "--limit", "1"),
        anna.run("legal", game, "3:"),
        anna.run("preview", game, "3: Kunde A"),
        anna.run("say", game, "Hallo"),
        anna.run("move", game, "3: Kunde A; tanzen"),
        anna.run("move", game, "3:"),
        anna.run("undo", game),
        anna.run("undo", game),
        anna.run("agree", game),
        anna.run("join", game),
        anna.run("link", game, "look"),
        anna.run("standing", game),
        anna.run("clock", game),
        anna.run("show", "no-such"),
        anna.run("new", "Schach"),
        anna.run("resign", game, given="n\n"),
        anna.run("games", MARKETPOST_TOKEN=""),
    ]

    told = "\n".join(each.output for each in done[:-1]).replace("Aborted!", "").replace("[y/N]", "")
    assert "am Zug: DU" in told
    assert "Deine letzten Befehle sind zurückgenommen." in told
    assert "Fehler: Diese Partie gibt es nicht." in told
    assert not ENGLISH.findall(told)
    assert "Error: You are not signed in" in done[-1].output, "the machine speaks English here, and nobody is known"


@pytest.mark.parametrize(
    ("locale", "language"),
    [("de_DE.UTF-8", "de"), ("fr", "fr"), ("it_CH@euro", "it"), ("C.UTF-8", "en"), ("pt_BR.UTF-8", "en"), ("", "en")],
)
def test_without_a_player_the_machine_decides(anna: Desk, monkeypatch: pytest.MonkeyPatch, locale: str, language: str) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", locale)

    assert of_machine() == language
    told = Words(language, COMMON).say("terminal.not-signed-in", url=anna.url)
    assert " ".join(told.split()) in " ".join(anna.run("games", MARKETPOST_TOKEN="").stderr.split())


def test_the_player_is_heard_before_the_machine_and_an_option_before_both(house: Service, anna: Desk) -> None:
    house.against_bot(anna.person)
    speaks(anna, "it")

    assert "muove TU" in anna.run("games", LC_ALL="de_DE.UTF-8").stdout
    assert "à jouer\N{NO-BREAK SPACE}: VOUS" in anna.run("games", "--language", "fr", LC_ALL="de_DE.UTF-8").stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_that_a_command_says_is_there(language: str) -> None:
    said = {key for file in Path(cli.__file__).parent.glob("*.py") for key in SAID.findall(file.read_text())}

    assert len(said) > 50
    assert [key for key in sorted(said) if not Words(language, COMMON).knows(f"terminal.{key}")] == []
