"""Moving the Bobby: who is paid, and which way it goes."""

import pytest

from marketpost.rules.portobello.events import BobbyMoved
from marketpost.rules.portobello.state import State
from tests.rules.portobello.positions import after, gains, judged, position, scores, then, to_move, why


def route(state: State, orders: str) -> tuple[int, ...]:
    """The way the Bobby goes."""
    (moved,) = (event for event in judged(state, orders).events if isinstance(event, BobbyMoved))
    return moved.route


@pytest.mark.parametrize("co_majority", ["pay", "free"])
@pytest.mark.parametrize(
    ("lane", "pay", "free"),
    [
        ("r...", {}, {}),
        ("ryr.", {}, {}),
        ("....", {"red": -1}, {"red": -1}),
        ("ry..", {"red": -1}, {}),
        ("ryg.", {"red": -1}, {}),
        ("y...", {"red": -1, "yellow": 1}, {"red": -1, "yellow": 1}),
        ("ryy.", {"red": -1, "yellow": 1}, {"red": -1, "yellow": 1}),
        ("yg..", {"red": -2, "yellow": 1, "green": 1}, {"red": -2, "yellow": 1, "green": 1}),
        ("ygb.", {"red": -3, "yellow": 1, "green": 1, "blue": 1}, {"red": -3, "yellow": 1, "green": 1, "blue": 1}),
    ],
)
def test_crossing_a_lane_is_paid_to_those_who_lead_in_it(lane: str, pay: dict[str, int], free: dict[str, int], co_majority: str) -> None:
    state = position(f"BF {lane}", bobby=3, co_majority=co_majority)

    assert gains(state, then(state, "3: bobby 3-4")) == (pay if co_majority == "pay" else free)


def test_every_lane_of_a_route_is_paid() -> None:
    state = position("BF y..., FG y.", bobby=3)

    assert gains(state, then(state, "3: bobby 4-10-9")) == {"red": -3, "yellow": 2}


def test_a_lane_is_judged_by_the_stalls_that_stand_in_it_at_that_moment() -> None:
    state = after("bobby 3")

    assert gains(state, then(state, "2: stall B-F; bobby 4")) == {}
    assert gains(state, then(state, "2: bobby 4; stall B-F; bobby 3")) == {"red": -1}


def test_the_bobby_moves_before_between_and_after_actions() -> None:
    state = after("bobby 3", "2: bobby 4; stall B-G; bobby 5; stall C-G; bobby 6; bobby 12")

    assert (state.bobby, to_move(state)) == (12, "yellow")


def test_r1_the_last_points_may_be_paid_but_no_more() -> None:
    state = position(bobby=3, scores={"red": 2})

    assert scores(then(state, "2: bobby 4-5"))["red"] == 0
    assert why(state, "2: bobby 4-5-6") == ("cannot-pay", 2)


def test_r1_a_cheapest_way_that_is_too_dear_is_refused() -> None:
    state = position(bobby=3, scores={"red": 1})

    assert why(state, "2: bobby 5") == ("cannot-pay", 2)


def test_r1_points_won_in_the_turn_can_be_spent_in_it() -> None:
    state = position("EF r.", "E clerk, F clerk", bobby=9, scores={"red": 0})

    assert scores(then(state, "3: stall EF; bobby 10"))["red"] == 4


@pytest.mark.parametrize(
    ("written", "way"),
    [("3-4", (3, 4)), ("4", (3, 4)), ("9-10", (3, 9, 10)), ("3-9-10", (3, 9, 10)), ("4-10-9", (3, 4, 10, 9))],
)
def test_r2_a_route_may_begin_where_the_bobby_stands_or_with_the_next_district(written: str, way: tuple[int, ...]) -> None:
    assert route(after("bobby 3"), f"3: bobby {written}") == way


@pytest.mark.parametrize("written", ["3", "3-3", "9-4", "3-5", "4-3", "3-4-3", "4-5-4", "4-10-9-3", "3-4-10-9-3"])
def test_r2_a_route_goes_from_neighbour_to_neighbour_and_never_twice_to_one_district(written: str) -> None:
    assert why(after("bobby 3"), f"3: bobby {written}") == ("route-broken", 2)


@pytest.mark.parametrize(
    ("stalls", "bobby", "to", "way"),
    [
        ("BF yg.., FJ r.., FG r.", 3, 4, (3, 9, 10, 4)),
        ("EF r., FJ r.., FG r.", 3, 4, (3, 9, 10, 4)),
        ("BF y...", 3, 10, (3, 9, 10)),
        ("BF y..., EF r., FJ r..", 3, 4, (3, 9, 10, 4)),
        ("EF r., FJ r..", 3, 4, (3, 4)),
        ("EF r., BF r...", 9, 10, (9, 10)),
        ("", 3, 10, (3, 4, 10)),
        ("", 4, 9, (4, 3, 9)),
    ],
    ids=[
        "1 for nobody before 2 for two leaders",
        "free ways first, however long",
        "as dear, but nothing for yellow",
        "as dear and longer, but nothing for yellow",
        "as dear and nothing given: the fewest lanes",
        "the fewest lanes, although the longer way has smaller numbers",
        "smallest numbers",
        "numbers, not texts: 3 before 10",
    ],
)
def test_r2_the_engines_route_is_cheap_then_stingy_then_short_then_small(stalls: str, bobby: int, to: int, way: tuple[int, ...]) -> None:
    state = position(stalls, bobby=bobby)

    assert route(state, f"3: bobby {to}") == way


def test_r2_cheapest_comes_before_giving_least() -> None:
    """3-4 costs 1, to yellow; 3-9-10-4 costs 2, to nobody."""
    state = position("BF y..., FJ r..", bobby=3)

    assert route(state, "3: bobby 4") == (3, 4)


def test_r2_giving_to_two_is_worse_than_giving_to_one_at_the_same_price() -> None:
    """3-4-10 costs 2 for yellow and green; 3-9-10 costs 2, of which yellow gets 1."""
    state = position("BF yg.., FG r., EF y.", bobby=3)

    assert route(state, "3: bobby 10") == (3, 9, 10)


def test_a_mark_needs_no_bobby_and_forbids_to_move_it() -> None:
    state = after("bobby 3")

    assert then(state, "2: mark 12").bobby == 3
    assert why(state, "2: bobby 4; mark 5") == ("mark-is-whole-turn", 3)
    assert why(state, "2: mark 5; bobby 4") == ("mark-is-whole-turn", 3)
