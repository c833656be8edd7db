"""Owed actions, and how a turn closes."""

from tests.rules.portobello.positions import ALL_GUESTS, FOUR_IS_FULL, TEN_GUESTS, after, position, stuck, then, tiles, to_move, why


def test_r3_a_turn_may_end_early_when_nothing_can_be_done_where_the_bobby_stands() -> None:
    state = then(stuck(), "3: end")

    assert (to_move(state), tiles(state, "red")) == ("yellow", "2 (3) 4")


def test_r3_the_bobby_may_be_moved_to_where_nothing_can_be_done() -> None:
    state = stuck(bobby=3)
    assert why(state, "3: end") == ("actions-owed", 2)

    assert to_move(then(state, "3: bobby 4; end")) == "yellow"


def test_r3_some_actions_may_be_taken_before_the_early_end() -> None:
    state = stuck(bobby=3)

    assert to_move(then(state, "4: stall B-E; bobby 4; end")) == "yellow"


def test_r3_a_player_without_stalls_may_end_beside_empty_lanes() -> None:
    state = position("", ALL_GUESTS, supply={"red": 0})

    assert to_move(then(state, "3: end")) == "yellow"


def test_r3_a_customer_in_the_bag_is_owed() -> None:
    assert why(position(FOUR_IS_FULL), "3: end") == ("actions-owed", 2)


def test_r3_a_lord_to_be_placed_is_owed() -> None:
    assert why(position(FOUR_IS_FULL, TEN_GUESTS, edition="fr"), "3: end") == ("actions-owed", 2)


def test_r3_a_possible_mark_is_not_owed() -> None:
    assert to_move(then(stuck(), "4: end")) == "yellow"


def test_r3_nothing_follows_an_end() -> None:
    assert why(stuck(), "3: end; bobby 3") == ("no-actions-left", 3)
    assert why(stuck(), "3: end; end") == ("no-actions-left", 3)


def test_r3_an_end_needs_a_chosen_tile() -> None:
    assert why(stuck(), "end") == ("choose-tile-first", 1)


def test_a_turn_may_come_in_parts() -> None:
    state = after("bobby 2", "3:", "stall A-B", "bobby 3", "stall B-F")
    assert (to_move(state), state.used) == ("red", 2)

    assert to_move(then(state, "stall BF")) == "yellow"


def test_r4_the_turn_closes_with_the_submission_that_used_up_its_actions() -> None:
    state = after("bobby 2", "2: stall A-B; stall AB")

    assert why(state, "bobby 3", by="red") == ("not-your-turn", 1)


def test_r4_only_bobby_moves_and_an_end_may_follow_the_last_action() -> None:
    state = after("bobby 2")
    spent = "2: stall A-B; stall AB"

    assert then(state, f"{spent}; bobby 3; end").bobby == 3
    assert to_move(then(state, f"{spent}; end")) == "yellow"
    for step in ("stall AB", "customer C", "customer", "place C", "lord", "3:", "mark 1"):
        assert why(state, f"{spent}; {step}")[1] == 4


def test_r4_an_end_behind_a_mark_means_nothing() -> None:
    assert then(after("bobby 2"), "4: mark 3; end") == after("bobby 2", "4: mark 3")


def test_r4_a_drawn_customer_counts_when_it_is_placed() -> None:
    looked = after("bobby 2", "2: stall A-B; customer=clerk")
    assert (to_move(looked), looked.hand, looked.used) == ("red", "clerk", 1)

    placed = then(looked, "place C; bobby 3")
    assert (to_move(placed), placed.squares["C"], placed.bobby) == ("yellow", "clerk", 3)


def test_r4_a_turn_closes_by_itself_when_nothing_at_all_is_left() -> None:
    state = position("", ALL_GUESTS, supply={"red": 1})

    closed = then(state, "4: stall B-F; bobby 3")

    assert (to_move(closed), closed.bobby, tiles(closed, "red")) == ("yellow", 3, "2 3 (4)")


def test_r4_a_lord_still_to_be_placed_keeps_the_turn_open() -> None:
    state = position("", TEN_GUESTS, supply={"red": 1}, edition="fr")

    waiting = then(state, "4: stall B-F")
    assert to_move(waiting) == "red"
    assert to_move(then(waiting, "lord")) == "yellow"


def test_r6_after_the_last_stall_a_player_goes_on_with_customers() -> None:
    state = position(supply={"red": 1})

    waiting = then(state, "2: stall B-F")

    assert to_move(waiting) == "red"
    assert why(waiting, "end") == ("actions-owed", 1)
    assert why(waiting, "stall BF") == ("no-stalls-left", 1)
    assert to_move(then(waiting, "customer A=clerk")) == "yellow"
