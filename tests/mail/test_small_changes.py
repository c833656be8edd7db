"""Refused or unreadable orders are answered with the same text marked, and with the small change that makes them legal."""

import re
from html import unescape
from typing import Any

import pytest

from marketpost.mail.inbound.marked_text import BEGIN, END, MOST_LINES, marked
from marketpost.play.moves.game_view import branches
from marketpost.play.moves.small_changes import small_changes
from marketpost.rules.words import LANGUAGES, plain
from tests.mail.desk import Desk
from tests.mail.turns import Turn, every_ruleset, turns

NUMBERED = re.compile(r"^\d+ ?:[; ]*")


def without_number(orders: str) -> str:
    return NUMBERED.sub("", orders)


def turned_round(orders: str) -> str:
    """The first two places that a hyphen joins, the other way round."""
    return re.sub(r"\b([A-Za-z]\d*)-([A-Za-z]\d*)\b", r"\2-\1", orders, count=1)


def is_legal(turn: Turn, orders: str) -> bool:
    return not any(branch.refusal for branch in branches(turn.rules, turn.state, turn.seat, orders))


def spoilt(turn: Turn) -> list[str]:
    """The orders of a turn with one small thing wrong, in which they are not legal any more."""
    changed = {without_number(turn.orders), turned_round(turn.orders)} - {turn.orders, ""}
    return [orders for orders in sorted(changed) if not is_legal(turn, orders)]


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_orders_that_were_meant_are_proposed_and_all_that_is_proposed_is_legal(name: str, language: str) -> None:
    for turn in turns(name):
        for orders in spoilt(turn):
            proposed = small_changes(turn.game, turn.seat, orders, turn.rules.in_language(language))

            assert any(turn.means(each) for each in proposed), orders
            assert all(is_legal(turn, each) for each in proposed)


@every_ruleset
def test_nothing_is_proposed_for_orders_that_are_far_off(name: str) -> None:
    turn = turns(name)[0]

    assert small_changes(turn.game, turn.seat, "xyzzy", turn.rules.in_language("en")) == []
    assert small_changes(turn.game, 1 - turn.seat, turn.orders, turn.rules.in_language("en")) == []


def slip(desk: Desk, language: str) -> str:
    """Orders of whoever is to play with one small thing wrong; empty if these have nothing to spoil."""
    game = desk.game()
    turn = Turn(game.rules, game.state, game.deciders[0], desk.good_orders())
    found = spoilt(turn)
    rules: Any = game.rules
    return rules.notate(rules.parse(found[0]), rules.in_language(language)) if found else ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["portobello", "alturien"])
def test_a_refusal_proposes_a_line_that_is_played_when_it_is_sent_back(desk: Desk, name: str, language: str) -> None:
    desk.table(desk.person("Ann", language), desk.person("Ben", language), rules=name)
    while not (orders := slip(desk, language)):
        desk.by_rest(desk.to_play(), desk.good_orders())
        desk.work()
    player, version = desk.to_play(), desk.game().version
    proposed = small_changes(desk.game(), desk.game().deciders[0], orders, desk.game().rules.in_language(language))

    desk.answer(player, orders)

    letter = desk.newest(player)
    assert desk.game().version == version
    assert all(" ".join(each.split()) in " ".join(text.split()) for each in proposed for text in (letter.text, unescape(letter.html)))
    desk.answer(player, proposed[0], letter)
    assert desk.game().version > version


@pytest.mark.usefixtures("_from_outside")
@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unreadable_mail_is_shown_with_the_unreadable_part_marked(desk: Desk, name: str, language: str) -> None:
    desk.table(desk.person("Ann", language), desk.person("Ben", language), rules=name)
    player, version = desk.to_play(), desk.game().version
    orders = desk.good_orders(language)

    assert desk.answer(player, f"{orders}\n{orders}; xyzzy 99\n") == "strange"

    letter = desk.newest(player)
    assert desk.game().version == version
    assert f"{BEGIN}xyzzy 99{END}" in plain(" ".join(letter.text.split()))
    assert "<strong>&gt;&gt;xyzzy 99&lt;&lt;</strong>" in " ".join(letter.html.split())


def test_a_long_mail_is_not_sent_back_as_a_whole() -> None:
    lines = [*(f"line {number}" for number in range(100)), "what is this", *("more" for _ in range(100))]

    assert marked(None, lines, ["what is this"]) == [f"{BEGIN}what is this{END}"]
    assert len(marked(None, lines, lines)) == MOST_LINES
