"""Orders ahead by mail: left, shown and taken back in every language."""

import pytest

from marketpost.play.moves.orders_ahead import look
from marketpost.rules.ruleset import ruleset
from tests.mail.desk import Desk

SAME = {
    "en": ("ahead: if red leads: 2:\nelse: 3:", "ahead off"),
    "de": ("voraus: falls Rot führt: 2:\nsonst: 3:", "voraus aus"),
    "fr": ("avance : si rouge mène : 2:\nsinon : 3:", "avance stop"),
    "it": ("anticipo: se rosso è in testa: 2:\naltrimenti: 3:", "anticipo via"),
}


@pytest.mark.parametrize("language", SAME)
def test_they_are_left_shown_and_taken_back_by_mail(desk: Desk, language: str) -> None:
    orders, off = SAME[language]
    desk.table(desk.person("Ann", language), desk.person("Bob", language), id="p1")
    player = desk.to_play("p1")
    letter, words = desk.turn_letter(player), ruleset("portobello").in_language(language)

    assert desk.answer(player, f"{orders}\n", letter) == "answered"

    assert look(desk.mailer.ports, "p1", player.id, ruleset("portobello").in_language("en")) == "if red leads: 2:\nelse: 3:"
    shown = look(desk.mailer.ports, "p1", player.id, words)
    assert all(line in desk.newest(player).text for line in shown.splitlines())
    desk.answer(player, f"{off}\n", letter)
    assert look(desk.mailer.ports, "p1", player.id, words) == ""
