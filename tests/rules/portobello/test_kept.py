"""What is refused changes nothing, but what chance has shown stays."""

import pytest

from tests.rules.portobello.positions import (
    QUEUE,
    TEN_GUESTS,
    after,
    applied,
    fresh,
    gains,
    holding,
    judged,
    position,
    refused,
    stalls_on,
    then,
    to_move,
    why,
)


def test_the_steps_before_a_refused_one_are_not_played() -> None:
    """`refused` checks that no event came out of it."""
    assert refused(fresh(), "3: stall B-F; bobby 5; stall B-F; stall XY").code == "bobby-elsewhere"
    assert refused(fresh(), "3: stall B-F; bobby 5; stall XY").step == 4


def test_nobody_can_test_the_bag_with_a_square_that_is_taken() -> None:
    """Nothing is drawn, for `why` has no customer to give."""
    state = position("", "A clerk")

    assert why(state, "3: customer clerk A citizen B")[0] == "square-taken"
    assert why(state, "3: customer clerk B citizen A")[0] == "square-taken"


def test_nothing_is_drawn_for_orders_that_cannot_all_be_read() -> None:
    assert why(fresh(), "3: customer A; customer B; wait") == ("unreadable-order", 4)


def test_a_place_of_an_earlier_draw_does_not_stand_before_a_refused_step() -> None:
    assert why(holding(), "place A; stall XY")[1] == 2


def test_a_draw_before_a_refused_step_stands_with_all_before_it() -> None:
    state = fresh()

    verdict = judged(state, "4: stall B-F; bobby 5; customer C=clerk; stall B-C; stall XY")
    kept = applied(state, verdict)

    assert verdict.refusal is not None
    assert (verdict.refusal.code, verdict.refusal.step) == ("unknown-lane", 6)
    assert (kept.squares["C"], stalls_on(kept, "BF"), kept.bobby, stalls_on(kept, "BC")) == ("clerk", "r...", 5, ".....")
    assert (to_move(kept), kept.used) == ("red", 2)
    assert verdict.dropped == ("stall B-C", "stall XY")


def test_what_stands_is_what_would_have_been_played_without_the_rest() -> None:
    state = fresh()

    kept = applied(state, judged(state, "4: customer C=clerk; stall B-F; customer D=citizen; stall BF; stall BF"))

    assert kept == then(state, "4: customer C=clerk; stall B-F; customer D=citizen")


def test_what_a_standing_customer_scores_stands_too() -> None:
    state = position("EF rr", "E clerk")

    assert gains(state, applied(state, judged(state, "3: customer F=clerk; stall XY"))) == {"red": 5}


def test_a_customer_looked_at_stays_in_the_hand() -> None:
    state = fresh()

    verdict = judged(state, "3: customer=citizen; stall B-F")
    kept = applied(state, verdict)

    assert verdict.refusal is not None
    assert (verdict.refusal.code, verdict.refusal.step) == ("place-first", 3)
    assert (kept.hand, kept.chosen, kept.used) == ("citizen", 3, 0)
    assert verdict.dropped == ("stall B-F",)


def test_a_legal_place_right_behind_the_look_stands() -> None:
    state = fresh()

    verdict = judged(state, "3: customer=citizen; place C; stall B-F; stall XY")
    kept = applied(state, verdict)

    assert (kept.hand, kept.squares["C"], kept.used, stalls_on(kept, "BF")) == (None, "citizen", 1, "....")
    assert verdict.dropped == ("stall B-F", "stall XY")


@pytest.mark.parametrize(("square", "code"), [("A", "square-taken"), ("Z", "unknown-square")])
def test_an_illegal_place_behind_the_look_leaves_the_customer_in_the_hand(square: str, code: str) -> None:
    state = position("", "A clerk")

    verdict = judged(state, f"3: customer=citizen; place {square}; stall B-F")
    kept = applied(state, verdict)

    assert verdict.refusal is not None
    assert (verdict.refusal.code, verdict.refusal.step, kept.hand) == (code, 3, "citizen")
    assert verdict.dropped == (f"place {square}", "stall B-F")


@pytest.mark.parametrize(("drawn", "square"), [("clerk", "A"), ("citizen", "B")])
def test_the_steps_of_a_branch_are_numbered_on_from_the_look(drawn: str, square: str) -> None:
    state = fresh()

    verdict = judged(state, f"3: customer={drawn}\nif clerk: place A; stall XY\nif citizen: place B; stall XY; stall B-F")
    kept = applied(state, verdict)

    assert verdict.refusal is not None
    assert (verdict.refusal.code, verdict.refusal.step) == ("unknown-lane", 4)
    assert kept.squares[square] == drawn
    assert verdict.dropped == (("stall XY",) if drawn == "clerk" else ("stall XY", "stall B-F"))


def test_a_branch_that_begins_with_no_place_leaves_the_customer_in_the_hand() -> None:
    state = fresh()

    verdict = judged(state, "3: customer=clerk; if clerk: stall B-F; place A")

    assert applied(state, verdict).hand == "clerk"
    assert verdict.dropped == ("stall B-F", "place A")


def test_the_last_of_several_draws_decides_what_stands() -> None:
    state = fresh()

    kept = applied(state, judged(state, "4: customer A=clerk; stall B-F; customer=clerk; place A"))

    assert (kept.squares["A"], stalls_on(kept, "BF"), kept.hand) == ("clerk", "r...", "clerk")


def test_if_what_stands_has_used_up_the_actions_the_turn_closes() -> None:
    state = fresh()

    verdict = judged(state, "2: stall B-F; customer C=clerk; stall BF")

    assert verdict.refusal is not None
    assert verdict.refusal.code == "no-actions-left"
    assert to_move(applied(state, verdict)) == "yellow"
    assert verdict.dropped == ("stall BF",)


def test_a_dropped_bobby_move_is_told_when_the_turn_closes_without_it() -> None:
    state = fresh()

    verdict = judged(state, "2: stall B-F; customer C=clerk; bobby 5; bobby 12-1")
    kept = applied(state, verdict)

    assert (to_move(kept), kept.bobby) == ("yellow", 4)
    assert verdict.dropped == ("bobby 5", "bobby 12-1")


def test_a_standing_draw_can_end_the_game() -> None:
    guests = TEN_GUESTS.replace(", J citizen", "")
    state = position("", guests, players=2, to_move="yellow", supply={"red": 0})

    kept = applied(state, judged(state, "2: stall B-F; customer J=citizen; stall BF"))

    assert kept.over
    assert kept.squares["K"] == "lord"


@pytest.mark.parametrize("orders", ["3: customer C; stall XY", "3: customer; place C; stall XY", "3: customer; stall B-F"])
def test_a_queue_shows_nothing_by_chance_so_nothing_stands(orders: str) -> None:
    """`refused` checks that nothing happened."""
    assert refused(after("bobby 4", queue=QUEUE), orders)
