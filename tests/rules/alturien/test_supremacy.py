"""Who holds the card of a product group."""

import pytest

from marketpost.rules.alturien.state import NOBODY
from marketpost.rules.alturien.supremacy import holder
from tests.rules.alturien.positions import GREEN, YELLOW, position, then


def test_the_worked_example() -> None:
    assert holder([2, 2], NOBODY) == NOBODY
    assert holder([3, 2], NOBODY) == YELLOW
    assert holder([3, 3], YELLOW) == YELLOW
    assert holder([3, 4], YELLOW) == GREEN


@pytest.mark.parametrize(
    ("houses", "before", "after"),
    [
        ([1, 0, 0], NOBODY, NOBODY),  # one house is not enough
        ([2, 1, 0], NOBODY, 0),
        ([2, 3, 3], 0, NOBODY),  # ruling A4: several others tie ahead
        ([2, 4, 3], 0, 1),
        ([1, 2, 0], 0, 1),  # too few, given anew
        ([1, 2, 2], 0, NOBODY),
        ([1, 1, 1], 0, NOBODY),
        ([2, 2, 2], 2, 2),
    ],
)
def test_who_holds_the_card(houses: list[int], before: int, after: int) -> None:
    assert holder(houses, before) == after


def test_it_is_looked_at_after_an_investment() -> None:
    state = position(shops=("b1 d7 f7 a5", "g7 h7 j7 k4"), money=(6, 6))

    assert "cloth" not in state.supremacy
    assert then(state, "develop b1").supremacy["cloth"] == YELLOW


def test_a_moved_house_counts_in_both_groups() -> None:
    state = position(shops=("b1:2 l1 m2 d7 f7", "g7 h7 j7 k1"), money=(6, 6))
    assert state.supremacy["cloth"] == YELLOW

    after = then(state, "move-house b1 l1")

    assert "cloth" not in after.supremacy
    assert after.supremacy["pottery"] == YELLOW
