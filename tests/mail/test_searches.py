"""Searching for a game by mail: in a reply or to new@, in four languages; a letter comes when the game is found."""

import pytest

from marketpost.play.table.search_request import SearchRequest, Strength, read_search
from marketpost.play.table.searching import searches_of
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from tests.mail.desk import DOMAIN, Desk, fresh

DAY = 86_400_000
SAID = {
    "en": ("find {} 2 players, 1 day, any strength", "find off", "yes"),
    "de": ("suche {} 2 Personen, 1 Tag, beliebige Stärke", "suche aus", "ja"),
    "fr": ("cherche {} 2 joueurs, 1 jour, tout niveau", "cherche fin", "oui"),
    "it": ("cerca {} due giocatori, 1 giorno, qualsiasi livello", "cerca fine", "sì"),
}


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("{} 2 players, 1 day, any strength", SearchRequest("", 2, DAY)),
        ("{}", SearchRequest("")),
        ("a game of {} with three people, 12 hours per move, similar strength", SearchRequest("", 3, DAY // 2, Strength.SIMILAR)),
        ("zwei Spieler {}, ähnlich stark", SearchRequest("", 2, None, Strength.SIMILAR)),
        ("{} classement 10 à 20", SearchRequest("", None, None, least=10, most=20)),
        ("{} à 4 joueurs, n’importe quel niveau", SearchRequest("", 4)),
    ],
)
def test_a_search_in_words_is_read(rules: str, said: str, asked: SearchRequest) -> None:
    found = read_search(said.format(rules))
    assert (found.rules, found.players, found.pace, found.strength) == (rules, asked.players, asked.pace, asked.strength)
    assert (found.least, found.most) == (asked.least, asked.most)


@pytest.mark.parametrize(
    "said",
    [
        "chess 2 players",
        "portobello with bob@example.org",
        "portobello and a bot",
        "portobello 2 players 3 players",
        "portobello any strength, similar strength",
        "portobello no clock",
        "portobello 1 day, weekends off",
        "portobello fr",
        "portobello quickly",
    ],
)
def test_a_search_for_something_else_is_refused(said: str) -> None:
    with pytest.raises(Refused):
        read_search(said)


@pytest.mark.parametrize("language", SAID)
def test_a_game_is_found_by_mail(desk: Desk, language: str) -> None:
    ann, bob, eve = desk.person("Ann", language), desk.person("Bob", language), desk.person("Eve", language)
    rules = next(name for name in rulesets() if 2 in ruleset(name).players)
    asks, off, yes = SAID[language]
    desk.table(ann, eve)
    desk.answer(ann, asks.format(rules))
    desk.work()
    told = desk.newest(ann).text
    title = ruleset(rules).title(ruleset(rules).in_language(language))
    assert title in told
    assert off in told
    desk.answer(ann, off)
    desk.work()
    assert searches_of(desk.mailer.ports, ann.id) == []
    desk.answer(ann, asks.format(rules) + " ")
    desk.work()

    desk.receive(fresh(asks.format(rules), f"new@{DOMAIN}", bob.email), f"new@{DOMAIN}")
    desk.work()
    assert searches_of(desk.mailer.ports, bob.id) == [], "a mail to new@ waits for a yes"
    desk.answer(bob, yes, desk.newest(bob))
    desk.work()

    [id] = desk.mailer.ports.index.unfinished_of(bob.id)
    assert desk.game(id).found
    assert all(f"/games/{id}" in desk.newest(player).text for player in (ann, bob))


def test_my_searches_are_listed(desk: Desk) -> None:
    ann, eve = desk.person("Ann"), desk.person("Eve")
    desk.table(ann, eve)
    desk.answer(ann, "find")
    desk.work()
    assert "find portobello 3 players, 1 day, any strength" in " ".join(desk.newest(ann).text.split())
    desk.answer(ann, "find portobello 3 players, rating 10 to 20")
    desk.work()
    desk.clock.forward(minutes=12)
    desk.answer(ann, "find")
    desk.work()
    told = " ".join(desk.newest(ann).text.split())
    assert "3 players, 1 day for each decision, rating 10 to 20 (for 12 minutes)" in told
