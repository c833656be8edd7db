"""Boards typed in by hand may have a site in the middle, where the thief enters."""

from typing import Any

import pytest

from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.board import defects, load_board
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Setting
from marketpost.rules.words import LANGUAGES
from tests.games import play_to_the_end
from tests.rules.alturien.positions import GREEN, LOOPS, YELLOW, judged, position, refused, then
from tests.rules.alturien.test_movement import RING
from tests.rules.test_pictures import assert_legible

CLASSIC: dict[str, Any] = load_board("alturien-classic").document


def with_site(board: dict[str, Any], group: str) -> dict[str, Any]:
    """The same board with a site of this group in the middle."""
    sites = board["sites"] | {group: f"{board['sites'][group]} {board['middle']}"}
    return board | {"name": f"{board['name']}-full", "sites": sites}


STALL, LOOPED, LISTED = with_site(CLASSIC, "wine"), with_site(LOOPS, "fish"), with_site(RING, next(iter(RING["sites"])))
SHOPS = ("b7 c7 d7 g4:2", "g7 h7 j7 k7")
"""Yellow has a shop of two houses in the middle."""


def test_such_a_board_is_sound() -> None:
    assert defects(STALL) == []
    assert defects(LOOPED) == []
    assert defects(LISTED) == []
    assert load_board(STALL).group_of["g4"] == "wine"


def test_on_our_board_nothing_can_stand_in_the_middle() -> None:
    assert refused(position(money=(9,)), "buy g4") == "no-site-there"


def test_a_shop_is_bought_there_for_the_price_of_a_plain_one() -> None:
    state = then(position(board=STALL, money=(9,)), "buy g4")

    assert (state.owners["g4"], state.houses["g4"], state.money[YELLOW]) == (YELLOW, 1, 6)


def test_a_customer_that_ends_in_the_middle_buys_there() -> None:
    figures = "duke d4>e4, marquis i1>j1, marquis i7>j7, count m1>m2, count a7>a6, count m7>m6"

    state = then(position(board=STALL, roll="3", figures=figures, shops=SHOPS, money=(0, 0), active=GREEN), "d4-g4")

    assert state.money[YELLOW] == 3 * 2


def test_the_thief_that_enters_onto_a_shop_robs_nobody() -> None:
    state = then(position(board=STALL, shops=SHOPS, money=(10, 3)), "pass")

    assert state.thief_is_out
    assert (state.money, state.debt) == ([10, 3], None)


def test_the_thief_that_is_moved_onto_a_shop_there_robs_it() -> None:
    state = then(position(board=STALL, roll="3", thief="d4>e4", shops=SHOPS, money=(9, 0), active=GREEN), "d4-g4")

    assert state.money == [9 - 4, 4]


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_sentences_and_picture_show_the_shop_and_that_it_is_the_middle(language: str) -> None:
    words, state = RULESET.in_language(language), position(board=STALL, shops=SHOPS)

    text, svg = RULESET.draw(state, words), RULESET.picture(state, words)

    assert "(wY2)" in text
    assert f"( ) {words.say('board.middle')}" in text
    assert "(w..)" in RULESET.draw(position(board=STALL), words)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert words.say("linear.shop", site="g4", group="wine", count=2) in RULESET.linear(state, words)
    assert f"{words.say('linear.middle', space='g4')} {words.translate('yellow')}: " in svg
    assert_legible(svg)


def test_a_board_that_is_listed_shows_it_too() -> None:
    words = RULESET.in_language("en")
    state, _ = play_to_the_end(RULESET, Setting(RULESET.colours[:3], LISTED), 5)

    assert f"({LISTED['middle']} " in RULESET.draw(state, words)
    assert_legible(RULESET.picture(state, words))


@pytest.mark.parametrize(("board", "setup", "players"), [
    (STALL, "auto", 2), (LOOPED, "manual", 3), (LISTED, "auto", 4), (STALL, "manual", 5), (LOOPED, "auto", 6), (LISTED, "manual", 2),
], ids=lambda each: each.get("name", "options") if isinstance(each, dict) else str(each))  # fmt: skip
def test_whole_games_are_played_and_recorded_on_it(board: dict[str, Any], setup: str, players: int) -> None:
    options = {"setup": setup, "expansion": "on"}
    state, played = play_to_the_end(RULESET, Setting(RULESET.colours[:players], board, None, options), players, ["greedy"] * players)

    done = replay(records.read(records.write(RULESET, played), lambda _: board))

    assert done.state == state


def test_somebody_owns_the_middle_in_some_game() -> None:
    owned = 0
    for seed in range(6):
        _, played = play_to_the_end(RULESET, Setting(RULESET.colours[:6], STALL), seed)
        owned += "g4" in RULESET.fold([event for each in played for event in each.events]).owners

    assert owned


def test_legal_offers_the_middle() -> None:
    assert "buy g4" in RULESET.legal(position(board=STALL, money=(9,)), YELLOW)
    assert judged(position(board=STALL, money=(9,)), "buy g4").refusal is None
