"""Why an order is refused, which reason comes first, and what stands nevertheless."""

from collections.abc import Callable

import pytest

from marketpost.rules.portobello.orders import WORDS
from marketpost.rules.portobello.state import State
from marketpost.rules.words import LANGUAGES, Words
from tests.rules.portobello.positions import (
    ALL_GUESTS,
    FOUR_IS_FULL,
    TEN_GUESTS,
    after,
    fresh,
    holding,
    opened,
    position,
    refused,
    then,
    why,
)

IN_ORDER = [
    "game-over",
    "not-your-turn",
    "unreadable-order",
    "place-first",
    "mark-is-whole-turn",
    "no-actions-left",
    "choose-tile-first",
    "tile-already-chosen",
    "unknown-lane",
    "unknown-square",
    "unknown-district",
    "tile-not-open",
    "no-stalls-left",
    "bobby-elsewhere",
    "lane-full",
    "choose-an-end",
    "bag-empty",
    "nothing-to-place",
    "square-taken",
    "lord-is-automatic",
    "lord-already-placed",
    "lord-not-yet",
    "route-broken",
    "cannot-pay",
    "tile-cannot-mark",
    "district-marked",
    "actions-owed",
]
"""If several apply to a step, the first of them is given."""


def french() -> State:
    return after("bobby 4", edition="fr")


def marked_5() -> State:
    """Yellow's turn; red has marked district 5."""
    return then(fresh(), "4: mark 5")


def over() -> State:
    last = position("", ALL_GUESTS, players=2, to_move="yellow", supply={"yellow": 1})
    return then(last, "2: stall B-F")


def crowded() -> State:
    """Every customer and the lord stand; the lanes around the Bobby are full."""
    return position(FOUR_IS_FULL, ALL_GUESTS, edition="fr")


def poor() -> State:
    return position(scores={"red": 0})


def without_stalls() -> State:
    return position("FG rr", supply={"red": 0})


Case = tuple[str, int, Callable[[], State], str]

REFUSED: list[Case] = [
    ("game-over", 1, over, "2: stall B-F"),
    ("not-your-turn", 1, opened, "2: stall B-F"),
    ("not-your-turn", 2, opened, "bobby 3; bobby 4"),
    ("not-your-turn", 1, opened, "end"),
    ("unreadable-order", 3, fresh, "3: stall B-F; wait; stall BF"),
    ("unreadable-order", 1, fresh, ""),
    ("unreadable-order", 2, fresh, "3: if clerk: place C"),
    ("unreadable-order", 3, fresh, "3: customer; if lord: place C"),
    ("unreadable-order", 3, fresh, "3: customer\nif clerk: place C\nstall B-F"),
    ("unreadable-order", 101, fresh, "end;" * 101),
    ("place-first", 1, holding, "stall BF"),
    ("place-first", 1, holding, "end"),
    ("mark-is-whole-turn", 3, fresh, "2: mark 5; stall B-F"),
    ("mark-is-whole-turn", 3, fresh, "2: stall B-F; mark 5"),
    ("mark-is-whole-turn", 3, fresh, "2: bobby 5; mark 5"),
    ("no-actions-left", 4, fresh, "2: stall B-F; stall BF; stall BF"),
    ("choose-tile-first", 1, fresh, "stall B-F"),
    ("tile-already-chosen", 2, fresh, "3: 2:"),
    ("tile-already-chosen", 3, fresh, "3: stall B-F; tile 4"),
    ("unknown-lane", 2, fresh, "3: stall A-C"),
    ("unknown-lane", 2, fresh, "3: stall A-A"),
    ("unknown-lane", 2, fresh, "3: stall XY"),
    ("unknown-square", 2, fresh, "3: customer L"),
    ("unknown-square", 2, fresh, "3: customer clerk A citizen Z"),
    ("unknown-square", 1, holding, "place Q"),
    ("unknown-district", 2, fresh, "3: bobby 13"),
    ("unknown-district", 2, fresh, "3: bobby 5-0"),
    ("unknown-district", 2, fresh, "2: mark 13"),
    ("unknown-district", 2, fresh, "2: mark 99999999999999999999"),
    ("unknown-district", 1, opened, "bobby 0"),
    ("tile-not-open", 1, fresh, "1: stall B-F"),
    ("no-stalls-left", 2, without_stalls, "3: stall B-F"),
    ("bobby-elsewhere", 2, fresh, "3: stall A-B"),
    ("lane-full", 2, crowded, "3: stall BF"),
    ("choose-an-end", 2, fresh, "3: stall BF"),
    ("bag-empty", 2, crowded, "3: customer"),
    ("nothing-to-place", 2, fresh, "3: place A"),
    ("square-taken", 2, lambda: position("", "A clerk"), "3: customer A"),
    ("square-taken", 2, lambda: position("", "A clerk"), "3: customer clerk B citizen A"),
    ("square-taken", 1, lambda: then(position("", "A clerk"), "3: customer=clerk"), "place A"),
    ("lord-is-automatic", 2, fresh, "3: lord"),
    ("lord-already-placed", 2, crowded, "3: lord"),
    ("lord-not-yet", 2, french, "3: lord"),
    ("lord-not-yet", 2, lambda: position("", TEN_GUESTS.replace(", J citizen", ""), edition="fr"), "3: lord"),
    ("route-broken", 2, fresh, "3: bobby 4"),
    ("route-broken", 2, fresh, "3: bobby 6-12"),
    ("route-broken", 1, opened, "bobby 3-4"),
    ("cannot-pay", 2, poor, "3: bobby 5"),
    ("cannot-pay", 2, lambda: position(scores={"red": 1}), "3: bobby 5-6"),
    ("tile-cannot-mark", 2, fresh, "3: mark 5"),
    ("district-marked", 2, marked_5, "2: mark 5"),
    ("actions-owed", 2, fresh, "3: end"),
    ("actions-owed", 4, fresh, "3: stall B-F; stall BF; end"),
]
IDS = [f"{code}: {orders[:40]!r}" for code, _, _, orders in REFUSED]


