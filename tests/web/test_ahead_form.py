"""Orders ahead on the page of a game: left, shown to their player alone, refused with the reason, and taken back."""

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.orders_ahead import look
from marketpost.play.table.seating import open_game
from marketpost.rules.conditions import examples
from marketpost.rules.ruleset import ruleset, rulesets
from tests.service import Service
from tests.web.conftest import Open

ENGLISH = ruleset("portobello").in_language("en")
LEFT = {
    "en": ("if red leads: 2:\nelse: 3:", "Your orders ahead are stored."),
    "de": ("falls Rot führt: 2:\nsonst: 3:", "Deine Vorausbefehle sind hinterlegt."),
    "fr": ("si rouge mène : 2:\nsinon : 3:", "Vos ordres d’avance sont enregistrés."),
    "it": ("se rosso è in testa: 2:\naltrimenti: 3:", "I tuoi ordini in anticipo sono memorizzati."),
}


@pytest.mark.parametrize("language", LEFT)
def test_orders_ahead_are_left_shown_and_taken_back_on_the_page(house: Service, browser: Open, language: str) -> None:
    ann, bob = house.person(f"ann-{language}"), house.person(f"bob-{language}")
    game = f"ahead-form-{language}"
    open_game(house.ports, game, ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(player=bob.id)], {"colours": ["red", "yellow"]})
    mine, other = browser(ann), browser(bob)
    mine.client.set_cookie("language", language)
    orders, told = LEFT[language]

    assert told in mine.post(f"/games/{game}/ahead", orders=orders).text
    assert look(house.ports, game, ann.id, ENGLISH) == "if red leads: 2:\nelse: 3:"
    assert 'name="off"' in mine.get(f"/games/{game}").text
    assert 'name="off"' not in other.get(f"/games/{game}").text

    refused = mine.post(f"/games/{game}/ahead", orders="if xyzzy: 2:").text
    assert "xyzzy: 2:</textarea>" in refused, "refused orders stay in the form"
    assert look(house.ports, game, ann.id, ENGLISH), "and those that were left before still hold"

    mine.post(f"/games/{game}/ahead", off="1")
    assert look(house.ports, game, ann.id, ENGLISH) == ""


@pytest.mark.parametrize("language", LEFT)
@pytest.mark.parametrize("rules", rulesets())
def test_the_gaps_of_conditions_are_told_in_the_readers_language(rules: str, language: str) -> None:
    known = examples(ruleset(rules).conditions, ruleset(rules).in_language(language))

    who = {"en": "<who>", "de": "<wer>", "fr": "<qui>", "it": "<chi>"}[language]
    assert any(who in each for each in known)
    assert not any("gaps." in each or "{" in each for each in known)
