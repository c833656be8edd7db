"""Any orders are read again as they were written down; anything at all is orders or refused, and never a crash."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.board import load_board
from marketpost.rules.portobello.orders import (
    WORDS,
    Bobby,
    ChooseTile,
    Draw,
    DrawAndSee,
    End,
    IfDrawn,
    Lord,
    MarkDistrict,
    Orders,
    Place,
    Stall,
    notate,
    parse,
)
from marketpost.rules.refusal import Refusal, Unreadable
from marketpost.rules.words import LANGUAGES, Words
from tests.games import sealed
from tests.rules.portobello.positions import after

calm = settings(deadline=None, max_examples=60)
"""A busy machine is no failure."""
BOARD = load_board("portobello-classic")
squares = st.sampled_from("ABCDEFGHIJKLZ")
districts = st.integers(0, 999)
lanes = st.one_of(st.sampled_from(sorted(BOARD.lanes)), st.just("AA"), st.just("XZ"))
simple_steps = st.one_of(
    st.builds(ChooseTile, st.integers(0, 9)),
    st.builds(Stall, lanes),
    lanes.flatmap(lambda lane: st.builds(Stall, st.just(lane), st.sampled_from(lane))),
    st.builds(Draw, squares, squares),
    st.builds(DrawAndSee),
    st.builds(Place, squares),
    st.builds(Lord),
    st.builds(Bobby, st.lists(districts, min_size=1, max_size=12).map(tuple)),
    st.builds(MarkDistrict, districts),
    st.builds(End),
)


def some_steps(least: int, most: int) -> st.SearchStrategy[Orders]:
    return st.lists(simple_steps, min_size=least, max_size=most).map(tuple)


branch_pairs = st.permutations(["clerk", "citizen"]).flatmap(
    lambda kinds: st.tuples(*(st.builds(IfDrawn, st.just(kind), some_steps(0, 8)) for kind in kinds))
)
looks = st.builds(DrawAndSee, st.one_of(branch_pairs, branch_pairs.map(lambda pair: pair[:1])))
any_orders = st.one_of(
    some_steps(1, 30),
    st.builds(lambda steps, look: (*steps, look), some_steps(0, 20), looks),
)


# Written down and read again


@pytest.mark.parametrize("language", LANGUAGES)
@calm
@given(orders=any_orders)
def test_what_is_written_is_read_again_in_every_language(language: str, orders: Orders) -> None:
    assert parse(notate(orders, Words(language, WORDS))) == orders


@calm
@given(orders=any_orders, how=st.sampled_from([str.upper, str.lower, str.title, str.swapcase]))
def test_case_never_matters(orders: Orders, how: Callable[[str], str]) -> None:
    assert parse(how(notate(orders))) == orders


@calm
@given(orders=any_orders)
def test_blanks_around_signs_never_matter(orders: Orders) -> None:
    spaced = re.sub("([;:-])", "\u00a0 \\1 \t", notate(orders).replace(";", ";;"))

    assert parse(spaced) == orders


# Anything at all


SOUP = r"3: 2 : ; # if falls customer Kunde stall A-B AB A - place lord bobby 3-4 4 mark end clerk Bürger = { } é ' tuile d'action"
WORD_SOUP = st.lists(st.sampled_from([*SOUP.split(), "\n", "\u00a0", "\x00", "\ud800"]), max_size=60).map(" ".join)
ANYTHING = st.one_of(
    st.text(),
    st.text(st.characters(codec=None)),
    st.text(st.characters(categories=["Cs", "Cc", "Nd", "Lu", "Mn"])),
    st.binary(max_size=400).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.binary(max_size=400).map(lambda data: data.decode("latin-1")),
    WORD_SOUP,
)
STRANGE = [
    "\x00",
    "\ud800",
    "stall \udcff-B",
    "3: \ud83d",
    "a" * 100_000,
    "stall " * 20_000,
    ";" * 100_000,
    ":" * 100_000,
    "3:" * 50_000,
    "9" * 100_000 + ":",
    "bobby " + "9" * 100_000,
    "customer; if " + "clerk " * 20_000,
    "customer; if clerk: " + "if clerk: " * 10_000,
    "e\u0301" * 50_000,
    "\u0301" * 100_000,
    "\ufdfa" * 5_000,
    "'" * 100_000,
    "\ufeff3: end",
    "{0} {text} {}",
]


def reading(text: str) -> Orders | Refusal:
    try:
        return parse(text)
    except Unreadable as refused:
        return refused.refusal


def assert_read_or_refused(text: str) -> None:
    found = reading(text)
    if isinstance(found, Refusal):
        assert found.step >= 1
        assert all(Words(language, WORDS).explain(found) for language in LANGUAGES)
    else:
        assert 0 < len(found) <= 100


@calm
@given(ANYTHING)
def test_any_text_is_orders_or_unreadable(text: str) -> None:
    assert_read_or_refused(text)


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_the_strangest_mails_are_orders_or_unreadable(text: str) -> None:
    assert_read_or_refused(text)
    assert_judged(text)


def assert_judged(text: str) -> None:
    for state in (after("bobby 4"), after("bobby 4", "3: stall B-F; customer=clerk", edition="fr")):
        before = state.copy()
        verdict = RULESET.judge(state, 0, text, sealed(7))
        assert state == before
        assert verdict.events or verdict.refusal


@calm
@given(ANYTHING)
def test_any_text_is_judged(text: str) -> None:
    assert_judged(text)


@calm
@given(any_orders)
def test_any_orders_are_judged(orders: Orders) -> None:
    assert_judged(notate(orders))
