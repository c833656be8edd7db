"""Turns that no example shows, because they throw something away."""

import pytest

from marketpost.mail.outbound.example_orders import example_orders
from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.state import State
from tests.rules.portobello.positions import position


def is_wasteful(state: State, orders: str) -> bool:
    assert RULESET.judge(state, state.active, orders, Nothing()).refusal is None, orders
    return RULESET.wasteful(state, state.active, orders)


class Nothing:
    """Chance that is not asked."""


@pytest.mark.parametrize(
    ("orders", "wasted"),
    [
        ("3: stall B-F; stall BF; stall F-G", False),
        ("3: stall B-F; stall BF; stall F-G; bobby 3", True),
        ("3: bobby 3; stall F-E; stall EF; stall B-F", False),
        ("3: bobby 3; stall B-F; stall BF; stall BF", True),
        ("3: bobby 10; bobby 9; stall F-E; stall EF; stall F-J", True),
        ("4: mark 4", True),
    ],
)
def test_what_is_thrown_away(orders: str, wasted: bool) -> None:
    assert is_wasteful(position(bobby=4, players=2), orders) == wasted


def test_a_mark_that_brings_points_is_no_waste() -> None:
    state = position("BF rr..", bobby=4, players=2)

    assert not is_wasteful(state, "4: mark 4")
    assert is_wasteful(state, "4: mark 12")


def test_an_early_end_is_a_waste_while_the_bobby_could_go_where_there_is_room() -> None:
    state = position(bobby=4, players=2)
    for lane in state.board.districts[4]:
        state.lanes[lane] = (1,) * len(state.lanes[lane])
    state.bag = dict.fromkeys(state.bag, 0)

    assert is_wasteful(state, "3: end")
    assert not any("end" in orders for orders in example_orders(RULESET, state, state.active, RULESET.in_language("en")))
