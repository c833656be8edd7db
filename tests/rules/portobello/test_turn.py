"""A turn, a round and a game: set-up, tiles, actions, the ways of the Bobby, marks and the end."""

from dataclasses import asdict
from typing import Any

import pytest

from rules.chance import Told
from rules.portobello import RULESET
from rules.portobello.events import BobbyMoved
from rules.portobello.options import choose
from rules.portobello.state import State
from rules.refusal import Refused
from rules.ruleset import Setting
from tests.rules.portobello.positions import (
    ALL_GUESTS,
    FOUR_IS_FULL,
    QUEUE,
    TEN_GUESTS,
    after,
    gains,
    judged,
    opened,
    position,
    scores,
    stalls_on,
    then,
    tiles,
    to_move,
    why,
)


def route(state: State, orders: str) -> tuple[int, ...]:
    """The way the Bobby goes."""
    (moved,) = (event for event in judged(state, orders).events if isinstance(event, BobbyMoved))
    return moved.route


# Set-up


@pytest.mark.parametrize(
    ("players", "colours", "stalls"),
    [(2, ("red", "yellow"), 30), (3, ("red", "yellow", "green"), 20), (4, ("red", "yellow", "green", "blue"), 16)],
)
def test_fewer_players_have_more_stalls(players: int, colours: tuple[str, ...], stalls: int) -> None:
    state = opened(players)

    assert state.colours == colours
    assert state.stalls == [stalls] * players


def test_a_game_begins_with_open_tiles_ten_customers_and_an_empty_board() -> None:
    state = opened(3)

    assert [tiles(state, colour) for colour in state.colours] == ["2 3 4"] * 3
    assert state.neutral == [3, 3, 2, 2, 1, 1, 1, 1]
    assert state.bag == {"clerk": 5, "citizen": 5}
    assert state.free_squares() == list("ABCDEFGHIJK")
    assert not any(any(seat is not None for seat in spaces) for spaces in state.lanes.values())
    assert scores(state) == {"red": 10, "yellow": 10, "green": 10}
    assert (state.bobby, state.turn) == (0, 0)


@pytest.mark.parametrize("colours", [(), ("red",), ("red", "yellow", "green", "blue", "red")])
def test_fewer_than_two_or_more_than_four_players_are_no_game(colours: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="players-number"):
        RULESET.start(Setting(colours, "portobello-classic"), Told([]))


@pytest.mark.parametrize(("colours", "code"), [(("red", "pink"), "unknown-colour"), (("red", "red"), "colour-twice")])
def test_every_player_needs_a_colour_of_the_game_and_of_their_own(colours: tuple[str, ...], code: str) -> None:
    with pytest.raises(Refused, match=code):
        RULESET.start(Setting(colours, "portobello-classic"), Told([]))


@pytest.mark.parametrize(
    ("placer", "players", "colour"),
    [
        ("right", 2, "yellow"),
        ("right", 4, "blue"),
        ("left", 2, "yellow"),
        ("left", 4, "yellow"),
        ("first", 4, "red"),
    ],
)
def test_the_bobby_is_put_down_before_turn_1_and_then_red_begins(placer: str, players: int, colour: str) -> None:
    state = opened(players, bobby_placer=placer)
    assert to_move(state) == colour

    placed = then(state, "bobby 7")

    assert (placed.bobby, placed.turn, to_move(placed)) == (7, 1, "red")
    assert scores(placed) == scores(state)


# Tiles


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


# Stalls


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


# Moving the Bobby


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


# Owed actions, and how a turn closes


def stuck(**setting: Any) -> State:
    """The Bobby stands among full lanes; nobody is left to draw or to place."""
    return position(FOUR_IS_FULL, ALL_GUESTS, **setting)


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


# Customers and the lord


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


# The end


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


# Options and editions


@pytest.mark.parametrize(
    ("option", "de", "fr", "it", "summary"),
    [
        ("start_score", 10, 10, 0, 10),
        ("lord", "automatic", "action", "action", "action"),
        ("co_majority", "pay", "pay", "pay", "free"),
        ("bobby_placer", "right", "right", "right", "left"),
        ("neutral_arrives", "open", "open", "open", "closed"),
        ("customers", "bag", "bag", "bag", "bag"),
    ],
)
def test_an_edition_is_a_preset_of_options(option: str, de: object, fr: object, it: object, summary: object) -> None:
    assert [asdict(choose(edition, {}))[option] for edition in ("de", "fr", "it", "2.0")] == [de, fr, it, summary]


@pytest.mark.parametrize("edition", ["de", "fr", "it", "2.0"])
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("start_score", 0),
        ("start_score", 50),
        *[("lord", value) for value in ("automatic", "action")],
        *[("co_majority", value) for value in ("pay", "free")],
        *[("bobby_placer", value) for value in ("right", "left", "first")],
        *[("neutral_arrives", value) for value in ("open", "closed")],
        *[("customers", value) for value in ("bag", "queue")],
    ],
)
def test_any_option_can_be_set_by_hand_over_its_edition(edition: str, option: str, value: object) -> None:
    assert asdict(choose(edition, {option: value})) == asdict(choose(edition, {})) | {option: value}


def test_the_start_score_is_what_everyone_begins_with() -> None:
    assert scores(opened(edition="it")) == {"red": 0, "yellow": 0}
    assert scores(opened(start_score=50)) == {"red": 50, "yellow": 50}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"start_score": 51}, "bad-option"),
        ({"start_score": -1}, "bad-option"),
        ({"start_score": True}, "bad-option"),
        ({"start_score": "many"}, "bad-option"),
        ({"lord": "never"}, "bad-option"),
        ({"customers": "Bag"}, "bad-option"),
        ({"weather": "fine"}, "unknown-option"),
    ],
)
def test_an_option_that_does_not_exist_is_refused(options: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as refused:
        choose("de", options)

    assert refused.value.code == code


def test_an_edition_that_does_not_exist_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        choose("en", {})

    assert refused.value.code == "unknown-edition"
