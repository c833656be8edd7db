"""Debts to whoever moved the thief: what may be sold, for how much, and who waits meanwhile."""

from typing import Any

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.orders import SellHouse
from marketpost.rules.alturien.prices import sale_brings
from marketpost.rules.alturien.state import State
from tests.rules.alturien.positions import (
    EMPTY_STREETS,
    GREEN,
    YELLOW,
    judged,
    opened,
    refused,
    robbing,
    rolled,
    then,
)


def owing(**rest: Any) -> State:
    """Green owes eight, has one and a choice of sales."""
    shops = ("b7 c7 d7 f7", "e2:4 h7:2 j7 k7 m2")
    return then(robbing(shops=shops, money=(6, 1), **rest), "e3-e2")


def test_the_turn_waits_for_the_robbed_player() -> None:
    state = owing()

    assert state.decider == GREEN
    assert refused(state, "pass", seat=YELLOW) == "not-your-turn"
    assert refused(state, "pass") == "not-now"
    assert refused(state, "a7-a6") == "not-now"
    assert set(RULESET.legal(state, GREEN)) == {f"sell house {site}" for site in ("e2", "h7", "j7", "k7", "m2")}


def test_nothing_is_paid_until_all_can_be() -> None:
    state = then(owing(), "sell house m2")

    assert state.money == [6, 3]
    assert state.debt
    assert refused(state, "sell house j7") == "four-shops-at-least"


def test_what_is_over_is_kept_and_the_mover_goes_on() -> None:
    state = then(robbing(prestige=(0, 1), money=(6, 1), houses=3), "e3-e2; ".rstrip("; "))

    after = then(state, "sell prestige")

    assert after.money == [12, 1 + 11 - 6]
    assert after.prestige == [0, 0]
    assert after.roll_due


def test_prices_are_what_things_cost_less_one() -> None:
    shops = ("b7 c7 d7 f7", "e2:9 e7:2 j7 k7 m2")
    state = robbing(shops=shops, money=(0, 0), cards=("", "ship cart"), expansion="on")
    state.stock[GREEN] = 0
    owed = then(state, "e3-e2")

    gained = [then(owed, order).money[GREEN] for order in ("sell ship", "sell cart", "sell house e2", "sell house e7", "sell house m2")]

    assert gained == [6, 4, 1, 2, 2]


def test_a_house_of_the_first_shops_brings_what_any_house_does() -> None:
    """They cost nothing when the table was set, and bring what such a house costs now, less one."""
    state = opened()
    while not state.turn:
        state = then(state, RULESET.legal(state, state.decider)[0])
    shops = state.shops(YELLOW)

    brought = {site in state.board.grey: sale_brings(state, YELLOW, SellHouse(site)) for site in shops}

    assert len(shops) == 4
    assert brought == {False: 3 - 1, True: 5 - 1}


def test_the_only_possible_sale_happens_by_itself_again_and_again() -> None:
    """Ruling A3."""
    after = then(robbing(houses=3, money=(0, 1)), "e3-e2")

    assert after.debt is None
    assert after.houses["e2"] == 1
    assert after.money == [3, 0]


def test_two_prestige_cards_are_one_choice_and_equal_houses_of_two_shops_are_two() -> None:
    """Ruling A3."""
    cards = then(robbing(houses=1, money=(0, 0), prestige=(0, 2)), "e3-e2")
    houses = then(robbing(shops=("b7 c7 d7 f7", "e2:2 h7:2 j7 k7"), money=(0, 0)), "e3-e2")

    assert (cards.debt, cards.prestige) == (None, [0, 1])
    assert houses.debt


def test_supremacy_is_looked_at_after_each_sale_of_a_house() -> None:
    state = robbing(shops=("b7 c7 d7 f7", "e2:2 h7:2 j7 k7"), money=(0, 0))
    assert state.supremacy["cloth"] == GREEN

    assert "cloth" not in then(then(state, "e3-e2"), "sell house e2").supremacy


def test_sold_cards_and_houses_go_back() -> None:
    state = then(robbing(houses=4, money=(0, 0), cards=("", "staff"), expansion="on"), "e3-e2")

    after = then(state, "sell staff")

    assert after.cards_left("staff") == 3
    assert after.stock[GREEN] == state.stock[GREEN] + 3, "then only houses on e2 can be sold, by themselves"
    assert after.money == [7, 0]


def test_who_robs_himself_sells_before_the_second_roll() -> None:
    shops = ("e2:3 b7:2 c7 d7", "f7 h7 j7 k7")
    state = robbing(shops=shops, money=(0, 6), cards=("staff",), expansion="on")
    state.dice = ("1", "1")

    owed = then(state, "e3-e2")
    assert owed.decider == YELLOW
    assert not owed.roll_due
    sold = then(owed, "sell staff; sell house b7")
    assert len(rolled(sold, "4").dice) == 1, "a card sold in between counts no more"


def test_income_comes_after_the_debt() -> None:
    figures = EMPTY_STREETS.replace("count a7>a6", "count a4>a5")
    shops = ("a4 c1 k4 f7", "e2:4 h7:2 j7 k7 m2")
    state = robbing(shops=shops, money=(6, 1), figures=figures, prestige=(0, 1))
    state.moved = 6
    owed = then(state, "e3-e2")
    assert owed.money == [6, 1]

    after = then(owed, "sell prestige")

    assert after.money == [6 + 8 + 1, 1 + 11 - 8]
    assert after.phase == "invest"


def test_orders_of_the_mover_cannot_go_on_while_another_owes() -> None:
    shops = ("b7 c7 d7 f7", "e2:4 h7:2 j7 k7 m2")
    state = robbing(shops=shops, money=(6, 1))

    assert refused(state, "e3-e2; a7-a6") == "not-your-turn"
    assert judged(state, "e3-e2; if 1: a7-a6; pass").dropped == ("if 1: a7-a6", "pass")


@pytest.mark.parametrize(("orders", "code"), [
    ("sell house z9", "unknown-space"),
    ("sell house b7", "not-your-shop"),
    ("sell house g4", "not-your-shop"),
    ("sell prestige", "not-for-sale"),
    ("sell ship", "not-for-sale"),
])  # fmt: skip
def test_what_cannot_be_sold(orders: str, code: str) -> None:
    assert refused(owing(), orders) == code