@pytest.mark.parametrize(("code", "step", "state", "orders"), REFUSED, ids=IDS)
def test_orders_are_refused_with_their_reason_and_step(code: str, step: int, state: Callable[[], State], orders: str) -> None:
    assert why(state(), orders) == (code, step)


def test_every_reason_is_met_at_least_once() -> None:
    assert {code for code, *_ in REFUSED} == set(IN_ORDER)


@pytest.mark.parametrize("by", ["red", "green"])
def test_only_the_player_to_decide_may_order(by: str) -> None:
    state = after("bobby 4", "2: stall B-F; stall BF", players=3)

    assert why(state, "2: stall BF", by=by) == ("not-your-turn", 1)


def test_only_the_placer_puts_the_bobby_down() -> None:
    assert why(opened(3), "bobby 3", by="red") == ("not-your-turn", 1)


# Two reasons for one step

PRECEDENCE: list[tuple[str, str, Callable[[], State], str, str | None]] = [
    ("game-over", "not-your-turn", over, "2: stall B-F", "red"),
    ("game-over", "unreadable-order", over, "wait", None),
    ("not-your-turn", "unreadable-order", fresh, "wait", "yellow"),
    ("not-your-turn", "choose-tile-first", fresh, "end", "yellow"),
    ("unreadable-order", "choose-tile-first", fresh, "stall BF; wait", None),
    ("unreadable-order", "place-first", holding, "wait", None),
    ("place-first", "mark-is-whole-turn", holding, "mark 5", None),
    ("place-first", "tile-already-chosen", holding, "3:", None),
    ("place-first", "unknown-lane", holding, "stall XY", None),
    ("mark-is-whole-turn", "no-actions-left", fresh, "2: stall B-F; stall BF; mark 5", None),
    ("mark-is-whole-turn", "no-actions-left", fresh, "2: mark 5; end; stall B-F", None),
    ("mark-is-whole-turn", "tile-already-chosen", fresh, "2: mark 5; 3:", None),
    ("mark-is-whole-turn", "unknown-district", fresh, "2: bobby 5; mark 99", None),
    ("mark-is-whole-turn", "tile-cannot-mark", fresh, "3: bobby 5; mark 5", None),
    ("no-actions-left", "tile-already-chosen", fresh, "2: stall B-F; stall BF; 3:", None),
    ("no-actions-left", "unknown-lane", fresh, "2: stall B-F; stall BF; stall XY", None),
    ("no-actions-left", "nothing-to-place", fresh, "2: stall B-F; stall BF; place A", None),
    ("no-actions-left", "lord-is-automatic", fresh, "2: stall B-F; stall BF; lord", None),
    ("choose-tile-first", "unknown-lane", fresh, "stall XY", None),
    ("choose-tile-first", "unknown-square", fresh, "customer Z", None),
    ("choose-tile-first", "unknown-district", fresh, "mark 99", None),
    ("choose-tile-first", "nothing-to-place", fresh, "place A", None),
    ("choose-tile-first", "route-broken", fresh, "bobby 4", None),
    ("tile-already-chosen", "tile-not-open", fresh, "3: 1:", None),
    ("unknown-lane", "no-stalls-left", without_stalls, "3: stall XY", None),
    ("unknown-square", "bag-empty", crowded, "3: customer Z", None),
    ("unknown-square", "nothing-to-place", fresh, "3: place Z", None),
    ("unknown-square", "square-taken", lambda: position("", "A clerk"), "3: customer clerk A citizen Z", None),
    ("unknown-district", "route-broken", fresh, "3: bobby 6-99", None),
    ("unknown-district", "route-broken", opened, "bobby 3-99", None),
    ("unknown-district", "tile-cannot-mark", fresh, "3: mark 99", None),
    ("no-stalls-left", "bobby-elsewhere", without_stalls, "3: stall A-B", None),
    ("no-stalls-left", "lane-full", without_stalls, "3: stall FG", None),
    ("no-stalls-left", "choose-an-end", without_stalls, "3: stall BF", None),
    ("bobby-elsewhere", "lane-full", lambda: position("FG rr", bobby=1), "3: stall FG", None),
    ("bobby-elsewhere", "choose-an-end", lambda: position(bobby=1), "3: stall FG", None),
    ("bag-empty", "square-taken", crowded, "3: customer A", None),
    ("nothing-to-place", "square-taken", lambda: position("", "A clerk"), "3: place A", None),
    ("lord-is-automatic", "lord-already-placed", lambda: position("", ALL_GUESTS), "3: lord", None),
    ("lord-is-automatic", "lord-not-yet", fresh, "3: lord", None),
    ("route-broken", "cannot-pay", poor, "3: bobby 6-12", None),
    ("tile-cannot-mark", "district-marked", marked_5, "3: mark 5", None),
]


