"""Every refusal has its code, its place in the order of codes, and a sentence in four languages."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from marketpost.rules import alturien
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.board import WORDS
from marketpost.rules.alturien.state import State
from marketpost.rules.words import LANGUAGES, Words
from tests.rules.alturien.positions import FIGURES, GREEN, YELLOW, position, refusal, refused, then

SOURCES = sorted(Path(alturien.__file__).parent.glob("*.py"))
CODES = sorted({code for path in SOURCES for code in re.findall(r'(?:Illegal|Refusal|Refused)\(\s*"([a-z-]+)"', path.read_text("utf-8"))})
FIELD = re.compile(r"{(\w+)}")


def moving(**rest: Any) -> State:
    return position(**({"roll": "1"} | rest))


MOVES = [
    ("b3-b4", "unknown-space"),
    ("z9-a2", "unknown-space"),
    ("a1-a2>z9", "unknown-space"),
    ("b1-z9", "unknown-space"),
    ("b1-c1", "no-figure-there"),
    ("t:a1-a2", "no-figure-there"),
    ("a1-b1", "route-broken"),
    ("a1-c4", "wrong-distance"),
    ("a1-m7", "route-broken"),
    ("a1-a3", "wrong-distance"),
    ("pass", "must-move-first"),
    ("stuck", "must-move-first"),
    ("buy z9", "must-move-first"),
    ("ship", "must-move-first"),
    ("sell house z9", "nothing-owed"),
    ("customer duke z9", "customer-already-placed"),
    ("shop b1", "not-now"),
    ("thief >f4", "not-now"),
]


@pytest.mark.parametrize(("orders", "code"), MOVES)
def test_why_a_move_is_refused(orders: str, code: str) -> None:
    assert refused(moving(), orders) == code


def test_a_taken_space_comes_before_a_wrong_facing_and_after_a_wrong_distance() -> None:
    figures = FIGURES.replace("duke a1>a2", "duke a5>a4").replace("count m1>m2", "count a4>a3")

    assert refused(moving(figures=figures), "a5-a4>m7") == "space-taken"
    assert refused(moving(figures=figures, roll="2"), "a5-a4>m7") == "wrong-distance"


def test_a_facing_that_is_not_next_to_the_space_comes_before_one_that_is_behind() -> None:
    figures = FIGURES.replace("duke a1>a2", "duke a5>a4")

    assert refused(moving(figures=figures), "a5-a4>m7") == "route-broken"
    assert refused(moving(figures=figures), "a5-a4>a5") == "cannot-face-back"
    assert refused(moving(figures=figures), "a5-a4") == "needs-facing"


def test_a_shared_middle_is_ambiguous_before_anything_else_of_the_way() -> None:
    figures = FIGURES.replace("duke a1>a2", "duke g4>h4")

    assert refused(moving(figures=figures, thief="g4>f4"), "g4-a1") == "ambiguous-route"
    assert refused(moving(figures=figures, thief="g4>f4"), "t:g4-h4") == "route-broken"


INVESTMENTS = [
    ("buy z9", "unknown-space"),
    ("buy g4", "no-site-there"),
    ("buy b7", "site-taken"),
    ("buy g7", "site-taken"),
    ("buy a1", "cannot-pay"),
    ("develop z9", "unknown-space"),
    ("develop g7", "not-your-shop"),
    ("develop b1", "not-your-shop"),
    ("develop g4", "not-your-shop"),
    ("move-house z9 b7", "unknown-space"),
    ("move-house b7 z9", "unknown-space"),
    ("move-house b7 g7", "not-your-shop"),
    ("move-house b7 b7", "not-your-shop"),
    ("move-house b7 c7", "four-shops-at-least"),
    ("prestige", "cannot-pay"),
    ("ship", "expansion-off"),
    ("a1-a2", "already-moved"),
    ("a1-z9", "already-moved"),
    ("if 4: a1-a2", "already-moved"),
    ("stuck", "already-moved"),
    ("sell prestige", "nothing-owed"),
    ("customer duke a1>a2", "customer-already-placed"),
    ("shop b1", "not-now"),
    ("thief >f4", "not-now"),
    ("pass; pass", "already-invested"),
    ("buy b1; develop b1", "already-invested"),
    ("pass; buy z9", "already-invested"),
    ("pass; a1-a2", "not-your-turn"),
    ("pass; if 4: a1-a2", "not-your-turn"),
    ("pass; sell prestige", "not-your-turn"),
    ("pass; shop b1", "not-your-turn"),
    ("pass; nonsense", "unreadable-order"),
]


@pytest.mark.parametrize(("orders", "code"), INVESTMENTS)
def test_why_an_investment_is_refused(orders: str, code: str) -> None:
    assert refused(position(money=(4, 6)), orders) == code


def test_houses_are_counted_before_money() -> None:
    state = position(money=(0, 0), shops=("b7:9 c7 d7 f7", "g7 h7 j7 k7"))

    assert refused(state, "buy b1") == "no-houses-left"
    assert refused(state, "develop b7") == "no-houses-left"
    assert refused(state, "move-house b7 c7") == "cannot-pay"


def test_four_shops_come_before_money() -> None:
    assert refused(position(money=(0, 0)), "move-house b7 c7") == "four-shops-at-least"
    assert refused(position(money=(1, 0), shops=("b7 c7 d7 f7 b1", "g7 h7 j7 k7")), "move-house b7 c7") == "cannot-pay"


def test_the_order_of_codes_for_cards() -> None:
    def with_cards(*cards: str) -> State:
        return position(players=4, money=(0,), cards=cards, expansion="on")

    assert refused(with_cards("ship post"), "ship") == "card-already-owned"
    assert refused(with_cards("ship post"), "cart") == "two-cards-at-most"
    assert refused(with_cards("ship", "cart", "cart", "cart"), "cart") == "no-cards-left"
    assert refused(with_cards("ship", "cart", "cart"), "cart") == "cannot-pay"


def test_an_empty_supply_comes_before_money() -> None:
    state = position(players=6, money=(0,), prestige=(2, 2, 2, 2, 3, 3), thief="g4>f4", variant="long-short")

    assert refused(state, "prestige") == "no-cards-left"


def test_whose_decision_it_is_comes_before_what_was_written() -> None:
    assert refused(position(), "nonsense", seat=GREEN) == "not-your-turn"
    assert refused(position(), "nonsense", seat=YELLOW) == "unreadable-order"


def test_nothing_of_a_refused_submission_is_done() -> None:
    found = refusal(moving(), "a1-a2; buy b1; pass")

    assert (found.code, found.step) == ("already-invested", 3)


def test_two_ways_to_say_the_same_space() -> None:
    assert then(moving(), "A1-A2").spaces[0] == "a2"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_sentence(code: str, language: str) -> None:
    assert Words(language, WORDS).knows(f"refusals.{code}")


def _sentences(language: str) -> dict[str, str]:
    return tomllib.loads((WORDS / f"{language}.toml").read_text("utf-8"))["refusals"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_languages_tell_the_same_values(language: str) -> None:
    english = {code: set(FIELD.findall(sentence)) for code, sentence in _sentences("en").items()}

    assert {code: set(FIELD.findall(sentence)) for code, sentence in _sentences(language).items()} == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_explained(language: str) -> None:
    words = RULESET.in_language(language)
    for state, cases in ((moving(), MOVES), (position(money=(4, 6)), INVESTMENTS)):
        for orders, _ in cases:
            sentence = words.explain(refusal(state, orders))
            assert sentence.endswith((".", "!"))
            assert "{" not in sentence
