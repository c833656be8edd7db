"""Tiles, and the stalls that they give."""

import pytest

from marketpost.rules.portobello.state import State
from tests.rules.portobello.positions import after, stalls_on, then, tiles, to_move, why


def test_a_used_tile_lies_face_down_when_the_turn_closes() -> None:
    begun = after("bobby 2", "2: stall A-B")
    assert tiles(begun, "red") == "2 3 4"

    assert tiles(then(begun, "stall AB"), "red") == "(2) 3 4"


def test_after_the_third_tile_all_are_open_again() -> None:
    yellow = "4: mark 1", "2: mark 2"
    state = after("bobby 2", "2: stall A-B; stall A-B", yellow[0], "3: stall A-E; stall AE; stall B-E", yellow[1])
    assert tiles(state, "red") == "(2) (3) 4"

    assert tiles(then(state, "4: stall BE; stall BE; stall BE; stall AB"), "red") == "2 3 4"


def test_a_face_down_tile_cannot_be_chosen() -> None:
    state = after("bobby 2", "2: stall A-B; stall AB", "4: mark 1")

    assert why(state, "2: stall AB") == ("tile-not-open", 1)


def test_a_marking_tile_stays_in_the_district_and_an_open_neutral_one_comes() -> None:
    state = after("bobby 2", "4: mark 5")

    assert tiles(state, "red") == "2 3 n3"
    assert state.neutral == [3, 2, 2, 1, 1, 1, 1]
    assert state.marks == {5: (0, 4)}
    assert to_move(state) == "yellow"


def test_in_the_summary_edition_the_neutral_tile_comes_face_down() -> None:
    assert tiles(after("bobby 2", "4: mark 5", edition="2.0"), "red") == "2 3 (n3)"


def test_a_neutral_tile_that_comes_face_down_to_no_open_tile_opens_them_all() -> None:
    state = after(
        "bobby 2",
        "2: stall A-B; stall AB",
        "4: mark 1",
        "3: stall A-E; stall AE; stall AE",
        "2: mark 2",
        "4: mark 3",
        edition="2.0",
    )

    assert tiles(state, "red") == "2 3 n2"


def with_two_open_2s() -> State:
    """Red has an own and a neutral 2, both open."""
    return after(
        "bobby 2", "3: stall A-B; stall AB; stall AB", "4: mark 1", "4: mark 2", "4: mark 3", *["2: mark 4", "2: mark 5"], players=3
    )


def test_of_two_tiles_of_a_number_the_neutral_one_is_used_for_actions() -> None:
    state = with_two_open_2s()
    assert tiles(state, "red") == "2 (3) n2"

    assert tiles(then(state, "2: stall AB; stall A-E"), "red") == "2 (3) (n2)"


def test_of_two_tiles_of_a_number_the_own_one_marks() -> None:
    state = with_two_open_2s()

    marked = then(state, "2: mark 6")

    assert tiles(marked, "red") == "n1 (3) n2"
    assert marked.marks[6] == (0, 2)


def test_the_own_tile_acts_when_the_neutral_one_of_its_number_lies_face_down() -> None:
    state = then(with_two_open_2s(), "2: stall AB; stall A-E", "3: stall AE; stall AE; stall B-E", "3: stall BE; stall BE; stall BE")

    assert tiles(then(state, "2: customer A=clerk; customer B=clerk"), "red") == "2 3 n2"


def test_a_neutral_tile_gives_actions() -> None:
    state = after("bobby 2", "4: mark 5", "4: mark 6", "3: stall A-B; stall AB; stall AB")

    assert tiles(state, "red") == "2 3 (n3)"


def test_a_neutral_tile_cannot_mark() -> None:
    state = then(with_two_open_2s(), "2: mark 6", "3: stall A-E; stall AE; stall AE", "3: stall B-E; stall BE; stall BE")

    assert why(state, "2: mark 7") == ("tile-cannot-mark", 2)


def test_the_own_3_cannot_mark() -> None:
    assert why(after("bobby 2"), "3: mark 5") == ("tile-cannot-mark", 2)


@pytest.mark.parametrize(("orders", "lane"), [("stall A-B", "r..."), ("stall B-A", "...r")])
def test_an_empty_lane_is_begun_at_either_end(orders: str, lane: str) -> None:
    assert stalls_on(after("bobby 2", f"2: {orders}"), "AB") == lane


@pytest.mark.parametrize("orders", ["stall AB", "stall A-B", "stall B-A", "stall BA"])
@pytest.mark.parametrize(("begun", "lane"), [("A-B", "rr.."), ("B-A", "..rr")])
def test_a_begun_lane_grows_beside_the_last_stall_whatever_direction_is_named(orders: str, begun: str, lane: str) -> None:
    assert stalls_on(after("bobby 2", f"3: stall {begun}; {orders}"), "AB") == lane


def test_two_players_build_one_row() -> None:
    state = after("bobby 2", "2: stall B-A; stall AB", "2: stall AB; stall AB")

    assert stalls_on(state, "AB") == "yyrr"


@pytest.mark.parametrize("lane", ["B-F", "B-G", "F-G"])
def test_stalls_go_into_the_three_lanes_around_the_bobby(lane: str) -> None:
    assert stalls_on(after("bobby 4", f"2: stall {lane}"), lane.replace("-", "")).startswith("r")