@pytest.mark.parametrize(
    ("first", "second", "state", "orders", "by"), PRECEDENCE, ids=[f"{first} before {second}" for first, second, *_ in PRECEDENCE]
)
def test_of_two_reasons_the_first_of_the_list_is_given(
    first: str, second: str, state: Callable[[], State], orders: str, by: str | None
) -> None:
    assert IN_ORDER.index(first) < IN_ORDER.index(second)
    assert why(state(), orders, by)[0] == first


def test_the_first_refused_step_is_told_whatever_comes_later() -> None:
    assert why(fresh(), "3: end; stall XY") == ("actions-owed", 2)


# Sentences


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("code", "state", "orders"), [(code, state, orders) for code, _, state, orders in REFUSED], ids=IDS)
def test_every_refusal_is_a_whole_sentence_in_four_languages(code: str, state: Callable[[], State], orders: str, language: str) -> None:
    sentence = Words(language, WORDS).explain(refused(state(), orders))

    assert sentence[0].isupper() or sentence[0] in "“„«"
    assert sentence.endswith(".")
    assert not set("{}") & set(sentence)
    assert code not in sentence


@pytest.mark.parametrize("code", IN_ORDER)
def test_no_two_languages_refuse_in_the_same_words(code: str) -> None:
    state, orders = next((state, orders) for found, _, state, orders in REFUSED if found == code)
    refusal = refused(state(), orders)

    assert len({Words(language, WORDS).explain(refusal) for language in LANGUAGES}) == len(LANGUAGES)


def test_a_sentence_says_what_would_be_legal() -> None:
    english = Words("en", WORDS)

    assert "F-G, G-F" in english.explain(refused(fresh(), "3: stall FG"))
    assert "2, 3, 4" in english.explain(refused(fresh(), "1:"))
    assert "B, C, D, E, F, G, H, I, J, K" in english.explain(refused(position("", "A clerk"), "3: customer A"))
    assert "3, 5, 10" in english.explain(refused(fresh(), "3: bobby 1-2"))
    assert "1 to 12" in english.explain(refused(fresh(), "3: bobby 13"))
