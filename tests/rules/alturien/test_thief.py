"""The thief: its entry, what it takes, the second move it brings, and the city guard."""

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import NOBODY
from marketpost.rules.alturien.thief import poorest
from tests.rules.alturien.positions import (
    BLUE,
    EMPTY_STREETS,
    FIGURES,
    GREEN,
    YELLOW,
    figure,
    judged,
    position,
    refused,
    robbing,
    rolled,
    then,
)

SMALL = ("b7 c7 d7 f7", "e2 h7 j7 k7")


# Entry


def test_the_thief_enters_when_somebody_has_ten() -> None:
    state = position(money=(10, 6))

    after = then(state, "pass")

    assert after.decider == GREEN
    assert after.guard == GREEN
    assert after.turn == state.turn, "the facing bears the number of the turn just ended"
    assert refused(after, "pass") == "not-now"
    assert refused(after, "thief") == "needs-facing"
    assert refused(after, "thief >e4") == "route-broken"
    assert refused(after, "thief >z9") == "unknown-space"
    faced = then(after, "thief >f4")
    assert figure(faced, "g4") == "thief>f4"
    assert (faced.turn, faced.active, faced.phase) == (state.turn + 1, GREEN, "roll")


def test_it_does_not_come_for_nine() -> None:
    assert not then(position(money=(9, 9)), "pass").thief_is_out


def test_cards_count_as_wealth() -> None:
    assert then(position(money=(3, 6), cards=("ship",), expansion="on"), "pass").thief_is_out
    assert then(position(money=(0, 6), prestige=(1,)), "pass").thief_is_out


def test_of_equally_poor_players_the_one_whose_turn_comes_first_faces_it() -> None:
    state = position(players=3, money=(0, 0, 10), active=GREEN)

    assert then(state, "pass").decider == YELLOW
    assert poorest(position(players=3, money=(0, 5, 5), active=YELLOW)) == YELLOW
    assert poorest(position(players=3, money=(5, 5, 5), active=GREEN)) == BLUE


def test_it_enters_onto_a_customer_and_then_the_figures_must_be_told_apart() -> None:
    figures = EMPTY_STREETS.replace("duke a1>a2", "duke g4>h4")
    entering = then(position(money=(10, 6), figures=figures), "pass")
    state = rolled(then(entering, "thief >f4"), "1")

    assert refused(state, "g4-h4") == "ambiguous-route"
    assert figure(then(state, "c:g4-h4"), "h4") == "duke>i4"
    assert figure(then(state, "t:g4-f4"), "f4") == "thief>e4"
    assert {"c:g4-h4", "t:g4-f4"} <= set(RULESET.legal(state, state.decider))


def test_it_may_enter_after_a_move_that_was_skipped() -> None:
    jam = "duke b1>c1, marquis c1>b1, marquis f1>g1, count g1>f1, count a4>a5, count a5>a4"
    state = position(figures=jam, money=(10, 6))
    state.phase = "roll"

    after = then(rolled(state, "1"), "pass")

    assert (after.decider, refused(after, "a1-a2"), refused(after, "pass")) == (GREEN, "not-now", "not-now")
    assert figure(then(after, "thief >f4"), "g4") == "thief>f4"


def test_the_mover_may_face_it_in_the_same_submission() -> None:
    after = then(position(money=(6, 10)), "pass; thief >h4")

    assert figure(after, "g4") == "thief>h4"
    assert after.active == GREEN


# Robbing


def test_the_owner_pays_the_mover_two_for_each_house() -> None:
    after = then(robbing(houses=2), "e3-e2")

    assert after.money == [6 + 4, 6 - 4]


def test_supremacy_ship_and_post_do_not_count() -> None:
    state = robbing(houses=3, cards=("", "ship post"), expansion="on", money=(0, 9))
    assert state.supremacy["cloth"] == GREEN

    assert then(state, "e3-e2").money == [6, 3]


def test_on_the_movers_own_shop_the_mover_pays_the_bank() -> None:
    state = robbing(shops=("e2:2 b7 c7 d7", "f7 h7 j7 k7"))

    assert then(state, "e3-e2").money == [2, 6]


def test_the_guard_protects_and_is_kept_but_the_second_roll_comes() -> None:
    after = then(robbing(guard=GREEN), "e3-e2")

    assert after.money == [6, 6]
    assert after.guard == GREEN
    assert after.roll_due


