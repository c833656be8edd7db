"""Public games to watch, by mail."""

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.mail.desk import Desk
from tests.mail.test_table import is_told

SAID = {"en": "watch", "de": "Zuschauen", "fr": "parties à regarder", "it": "partite da guardare"}


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_public_games_of_others_are_listed_with_a_link(desk: Desk, language: str, rules: str) -> None:
    ann, bob, cy = desk.person("Ann", language), desk.person("Bob"), desk.person("Cy")
    ports = desk.mailer.ports
    desk.table(ann, bob)
    ports.players.change(cy, lambda known: {"hidden": True})
    for id, host, seats, public in (
        ("running", bob, [SeatPlan(player=cy.id)], True),
        ("private", bob, [SeatPlan(player=cy.id)], False),
        ("waiting", bob, [SeatPlan()], True),
        ("own", ann, [SeatPlan(player=bob.id)], True),
    ):
        open_game(ports, id, host.id, rules, [SeatPlan(player=host.id), *seats], {}, public=public)
    desk.work()
    desk.answer(ann, SAID[language])
    desk.work()
    told = desk.newest(ann).text

    linked = {f"{desk.mailer.links.home}/games/{id}": id for id in ("running", "private", "waiting", "own")}
    assert [linked[word] for word in told.split() if word in linked] == ["running"]
    assert "Bob" in told
    assert "Cy" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nobody_plays_in_public_the_answer_says_so(desk: Desk, language: str) -> None:
    ann, bob = desk.person("Ann", language), desk.person("Bob")
    desk.table(ann, bob)
    desk.answer(ann, SAID[language])
    assert is_told(desk, ann, "watch-none")
