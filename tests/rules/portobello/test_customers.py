"""Customers and the lord."""

import pytest

from tests.rules.portobello.positions import QUEUE, TEN_GUESTS, after, position, stalls_on, then, to_move, why


def test_a_customer_goes_to_the_square_of_its_kind() -> None:
    state = after("bobby 2")

    assert then(state, "2: customer clerk C citizen D=clerk").squares["C"] == "clerk"
    assert then(state, "2: customer clerk C citizen D=citizen").squares["D"] == "citizen"


@pytest.mark.parametrize(("drawn", "lane"), [("clerk", "AB"), ("citizen", "AE")])
def test_a_branch_is_played_for_the_kind_that_came(drawn: str, lane: str) -> None:
    state = after("bobby 2", f"2: customer={drawn}\nif clerk: place C; stall A-B\nif citizen: place D; stall A-E")

    assert stalls_on(state, lane).startswith("r")
    assert state.squares == dict.fromkeys("ABCDEFGHIJK") | {"C" if drawn == "clerk" else "D": drawn}
    assert to_move(state) == "yellow"


def test_without_a_branch_for_the_kind_that_came_the_turn_waits() -> None:
    state = after("bobby 2", "2: customer=clerk; if citizen: place D; stall A-E")

    assert (state.hand, to_move(state), state.used) == ("clerk", "red", 0)


def test_customers_need_no_bobby() -> None:
    assert after("bobby 1", "2: customer K=clerk").squares["K"] == "clerk"


def test_the_automatic_lord_comes_with_the_tenth_customer_and_costs_nothing() -> None:
    state = position("", TEN_GUESTS.replace(", J citizen", ""), edition="de")

    placed = then(state, "2: customer J=citizen")

    assert (placed.squares["K"], placed.used, to_move(placed)) == ("lord", 1, "red")


@pytest.mark.parametrize("edition", ["fr", "it", "2.0"])
def test_elsewhere_the_lord_is_an_action_of_any_player(edition: str) -> None:
    state = position("", TEN_GUESTS.replace(", J citizen", ""), edition=edition)

    placed = then(state, "2: customer J=citizen; stall B-F")
    assert placed.squares["K"] is None

    crowned = then(placed, "2: lord")
    assert (crowned.squares["K"], crowned.used, to_move(crowned)) == ("lord", 1, "yellow")


def test_a_queue_is_taken_from_its_front_and_asks_no_chance() -> None:
    state = after("bobby 2", "2: customer A; customer clerk B citizen C", queue=QUEUE)

    assert [state.squares[square] for square in "ABC"] == ["citizen", "clerk", None]
    assert state.queue == QUEUE.split()[2:]


def test_a_customer_looked_at_in_a_queue_is_its_front_one() -> None:
    assert after("bobby 2", "2: customer", queue=QUEUE).hand == "citizen"


@pytest.mark.parametrize(("lord", "guest"), [("automatic", "lord"), ("action", None)])
def test_in_a_queue_the_lord_still_comes_as_the_option_says(lord: str, guest: str | None) -> None:
    state = position("", TEN_GUESTS.replace(", J citizen", ""), queue=QUEUE, lord=lord)

    placed = then(state, "2: customer J")

    assert placed.squares["K"] == guest
    assert why(placed, "customer K") == ("bag-empty", 1)
