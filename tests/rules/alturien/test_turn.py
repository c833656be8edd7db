"""A turn from roll to investment, and how the game ends."""

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.board import load_board
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import RecordedChance
from tests.rules.alturien.positions import BLUE, GREEN, YELLOW, judged, position, refused, rolled, then


def test_the_roll_is_made_when_the_turn_begins() -> None:
    state = then(position(money=(6, 6)), "pass")

    assert state.roll_due
    assert rolled(state, "4").dice == ("4",)
    assert RULESET.proceed(rolled(state, "4"), RecordedChance([])) == []


def test_staff_rolls_two_dice() -> None:
    state = then(position(money=(6, 0), cards=("", "staff"), expansion="on"), "pass")

    assert rolled(state, "4,1-3").dice == ("4", "1-3")


def test_what_the_investments_cost() -> None:
    state = position(money=(20, 0), shops=("b7 c7 d7 e7", "g7 h7 j7 k7"), expansion="on")
    costs = {
        "buy b1": 3,
        "buy a1": 5,
        "develop b7": 2,
        "develop e7": 3,
        "prestige": 12,
        "ship": 7,
        "post": 7,
        "cart": 5,
        "staff": 5,
        "pass": 0,
    }

    assert {orders: 20 - then(state, orders).money[YELLOW] for orders in costs} == costs


def test_moving_a_house_costs_two_and_may_give_up_a_fifth_shop() -> None:
    state = position(shops=("b7 c7 d7 f7 b1", "g7 h7 j7 k7"))

    after = then(state, "move-house b1 b7")

    assert after.money[YELLOW] == 4
    assert after.houses["b7"] == 2
    assert "b1" not in after.owners
    assert after.stock[YELLOW] == state.stock[YELLOW]


def test_a_house_that_is_given_up_can_be_bought_again() -> None:
    state = then(position(shops=("b7 c7 d7 f7 b1", "g7 h7 j7 k7")), "move-house b1 b7")

    assert "buy b1" in RULESET.legal(rolled_and_moved(state), GREEN)


def rolled_and_moved(state: State) -> State:
    due = rolled(state, "1")
    return then(due, RULESET.legal(due, due.decider)[0])


def test_a_turn_ends_by_itself_after_an_investment() -> None:
    after = then(position(), "buy b1")

    assert (after.turn, after.active) == (2, GREEN)


@pytest.mark.parametrize(("players", "variant", "goal"), [(2, "none", 3), (6, "none", 3), (4, "long-short", 4), (5, "long-short", 2)])
def test_how_many_prestige_cards_begin_the_last_round(players: int, variant: str, goal: int) -> None:
    state = position(players=players, prestige=(goal - 1,), money=(12,), variant=variant)

    assert not then(state, "pass").last_round
    assert then(state, "prestige").last_round


def test_the_round_is_finished_so_that_all_have_had_the_same_number_of_turns() -> None:
    state = then(position(players=3, active=GREEN, prestige=(0, 2), money=(6, 12, 6), thief="g4>f4"), "prestige")
    assert not state.over
    assert state.active == BLUE

    last = position(players=3, active=BLUE, prestige=(0, 3), thief="g4>f4")
    last.last_round = True

    assert then(last, "pass").winners == (GREEN,)


def test_the_last_seat_ends_the_game_at_once() -> None:
    state = position(active=GREEN, prestige=(0, 2), money=(6, 12), thief="g4>f4")

    assert then(state, "prestige").winners == (GREEN,)


def test_once_begun_the_last_round_is_the_last_whatever_is_sold_in_it() -> None:
    """Ruling A5."""
    state = position(active=GREEN, prestige=(2, 0), thief="g4>f4")
    state.last_round = True

    assert then(state, "pass").winners == (YELLOW,)


def test_the_last_round_begins_once() -> None:
    state = position(players=3, prestige=(3,), thief="g4>f4")
    state.last_round = True

    assert [type(event).__name__ for event in judged(state, "pass").events] == ["Passed", "TurnBegan"]


def test_money_breaks_a_tie_and_what_is_still_tied_is_shared() -> None:
    ahead = position(active=GREEN, prestige=(1, 1), money=(5, 4), thief="g4>f4")
    even = position(active=GREEN, prestige=(1, 1), money=(5, 5), thief="g4>f4")
    ahead.last_round = even.last_round = True

    assert then(ahead, "pass").winners == (YELLOW,)
    assert then(even, "pass").winners == (YELLOW, GREEN)


def test_no_thief_enters_a_game_that_is_over() -> None:
    state = position(active=GREEN, prestige=(0, 2), money=(6, 12))

    assert not then(state, "prestige").thief_is_out


def test_after_the_end_everything_is_game_over() -> None:
    over = then(position(active=GREEN, prestige=(0, 2), money=(6, 12), thief="g4>f4"), "prestige")

    assert refused(over, "nonsense", seat=YELLOW) == "game-over"
    assert RULESET.deciders(over) == ()
    assert RULESET.legal(over, GREEN) == []


def test_a_seat_that_is_asked_before_the_roll_was_made_is_rolled_for() -> None:
    """The service rolls at once; if it did not, the player's orders do not get lost."""
    state = then(position(money=(6, 6)), "pass")
    verdict = judged(state, "a1-a2; pass", "1")

    assert verdict.refusal is None


def test_faces_are_offered_to_chance_in_order() -> None:
    assert load_board("alturien-classic").faces == ("1", "1-3", "2", "3", "4", "5")
