"""What customers pay: the worked examples of the printed rules, and when they buy at all."""

from marketpost.rules.alturien.income import sale
from tests.rules.alturien.positions import GREEN, YELLOW, position, rolled, then

FACE_TO_FACE = "duke b1>c1, marquis c1>b1, marquis f1>g1, count g1>f1, count a4>a5, count a5>a4"
"""A roll of 1 lets nobody move."""
LONE_DUKE = "duke d1>c1, marquis e7>e6, marquis i7>i6, count m1>m2, count a4>a5, count m7>m6"


def test_value_two_at_one_house_pays_two() -> None:
    state = position(shops=("b1 d7 f7 a5", "g7 h7 j7 k4"))

    assert sale(state, "marquis", "b1") == 2


def test_value_two_at_two_houses_with_supremacy_pays_six() -> None:
    state = position(shops=("b1:2 d7 f7 a5", "g7 h7 j7 k4"))

    assert sale(state, "marquis", "b1") == 6


def test_a_ship_raises_the_value_and_a_post_the_houses() -> None:
    shops = ("b1:2 d7 f7 a5", "g7 h7 j7 k4")

    assert sale(position(shops=shops, cards=("ship",), expansion="on"), "duke", "b1") == 10
    assert sale(position(shops=shops, cards=("post",), expansion="on"), "duke", "b1") == 11
    assert sale(position(shops=shops, cards=("ship post",), expansion="on"), "duke", "b1") == 14


def test_the_moved_customer_buys_and_so_do_those_at_the_movers_grey_shops() -> None:
    state = position(roll="1", figures=LONE_DUKE, shops=("c1 a4:2 f7 k4", "g7 h7 j7 k1"), money=(0, 0))
    state.supremacy.clear()

    after = then(state, "d1-c1")

    assert after.money == [3 * 1 + 1 * 2, 0]


def test_a_customer_pays_the_owner_whoever_moved_it() -> None:
    state = position(roll="1", figures=LONE_DUKE, shops=("a5 b7 f7 k4", "c1 h7 j7 k1"), money=(0, 0))

    assert then(state, "d1-c1").money == [0, 3]


def test_grey_shops_of_the_others_sell_nothing_in_my_turn() -> None:
    state = position(roll="1", figures=LONE_DUKE, shops=("a5 b7 f7 k4", "a4:3 h7 j7 k1"), money=(0, 0))

    assert then(state, "d1-c1").money == [0, 0]


def test_a_plain_shop_sells_only_to_the_customer_just_moved() -> None:
    figures = LONE_DUKE.replace("count a4>a5", "count b7>c7")
    state = position(roll="1", figures=figures, shops=("a5 b7 f7 k4", "d4 h7 j7 k1"), money=(0, 0))

    assert then(state, "d1-c1").money == [0, 0]


def test_a_customer_moved_onto_my_grey_shop_buys_once() -> None:
    figures = LONE_DUKE.replace("duke d1>c1", "duke b1>a1")
    state = position(roll="1", figures=figures, shops=("a1 b7 f7 k4", "d4 h7 j7 k1"), money=(0, 0))

    assert then(state, "b1-a1").money == [3, 0]


def test_the_supremacy_bonus_comes_with_each_sale() -> None:
    figures = LONE_DUKE.replace("marquis e7>e6", "marquis e1>e2").replace("count a4>a5", "count a1>a2")
    state = position(roll="1", figures=figures, shops=("c1 a1 e1 k4", "d4 h7 j7 k1"), money=(0, 0))

    assert then(state, "d1-c1").money == [3 + 2 + 1 + 2 + 2 + 2, 0]


def test_after_a_skipped_move_only_the_grey_shops_sell() -> None:
    state = position(figures=FACE_TO_FACE, shops=("a4 b1 f7 k4", "d4 h7 j7 k1"), money=(0, 0))
    state.phase = "roll"

    after = rolled(state, "1")

    assert after.phase == "invest"
    assert after.money == [1, 0]
    assert then(after, "stuck; pass").active == GREEN


def test_after_thief_and_thief_only_the_grey_shops_sell() -> None:
    state = position(roll="1", thief="e3>e2", figures=LONE_DUKE, shops=("a4:2 b1 f7 k4", "d4 h7 j7 k1:2"), money=(0, 0))
    state.supremacy.clear()

    after = then(then(state, "e3-e2"), "e2-e1>f1", "1")

    assert after.money[YELLOW] == 2
    assert after.money[GREEN] == 0
    assert after.phase == "invest"
