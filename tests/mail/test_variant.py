"""A letter about a game names the edition and the options that are not the usual ones."""

from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letters import Letter, Links, WaitingGame
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import Outcome
from marketpost.rules.chance import Sealed
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.words import LANGUAGES, typeset
from marketpost.store.players import Player
from tests.settings import unusual

LINKS = Links("https://marketpost.example")
games = pytest.mark.parametrize("rules", rulesets().values(), ids=rulesets())
languages = pytest.mark.parametrize("language", LANGUAGES)


def begun(rules: Ruleset[Any], setting: Setting) -> Game:
    game, chance = Game("k3v9qd2m", version=1), Sealed(bytes(32), "k3v9qd2m")
    game.rules, game.setting = rules, setting
    game.seats = [SeatPlan(player=f"p{seat}") for seat in range(len(setting.colours))]
    events = rules.start(setting, chance)
    game.state = rules.fold(events)
    due = rules.proceed(game.state, chance)
    for event in due:
        event.apply(game.state)
    game.history.append((1, Played(None, [*events, *due])))
    return game


def letters_about(game: Game, player: Player) -> Iterator[tuple[str, Letter]]:
    asked = (game, game.deciders[0], player, {}, LINKS)
    refusal = Outcome("m1", "refused", 0, None, "unreadable-order", 1, {"text": "?"}, [])
    yield "invitation", letters.invitation(game, player, {}, "Bernard", LINKS)
    yield "declined", letters.declined(game, player, {}, LINKS, who="Bernard")
    yield "started", letters.started(*asked)
    yield "your-turn", letters.your_turn(*asked)
    yield "reminder", letters.reminder(*asked)
    yield "timed-out", letters.timed_out(*asked, "bot-takes")
    yield "message", letters.message(*asked, said=[("Bernard", "Well played!")])
    yield "receipt", letters.receipt(*asked, version=1, orders="?")
    yield "refused", letters.refused(*asked, orders="?", outcome=refusal)
    yield "drawn", letters.drawn(*asked)
    yield "proposal", letters.proposal(*asked, what="draw", who="Bernard")
    yield "news", letters.news(*asked, what="disagreed-draw", who="Bernard", whose=1)
    yield "answer", letters.answer(player, LINKS, ["!"], game=game, seat=0, names={})
    yield "answer with the board", letters.answer(player, LINKS, ["!"], asked={"board"}, game=game, seat=0, names={})
    yield "digest", letters.digest(player, LINKS, {"X1": WaitingGame(game, game.deciders[0], {})})


@games
@languages
def test_every_letter_names_what_is_not_as_usual(rules: Ruleset[Any], language: str) -> None:
    player = Player("p0", "anna@example.org", "Anna", language, "Europe/London")
    game = begun(rules, unusual(rules))
    told = " ".join(typeset(rules.variant(game.setting, rules.in_language(language)), "en").split())

    assert told
    for name, letter in letters_about(game, player):
        assert told in " ".join(letter.text.split()), name
        assert told in " ".join(unescape(letter.html).split()), name


@games
@languages
def test_no_letter_says_that_something_is_unusual_where_nothing_is(rules: Ruleset[Any], language: str) -> None:
    player = Player("p0", "anna@example.org", "Anna", language, "Europe/London")
    game = begun(rules, Setting(rules.colours[: rules.players[0]], rules.boards()[0]))
    note = rules.in_language(language).say("variant.note", text="").strip(" .:")

    for name, letter in letters_about(game, player):
        assert note not in letter.text + letter.html, name
