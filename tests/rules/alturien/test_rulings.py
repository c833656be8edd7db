"""What `docs/rulings.md` says where the rules are silent, as far as no other test holds it."""

from marketpost.rules.alturien import RULESET
from tests.rules.alturien.positions import FIGURES, GREEN, LOOPS, YELLOW, figure, judged, position, refusal, refused, rolled, then

FACE_TO_FACE = "duke b1>c1, marquis c1>b1, marquis f1>g1, count g1>f1, count a4>a5, count a5>a4"


def test_an_if_for_a_known_roll_is_played_if_it_fits() -> None:
    state = position(roll="1")

    assert figure(then(state, "if 4: a1-a4>a5; if 1: a1-a2; pass"), "a2")


def test_an_if_for_a_known_roll_that_does_not_fit_is_refused() -> None:
    assert refused(position(roll="1"), "if 4: a1-a4>a5; pass") == "must-move-first"
    assert refused(position(), "if 4: a1-a4>a5; pass") == "already-moved"


def test_an_if_is_dropped_where_the_second_roll_lets_nobody_move() -> None:
    state = position(roll="1", figures=FACE_TO_FACE, thief="b4>a4", shops=("b7 c7 d7 f7", "g7 h7 j7 k7"))
    blocked = position(roll="2", figures=FACE_TO_FACE, thief="c4>b4", shops=("b7 c7 d7 f7", "g7 h7 j7 k7"))
    assert refused(state, "b4-a4>a3") == "space-taken"
    assert refused(blocked, "c4-a4>a3") == "space-taken"
    entering = position(roll="1", figures=FACE_TO_FACE, thief="c4>b4", shops=("b7 c7 d7 f7", "g7 h7 j7 k7"))

    verdict = judged(entering, "c4-b4; if 1: b1-c1; pass", "1")

    assert verdict.refusal is None
    assert verdict.dropped == ("if 1: b1-c1", "pass")
    assert then(entering, "c4-b4; if 1: b1-c1; pass", "1").phase == "invest"


def test_a_move_behind_a_skipped_one_has_already_been_made() -> None:
    state = position(figures=FACE_TO_FACE)
    state.phase = "roll"

    assert refused(rolled(state, "1"), "b1-c1") == "already-moved"


def test_who_owes_the_bank_sells_before_anything_else() -> None:
    shops = ("e2:3 b7:2 c7 d7", "f7 h7 j7 k7")
    state = position(roll="1", thief="e3>e2", figures=FIGURES.replace("marquis e1>e2", "marquis e7>e6"), shops=shops, money=(0, 6))
    first = then(state, "e3-e2")
    state.moved = 6
    second = then(state, "e3-e2")

    assert (refused(first, "pass"), refused(first, "a1-a2")) == ("not-now", "not-now")
    assert (refused(second, "pass"), refused(second, "a1-a2")) == ("not-now", "already-moved")


def test_a_space_named_twice_must_be_passed_twice() -> None:
    figures = "duke p1>q1, marquis p5>q5, marquis t5>s5, count t1>t2, count r1>r2, count r5>r4"
    state = position(roll="4", board=LOOPS, figures=figures, shops=("p2 p3 q2 q3", "s2 s3 t3 t4"))

    assert refused(state, "p1-q1-q1-r3>s3") == "route-broken"
    assert refused(state, "p1-p1-r3>s3") == "route-broken"


def test_what_stands_behind_the_end_of_a_turn() -> None:
    state = position()
    last = position(active=GREEN, prestige=(3, 0), money=(6, 12))
    facing = position(money=(6, 10))

    assert refused(state, "pass; thief >f4") == "not-your-turn"
    assert refused(state, "pass; customer duke a1>a2") == "not-your-turn"
    assert RULESET.deciders(then(state, "pass")) == (GREEN,)
    assert refused(last, "pass; pass") == "already-invested"
    assert {refused(last, f"pass; {order}") for order in ("a1-a2", "sell prestige", "shop b1")} == {"game-over"}
    assert [refused(facing, f"pass; {order}") for order in ("pass", "a1-a2", "shop b1")] == ["already-invested", "already-moved", "not-now"]


def test_an_if_names_a_face_of_the_die() -> None:
    found = refusal(position(roll="1"), "a1-a2; if 6: a2-a3")

    assert (found.code, found.step) == ("unreadable-order", 2)
    assert refused(position(roll="1"), "if 2-3: a1-a2") == "unreadable-order"


def test_an_if_of_who_was_robbed_by_another_is_not_asked_for() -> None:
    shops = ("b7 c7 d7 f7", "e2:4 h7:2 j7 k7 m2")
    state = position(roll="1", thief="e3>e2", figures=FIGURES.replace("marquis e1>e2", "marquis e7>e6"), shops=shops, money=(6, 1))

    assert refused(then(state, "e3-e2"), "sell house m2; if 1: a1-a2; sell house h7") == "not-now"


def test_the_order_of_seats_is_the_order_of_turns() -> None:
    assert then(position(active=GREEN), "pass").active == YELLOW