def test_a_thief_standing_still_robs_nobody() -> None:
    """Ruling A1."""
    state = position(roll="1", thief="e2>e1", figures=EMPTY_STREETS, shops=SMALL, money=(6, 6))

    assert then(state, "a7-a6").money == [6, 6]


def test_the_robbed_player_gets_the_guard() -> None:
    assert then(robbing(money=(6, 6, 6), players=3, shops=(*SMALL, "j4 k4 l4 h4")), "e3-e2").guard == GREEN


def test_the_richest_gets_no_guard_the_poorest_does() -> None:
    three = (*SMALL, "j4 k4 l4 h4")
    rich = robbing(money=(6, 20, 3), players=3, shops=three)
    tied = robbing(money=(6, 10, 3), players=3, shops=three)

    assert then(rich, "e3-e2").guard == BLUE
    assert then(tied, "e3-e2").guard == BLUE, "eight each: green is the richest, tied"


def test_if_all_are_equally_rich_the_guard_may_come_to_the_robbed() -> None:
    state = robbing(money=(4, 8))

    assert then(state, "e3-e2").guard == GREEN


def test_paying_the_bank_counts_as_being_robbed() -> None:
    """Ruling A2."""
    state = robbing(shops=("e2 b7 c7 d7", "f7 h7 j7 k7"), guard=GREEN, money=(6, 9))

    assert then(state, "e3-e2").guard == YELLOW


def test_a_cancelled_debt_counts_as_being_robbed() -> None:
    """Ruling A2."""
    state = robbing(money=(6, 0))

    after = then(state, "e3-e2")

    assert after.money == [6, 0]
    assert after.guard == GREEN
    assert after.debt is None


# The second move


def test_after_the_thief_the_player_rolls_and_moves_again_but_only_once() -> None:
    first = rolled(then(robbing(), "e3-e2"), "1")
    assert refused(first, "pass") == "must-move-first"

    second = then(first, "e2-e1>f1")

    assert second.phase == "invest"
    assert refused(second, "e1-f1") == "already-moved"


def test_both_moves_and_the_investment_fit_into_one_submission() -> None:
    after = then(robbing(), "e3-e2; a7-a6; develop b7", "1")

    assert after.active == GREEN
    assert after.money == [6, 4]


def test_what_chance_has_shown_stays_after_a_later_refusal() -> None:
    verdict = judged(robbing(), "e3-e2; a7-a1; pass", "1")

    assert verdict.refusal
    assert (verdict.refusal.code, verdict.refusal.step) == ("wrong-distance", 2)
    assert verdict.dropped == ("a7-a1", "pass")
    assert type(verdict.events[-1]).__name__ == "Rolled"


def test_nothing_stands_where_nothing_was_rolled() -> None:
    verdict = judged(robbing(), "e3-e1>f1; pass")

    assert verdict.refusal
    assert verdict.events == []
    assert verdict.dropped == ()


def test_an_if_is_played_for_the_face_that_came() -> None:
    orders = "e3-e2; if 1-3: a1-a2; if 4: a7-a3; pass"

    assert figure(then(robbing(), orders, "4"), "a3")
    assert figure(then(robbing(), orders, "1-3"), "a2")
    assert then(robbing(), orders, "4").active == GREEN


def test_without_a_fitting_if_the_turn_waits() -> None:
    verdict = judged(robbing(), "e3-e2; if 1-3: a1-a2; if 4: a7-a3; pass", "5")

    assert verdict.refusal is None
    assert verdict.dropped == ("if 1-3: a1-a2", "if 4: a7-a3", "pass")
    assert then(robbing(), "e3-e2; if 4: a7-a3; pass", "5").phase == "move"


def test_the_first_if_that_fits_either_die_is_played() -> None:
    state = robbing(cards=("staff",), expansion="on")

    assert figure(then(state, "e3-e2; if 5: a7-a2; if 4: a7-a3", "4,5"), "a2")


def test_a_wrong_if_is_refused_with_its_own_number() -> None:
    verdict = judged(robbing(), "e3-e2; if 3: a1-a4; if 4: a7-a1", "4")

    assert verdict.refusal
    assert (verdict.refusal.code, verdict.refusal.step) == ("wrong-distance", 3)


def test_the_thief_waits_in_the_harbour_at_first() -> None:
    assert position().guard == NOBODY
    assert refused(position(roll="1", figures=FIGURES), "t:g4-f4") == "no-figure-there"
