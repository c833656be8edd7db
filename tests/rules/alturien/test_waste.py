"""Turns that no example shows, because they throw something away."""

import pytest

from marketpost.mail.outbound.example_orders import example_orders
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import State
from tests.rules.alturien.positions import judged, position

INVESTING = ("buy", "develop", "prestige")


def is_wasteful(state: State, orders: str) -> bool:
    assert judged(state, orders, "1 1 1").refusal is None
    return RULESET.wasteful(state, state.decider, orders)


@pytest.mark.parametrize(("orders", "money", "wasted"), [("pass", 0, False), ("pass", 6, True), ("buy e2", 6, False)])
def test_a_pass_wastes_what_could_be_bought(orders: str, money: int, wasted: bool) -> None:
    assert is_wasteful(position(money=(money, 6)), orders) == wasted


def test_in_the_last_round_a_pass_wastes_nothing() -> None:
    state = position(money=(6, 6))
    state.last_round = True

    assert not is_wasteful(state, "pass")


@pytest.mark.parametrize("roll", ["1", "2", "4", "1-3"])
def test_one_example_invests_wherever_somebody_can(roll: str) -> None:
    examples = example_orders(RULESET, position(roll=roll, money=(6, 6)), 0, RULESET.in_language("en"))

    assert any(word in orders for orders in examples for word in INVESTING), examples
