"""Profiles, rating lists and lists of games by mail."""

import re

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.inbound.games_list import MOST_LISTED
from marketpost.play.log.actions import ProposalKind, SeatPlan
from marketpost.play.table.proposals import agree, propose
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.mail.desk import Desk

SAID = {
    "en": ("profile Bob", "ratings portobello", ("1 game finished", "with 2 players: 1 game", "against Ann: 1 game, 0 ahead, 0 behind")),
    "de": ("Profil Bob", "Rangliste portobello", ("1 Partie zu Ende", "mit 2 Personen: 1 Partie", "gegen Ann: 1 Partie, 0 vorn")),
    "fr": ("profil Bob", "classement portobello", ("1 partie terminée", "à 2 joueurs : 1 partie", "contre Ann : 1 partie, 0 devant")),
    "it": ("profilo Bob", "classifica portobello", ("1 partita finita", "in 2 giocatori: 1 partita", "contro Ann: 1 partita, 0 davanti")),
}

GAMES = {"en": "games", "de": "Partien", "fr": "parties", "it": "partite"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_profile_and_a_rating_list_come_by_mail(desk: Desk, language: str) -> None:
    ann, bob = desk.person("Ann", language), desk.person("Bob", language)
    profile, ratings, results = SAID[language]
    desk.table(ann, bob, id="g0")
    number = propose(desk.mailer.ports, "g0", ann.id, ProposalKind.DRAW).proposal
    assert number
    agree(desk.mailer.ports, "g0", bob.id, number.number)
    desk.table(ann, bob)
    desk.work()
    desk.answer(ann, profile)
    desk.work()
    told = " ".join(desk.newest(ann).text.split())
    assert "Bob" in told
    assert [each for each in results if each not in told] == []
    desk.answer(ann, ratings)
    desk.work()
    told = " ".join(desk.newest(ann).text.split())
    assert "1. " in told
    assert "2. " in told
    assert {"Ann", "Bob"} <= set(told.replace(":", " ").split())


def test_a_hidden_player_and_an_unknown_one_are_told_alike(desk: Desk) -> None:
    ann, bob = desk.person("Ann"), desk.person("Bob")
    desk.table(ann, bob)
    desk.mailer.ports.players.change(bob, lambda known: {"hidden": True})
    for name in ("Bob", "Nobody"):
        desk.answer(ann, f"profile {name}")
        desk.work()
        assert f"There is no player called “{name}”." in desk.newest(ann).text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
def test_own_games_are_listed_by_ruleset_and_the_page_of_all_is_named_where_a_letter_shows_too_few(
    desk: Desk, language: str, rules: str
) -> None:
    ann = desk.person("Ann", language)
    desk.table(ann, desk.person("Bob", language))
    for number in range(MOST_LISTED + 1):
        open_game(desk.mailer.ports, f"listed{number}", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan()], {})
    for name in rulesets():
        open_game(desk.mailer.ports, f"only-{name}", ann.id, name, [SeatPlan(player=ann.id), SeatPlan()], {})
    games, all_of_them = GAMES[language], words_of(ann).say("answers.watch-all", url="").strip()
    other = next(name for name in rulesets() if name != rules)

    desk.answer(ann, f"{games} {rules}")
    shown = desk.newest(ann).text
    assert len({*re.findall(r"/games/(listed\d+)", shown)}) in range(MOST_LISTED - 2, MOST_LISTED + 1)
    assert f"only-{other}" not in shown
    assert all_of_them in shown
    desk.answer(ann, f"{games} {other}")
    shown = desk.newest(ann).text
    assert f"only-{other}" in shown
    assert "listed" not in shown
    assert all_of_them not in shown
