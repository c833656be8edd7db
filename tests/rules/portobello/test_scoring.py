"""What lanes, districts and the lord are worth."""

import pytest

from tests.rules.portobello.positions import ALL_GUESTS, TEN_GUESTS, gains, position, scores, then


def test_a_full_lane_between_a_clerk_and_a_citizen_counts_double() -> None:
    """Worked example 1; the lane's values are 2 3 1 1 3 2."""
    state = position("BG rrrgg.", "B clerk, G citizen", to_move="blue")

    assert gains(state, then(state, "2: stall BG")) == {"red": 12, "green": 8, "blue": 4}


def test_four_stalls_around_a_district_marked_with_the_4_are_worth_16() -> None:
    """Worked example 2."""
    state = position("BF r..., BG yrr..., FG r.")

    assert gains(state, then(state, "4: mark 4")) == {"red": 16}


def test_the_lord_scores_its_unfinished_lanes_at_the_end_and_no_scored_lane_again() -> None:
    """Worked example 3: lane b is EI, lane c is DI, and IJ has been scored before."""
    guests = "A clerk, B citizen, C clerk, D citizen, E clerk, F citizen, G clerk, H citizen, J citizen, K clerk, I lord"
    state = position("EI ryy., DI .ygg, IJ rryy", guests, players=3, to_move="green", supply={"green": 1})

    after = then(state, "2: stall B-G")

    assert after.over
    assert gains(state, after) == {"red": 9, "yellow": 9 + 4, "green": 16}


@pytest.mark.parametrize(
    ("lane", "change"),
    [
        ("rry.", {}),
        ("....", {"red": -1}),
        ("ry..", {"red": -1}),
        ("yyr.", {"red": -1, "yellow": 1}),
        ("gb..", {"red": -2, "green": 1, "blue": 1}),
    ],
    ids=["red alone ahead", "empty", "red tied", "yellow ahead", "green and blue tied ahead"],
)
def test_the_bobby_pays_whoever_is_ahead_in_the_lane(lane: str, change: dict[str, int]) -> None:
    """Worked example 4; lane BF lies between districts 3 and 4."""
    state = position(f"BF {lane}", bobby=3)

    assert gains(state, then(state, "3: bobby 3-4")) == change


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [
        ("clerk", "clerk", 1),
        ("clerk", "citizen", 2),
        ("citizen", "clerk", 2),
        ("citizen", "citizen", 3),
        ("lord", "clerk", 3),
        ("clerk", "lord", 3),
        ("lord", "citizen", 4),
        ("citizen", "lord", 4),
    ],
)
def test_the_customers_at_both_ends_multiply_a_lane(one: str, other: str, times: int) -> None:
    """Lane EF has a 2 and a 3."""
    state = position("EF y.", f"E {one}, F {other}", bobby=9)

    assert gains(state, then(state, "2: stall EF")) == {"yellow": 2 * times, "red": 3 * times}


def test_whoever_is_ahead_in_a_lane_wins_nothing_more_by_it() -> None:
    """Lane BF has 3 1 2 1."""
    state = position("BF yrr.", "B clerk, F clerk")

    assert gains(state, then(state, "2: stall BF")) == {"yellow": 3, "red": 1 + 2 + 1}


def test_a_full_lane_waits_for_the_customer_at_its_second_end() -> None:
    state = position("EF r.", "E clerk", bobby=9)

    full = then(state, "3: stall EF")
    assert gains(state, full) == {}
    assert gains(full, then(full, "customer F=citizen")) == {"red": 2 * (2 + 3)}


def test_a_lane_between_two_customers_waits_until_it_is_full() -> None:
    state = position("BF r...", "B clerk, F citizen")

    assert gains(state, then(state, "3: stall BF; stall BF")) == {}


def test_one_customer_can_complete_several_lanes() -> None:
    state = position("EF rr, FG yy, FJ ggg, BF rr..", "E clerk, G citizen, J clerk, B clerk")

    after = then(state, "2: customer F=clerk")

    assert gains(state, after) == {"red": 5, "yellow": 2 * 3, "green": 6}
    assert after.scored == {"EF", "FG", "FJ"}


def test_a_lane_is_scored_only_once() -> None:
    state = position("EF rr", "E clerk")

    scored = then(state, "4: customer F=clerk")

    assert gains(state, scored) == {"red": 5}
    assert gains(scored, then(scored, "customer G=citizen; customer J=citizen")) == {}


def test_every_stall_of_a_scored_lane_belongs_to_its_owner_wherever_the_lane_began() -> None:
    """Lane AB has 1 3 2 1; it was begun at B."""
    state = position("AB .yrr", "A clerk, B clerk", bobby=2)

    assert gains(state, then(state, "2: stall AB")) == {"red": 1 + 2 + 1, "yellow": 3}


def test_the_lord_that_comes_by_itself_completes_lanes_at_once() -> None:
    """The tenth customer goes to J, the lord to K; lane JK has 3 1 2 1 2, GK 1 2 3."""
    state = position("JK rrrrr, GK yyy", TEN_GUESTS.replace(", J citizen", ""))

    assert gains(state, then(state, "2: customer J=citizen")) == {"red": 4 * 9, "yellow": 3 * 6}


def test_the_lord_that_is_placed_completes_lanes_at_once() -> None:
    state = position("JK rrrrr, GK yyy", TEN_GUESTS, edition="fr")

    assert gains(state, then(state, "2: lord")) == {"red": 4 * 9, "yellow": 3 * 6}


def last_turn(stalls: str, guests: str) -> dict[str, int]:
    """What the end of the game brings when blue, the last of four, builds the last stall in lane BC."""
    state = position(stalls, guests, bobby=5, to_move="blue", supply={"blue": 1})
    after = then(state, "4: stall B-C; " + ("end" if "lord" in guests else "customer D=clerk; customer E=clerk; customer H=clerk"))
    assert after.over
    return gains(state, after)


def test_the_lord_scores_only_the_lanes_at_its_own_square() -> None:
    """Lane HK has 2 3 1 and ends at the lord; GH has 2 1 3 and does not."""
    assert last_turn("HK y.., GH r..", ALL_GUESTS) == {"yellow": 4 * 2}


def test_the_lord_scores_nothing_in_an_empty_lane() -> None:
    assert last_turn("", ALL_GUESTS) == {}


def test_unfinished_lanes_count_nothing_if_the_lord_never_came() -> None:
    assert last_turn("HK y..", "G clerk, K clerk") == {}


@pytest.mark.parametrize(("tile", "points"), [(2, 2 * 3), (4, 4 * 3)])
def test_a_mark_counts_only_the_markers_stalls_in_full_and_unfinished_lanes(tile: int, points: int) -> None:
    """District 9 lies between EF, EJ and FJ."""
    state = position("EF ry, EJ y....., FJ rr.", "E clerk", bobby=1)

    assert gains(state, then(state, f"{tile}: mark 9")) == {"red": points}


def test_a_mark_that_scores_nothing_is_legal() -> None:
    state = position()

    after = then(state, "2: mark 12")

    assert scores(after) == scores(state)
    assert after.marks == {12: (0, 2)}
