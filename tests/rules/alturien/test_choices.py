"""What may be done, as sentences and as examples."""

from marketpost.mail.outbound.example_orders import example_orders
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import State
from tests.rules.alturien.positions import EMPTY_STREETS, GREEN, judged, opened, position, robbing, rolled, then


def may(state: State, seat: int | None = None, language: str = "en") -> str:
    return "\n".join(RULESET.story.choices(state, state.decider if seat is None else seat, RULESET.in_language(language)))


def customers_stand() -> State:
    state = opened()
    for orders in ("duke a1>b1", "marquis e1>f1", "marquis i1>j1", "count m1>l1", "count a4>a5", "count m4>m5"):
        state = then(state, f"customer {orders}")
    return state


def test_nobody_is_told_choices_that_are_not_theirs() -> None:
    assert may(position(roll="4"), GREEN) == ""


def test_setting_the_table_the_choices_are_what_is_left() -> None:
    customers = may(then(opened(), "customer duke a1>b1"))

    assert "(a4, a7, e1, e7, i1, i7, m1, m4 or m7)" in customers
    assert customers.endswith("Still to be placed: 2 marquises and 3 counts.")
    assert "(44 Felder)" in may(opened(customer_start="plain"), language="de")


def test_of_the_first_shops_only_one_may_be_grey() -> None:
    state = customers_stand()

    assert may(state).splitlines() == [
        "Open shop 1 of your first 4 (possible: one of 44 free sites).",
        "One of the 4 may be grey (a1, a4, a7, e1, e7, i1, i7, m1, m4 or m7).",
    ]
    assert may(then(then(state, "shop a1"), "shop b1")).endswith("You already have a grey shop; the others must not be grey yet.")


def test_the_roll_and_every_figure_that_can_move() -> None:
    lines = may(position(roll="1-3", thief="g4>h4")).splitlines()

    assert lines[0] == "You have rolled 1-3: move a figure 1, 2 or 3 spaces."
    assert lines[1].startswith("These can move: duke from a1 to a2, a3 or a4; marquis from e1 to e2, e3 or e4;")
    assert lines[1].endswith("thief from g4 to h4, i3, i4, i5 or j4.")
    assert "as in “a1-a4>" in lines[2]
    assert "“if 5: …”" in lines[3]
    assert "You have 6 Réal, and the income comes first. Prices in Réal: shop 3 (grey 5)," in lines[4]


def test_one_space_is_no_spaces() -> None:
    assert may(position(roll="1")).startswith("You have rolled 1: move a figure 1 space.")
    assert may(position(roll="1"), language="it").startswith("Hai tirato 1: muovi una figura di 1 casella.")


def test_after_the_thief_any_figure_must_move_once_more() -> None:
    text = may(rolled(then(robbing(), "e3-e2"), "2"))

    assert text.startswith("After the thief you have rolled 2: move once more, any figure, 2 spaces.")
    assert "in advance" not in text


def test_cart_and_staff_are_in_the_distances() -> None:
    assert "rolled 1 and 4: move a figure 1, 2, 4 or 5 spaces" in may(position(roll="1,4", cards=("cart staff",), expansion="on"))


def test_two_figures_on_one_space_are_told_apart() -> None:
    state = position(roll="1", figures=EMPTY_STREETS.replace("duke a1>a2", "duke g4>h4"), thief="g4>f4")

    assert "Two figures stand on g4: write “c:”" in may(state)


def test_investments_are_told_with_what_they_cost() -> None:
    state = position(money=(12, 6), shops=("a1 b7:2 c7 d7", "g7 h7 j7 k7"), expansion="on")

    assert may(state).splitlines() == [
        "You have 12 Réal and may make one investment; “pass” ends your turn without one.",
        "Buy a shop for 3 Réal: one of 37 free sites.",
        "Buy a grey shop for 5 Réal: a4, a7, e1, e7, i1, i7, m1, m4 or m7.",
        "Add a house to a shop of yours for 2 Réal: b7, c7 or d7.",
        "Add a house to a grey shop of yours for 3 Réal: a1.",
        "Move a house to another of your shops for 2 Réal, away from b7.",
        "Buy one of the 14 prestige cards for 12 Réal.",
        "Buy an investment card: a ship (7 Réal), a post (7 Réal), a cart (5 Réal) or staff (5 Réal).",
    ]


def test_without_money_there_is_only_pass() -> None:
    assert may(position(money=(1, 6))) == "With 1 Réal you can make no investment now; “pass” ends your turn."


def test_a_debt_names_what_may_be_sold_and_for_how_much() -> None:
    state = then(robbing(houses=2, money=(6, 1), prestige=(0, 1)), "e3-e2")

    assert may(state).splitlines() == [
        "The thief has robbed you: you owe yellow 4 Réal and have 1 Réal. Sell one thing after the other until you can pay.",
        "You may sell a prestige card (11 Réal) or a house on e2 (1 Réal).",
    ]


def test_the_entering_thief_can_be_faced() -> None:
    assert may(then(position(money=(10, 6)), "pass")) == "The thief enters on g4: say whether it looks towards f4 or h4."


def test_every_kind_of_decision_has_examples() -> None:
    """A letter shows orders that would be accepted; there are some wherever somebody has to decide."""
    words = RULESET.in_language("de")
    moments = {
        "customers": opened(),
        "first shops": customers_stand(),
        "move": position(roll="4"),
        "second move": rolled(then(robbing(), "e3-e2"), "2"),
        "shared middle": position(roll="1", figures=EMPTY_STREETS.replace("duke a1>a2", "duke g4>h4"), thief="g4>f4"),
        "invest": position(money=(12, 6), expansion="on"),
        "only pass": position(money=(0, 6)),
        "debt": then(robbing(houses=2, money=(6, 1), prestige=(0, 1)), "e3-e2"),
        "face": then(position(money=(10, 6)), "pass"),
    }

    examples = {moment: example_orders(RULESET, state, state.decider, words) for moment, state in moments.items()}

    assert all(examples.values()), examples
    assert examples["face"] == ["Dieb >f4", "Dieb >h4"]
    assert examples["only pass"] == ["passe"]
    for moment, state in moments.items():
        assert all(judged(state, orders, "1 1 1").refusal is None for orders in examples[moment])


def test_examples_move_different_figures() -> None:
    state = position(roll="4")

    examples = example_orders(RULESET, state, state.decider, RULESET.in_language("en"))

    assert len({orders.partition("-")[0] for orders in examples}) == len(examples) >= 2, examples
