"""The end of the game."""

from tests.rules.portobello.positions import ALL_GUESTS, position, stuck, then, to_move, why


def test_the_round_is_finished_after_somebodys_last_stall() -> None:
    state = position("", ALL_GUESTS, players=2, supply={"red": 1})

    last = then(state, "2: stall B-F")
    assert (last.over, to_move(last)) == (False, "yellow")

    assert then(last, "2: stall BF; stall BF").over


def test_the_last_seats_last_stall_ends_the_game_with_its_turn() -> None:
    state = position("", ALL_GUESTS, players=2, to_move="yellow", supply={"yellow": 1})

    over = then(state, "2: stall B-F; bobby 3")

    assert over.over
    assert why(over, "2: stall B-F", by="red") == ("game-over", 1)


def test_the_last_seat_still_owes_actions_in_the_last_turn() -> None:
    state = position(players=2, to_move="yellow", supply={"yellow": 1})

    assert not then(state, "2: stall B-F").over


def test_most_points_win() -> None:
    state = position("", ALL_GUESTS, players=3, to_move="green", supply={"green": 1}, scores={"yellow": 11})

    assert then(state, "2: stall B-F").winners == (1,)


def test_equal_points_share_the_win() -> None:
    state = position("", ALL_GUESTS, players=3, to_move="green", supply={"green": 1}, scores={"yellow": 9})

    assert then(state, "2: stall B-F").winners == (0, 2)


def test_the_last_points_are_counted_before_the_winner_is_known() -> None:
    """Yellow marks last, for 2 × 2, and overtakes."""
    state = position("BF yy..", ALL_GUESTS, players=2, to_move="yellow", supply={"red": 0}, scores={"red": 13})

    assert then(state, "2: mark 4").winners == (1,)


def test_r5_a_round_in_which_nobody_did_anything_ends_the_game() -> None:
    state = then(stuck(), "2: bobby 3; bobby 4; end", "2: end", "2: end")
    assert not state.over

    assert then(state, "2: end").over


def test_r5_one_action_or_mark_in_the_round_keeps_the_game_going() -> None:
    fresh = stuck()

    acted = then(fresh, "2: end", "4: bobby 3; stall B-E; bobby 4; end", "2: end", "2: end")
    marked = then(fresh, "2: end", "4: mark 4", "2: end", "2: end")

    assert (acted.over, to_move(acted), marked.over) == (False, "red", False)


def test_r5_the_round_counts_from_seat_1() -> None:
    """Blue acts last in one round, then nobody in the next."""
    fresh = stuck()
    first = then(fresh, "2: end", "2: end", "2: end", "4: mark 4")
    second = then(first, "3: end", "3: end", "3: end")
    assert not second.over

    assert then(second, "3: end").over
