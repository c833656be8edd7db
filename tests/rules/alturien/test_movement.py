"""Figures go as far as the roll says, never turn round, and end on an empty space."""

from typing import Any

from marketpost.rules.alturien import RULESET
from tests.rules.alturien.positions import FIGURES, LOOPS, figure, position, refused, then

ON_A_STREET = "duke c1>d1, marquis e7>e6, marquis i7>i6, count m1>m2, count a7>a6, count m7>m6"
LOOPING = "duke p1>q1, marquis p5>q5, marquis t5>s5, count t1>t2, count r1>r2, count r5>r4"


def test_on_plain_street_a_figure_goes_on_and_looks_on() -> None:
    assert figure(then(position(roll="1", figures=ON_A_STREET), "c1-d1"), "d1") == "duke>e1"


def test_on_a_crossing_the_mover_picks_any_way_but_back() -> None:
    state = position(roll="4", figures=ON_A_STREET)

    assert {order for order in RULESET.legal(state, 0) if order.startswith("c1-")} == {"c1-g1", "c1-e3"}


def test_ending_on_a_crossing_needs_a_facing() -> None:
    state = position(roll="2", figures=ON_A_STREET)

    assert refused(state, "c1-e1") == "needs-facing"
    assert figure(then(state, "c1-e1>e2"), "e1") == "duke>e2"
    assert figure(then(state, "c1-e1>f1"), "e1") == "duke>f1"
    assert refused(state, "c1-e1>d1") == "cannot-face-back"
    assert refused(state, "c1-e1>a7") == "route-broken"


def test_corners_are_plain_streets() -> None:
    assert figure(then(position(roll="4"), "a7-a3"), "a3") == "count>a2"
    corner = position(roll="3", figures=FIGURES.replace("a7>a6", "a6>a7").replace("duke a1>a2", "duke b4>c4"))
    assert figure(then(corner, "a6-c7"), "c7") == "count>d7"


def test_a_forced_facing_may_be_named() -> None:
    assert figure(then(position(roll="1", figures=ON_A_STREET), "c1-d1>e1"), "d1") == "duke>e1"
    assert refused(position(roll="1", figures=ON_A_STREET), "c1-d1>c1") == "cannot-face-back"


def test_a_figure_passes_others_but_does_not_end_on_them() -> None:
    state = position(roll="4", figures=ON_A_STREET.replace("m1>m2", "d1>e1"))

    assert figure(then(state, "c1-g1"), "g1") == "duke>h1"
    assert refused(position(roll="1", figures=ON_A_STREET.replace("m1>m2", "d1>e1")), "c1-d1") == "space-taken"


def test_a_figure_may_come_back_to_its_own_space() -> None:
    state = position(roll="4", board=LOOPS, figures=LOOPING, shops=("p2 p3 q2 q3", "s2 s3 t3 t4"))

    assert figure(then(state, "p1-p1>q1"), "p1") == "duke>q1"


def test_the_player_never_names_the_die() -> None:
    state = position(roll="1-3", figures=ON_A_STREET)

    assert figure(then(state, "c1-d1"), "d1")
    assert figure(then(state, "c1-e1>e2"), "e1")
    assert figure(then(state, "c1-e2"), "e2")
    assert refused(state, "c1-g1") == "wrong-distance"


def test_the_cart_adds_one_and_staff_gives_two_dice() -> None:
    state = position(roll="1-3", figures=ON_A_STREET, cards=("cart",), expansion="on")
    assert figure(then(state, "c1-g1"), "g1")
    assert figure(then(state, "c1-d1"), "d1"), "it need not be used"

    either = position(roll="1,4", figures=ON_A_STREET, cards=("staff",), expansion="on")
    assert figure(then(either, "c1-d1"), "d1")
    assert figure(then(either, "c1-g1"), "g1")
    assert refused(either, "c1-h1") == "wrong-distance"

    both = position(roll="1,4", figures=ON_A_STREET, cards=("cart staff",), expansion="on")
    assert figure(then(both, "c1-h1"), "h1")
    assert figure(then(both, "c1-e1>e2"), "e1")
    assert refused(both, "c1-e2") == "wrong-distance"


def test_the_cart_obliges_only_where_nothing_moves_without_it() -> None:
    face_to_face = "duke b1>c1, marquis c1>b1, marquis f1>g1, count g1>f1, count j1>k1, count k1>j1"
    without = position(roll="1", figures=face_to_face, expansion="on")
    cart = position(roll="1", figures=face_to_face, cards=("cart",), expansion="on")

    assert RULESET.legal(without, 0) == []
    assert refused(cart, "pass") == "must-move-first"
    assert figure(then(cart, "b1-d1"), "d1")


def test_any_space_of_the_way_may_be_named() -> None:
    state = position(roll="4", figures=ON_A_STREET)

    assert figure(then(state, "c1-d1-e1-e2-e3"), "e3") == "duke>e4"
    assert refused(state, "c1-f1-e3") == "route-broken"
    assert refused(state, "c1-e1-d1-e3") == "route-broken"


def test_route_broken_means_no_way_of_the_highest_number_plus_one() -> None:
    state = position(roll="1", figures=ON_A_STREET)

    assert refused(state, "c1-i1>j1") == "wrong-distance"
    assert refused(state, "c1-j1") == "route-broken"
    assert refused(state, "c1-b1") == "route-broken"


def test_two_ways_that_end_alike_are_no_ambiguity() -> None:
    state = position(roll="4", board=LOOPS, figures=LOOPING, shops=("p2 p3 q2 q3", "s2 s3 t3 t4"))

    assert figure(then(state, "p1-r3>s3"), "r3") == "duke>s3"
    assert figure(then(state, "p1-r3>r2"), "r3") == "duke>r2"
    assert refused(state, "p1-r3") == "needs-facing"


RING: dict[str, Any] = {
    "name": "ring",
    "rules": "alturien",
    "streets": ["x b1 b2 b3 y", "x c1 c2 c3 c4 c5 c6 c7 y", "x d1 d2 d3 d4 d5 d6 y", "x e1 e2 e3 e4 e5 e6 e7 y"],
    "sites": {"u": "x b1 b2 b3", "v": "y c1 c2 c3", "w": "c4 c5 c6 c7", "z": "d1 d2 d3 d4", "q": "d5 d6 e1 e2", "r": "e3 e5 e6 e7"},
    "grey": "d1 d2 d3 d4 d5 d6",
    "middle": "e4",
    "die": "7",
}
"""Two crossings joined by four streets, so that a plain space can be reached from both sides."""


def test_a_plain_space_reached_from_both_sides_is_ambiguous_until_the_facing_chooses() -> None:
    figures = "duke d1>x, marquis d2>d3, marquis d3>d4, count d4>d5, count d5>d6, count d6>y"
    state = position(roll="7", board=RING, figures=figures, shops=("b1 b2 b3 x", "c1 c2 c3 y"))

    assert refused(state, "d1-c6") == "ambiguous-route"
    assert figure(then(state, "d1-c6>c7"), "c6") == "duke>c7"
    assert figure(then(state, "d1-c6>c5"), "c6") == "duke>c5"
    assert figure(then(state, "d1-c1-c6"), "c6") == "duke>c7"
    assert figure(then(state, "d1-y-c6"), "c6") == "duke>c5"
    assert refused(state, "d1-y-c6>c7") == "cannot-face-back"
    assert {"d1-c6>c7", "d1-c6>c5"} <= set(RULESET.legal(state, 0))
