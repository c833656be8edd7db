"""Orders as people write them: read in four languages, written down again, and never a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marketpost.rules.alturien.board import WORDS
from marketpost.rules.alturien.orders import (
    Buy,
    BuyCard,
    Develop,
    FaceThief,
    If,
    Move,
    MoveHouse,
    Pass,
    PlaceCustomer,
    PlaceShop,
    SellCard,
    SellHouse,
    Step,
    notate,
    parse,
)
from marketpost.rules.refusal import Unreadable
from marketpost.rules.words import LANGUAGES, Words, lexicon

READ: list[tuple[str, Step]] = [
    ("customer duke a1>b1", PlaceCustomer("duke", "a1", "b1")),
    ("Kunde Herzog a1 > b1", PlaceCustomer("duke", "a1", "b1")),
    ("client comte a1>b1", PlaceCustomer("count", "a1", "b1")),
    ("cliente marchese a1", PlaceCustomer("marquis", "a1")),
    ("shop b1", PlaceShop("b1")),
    ("GESCHAEFT b1", PlaceShop("b1")),
    ("Geschaft b1", PlaceShop("b1")),
    ("c1-f1", Move(("c1", "f1"))),
    ("c1 – f1", Move(("c1", "f1"))),
    ("c1-e1-e4 >e5", Move(("c1", "e1", "e4"), "e5")),
    ("t : g4-e4>e3", Move(("g4", "e4"), "e3", "t")),
    ("C:g4-h4", Move(("g4", "h4"), None, "c")),
    ("if 1-3: c1-e1>e2", If("1-3", Move(("c1", "e1"), "e2"))),
    ("falls 4 : t:k1-i3", If("4", Move(("k1", "i3"), None, "t"))),
    ("thief >f4", FaceThief("f4")),
    ("voleur > f4", FaceThief("f4")),
    ("buy b1", Buy("b1")),
    ("achète b1", Buy("b1")),
    ("developper c1", Develop("c1")),
    ("move-house c1 f4", MoveHouse("c1", "f4")),
    ("move house c1 f4", MoveHouse("c1", "f4")),
    ("déménager c1 f4", MoveHouse("c1", "f4")),
    ("Prestige", BuyCard("prestige")),
    ("bateaux", BuyCard("ship")),
    ("Kontor", BuyCard("post")),
    ("passe", Pass()),
    ("sell prestige", SellCard("prestige")),
    ("verkaufe Haus c1", SellHouse("c1")),
    ("vendre maison de commerce c1", SellHouse("c1")),
    ("vendi nave", SellCard("ship")),
]


@pytest.mark.parametrize(("text", "step"), READ)
def test_what_orders_mean(text: str, step: Step) -> None:
    assert parse(text) == (step,)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("text", "step"), READ)
def test_what_is_written_is_read_again(text: str, step: Step, language: str) -> None:
    assert parse(notate((step,), Words(language, WORDS))) == (step,)


NO_ORDERS = """c4-a5>|-|c1-|c1>d1|c1--d1|buy|buy a1 a2|build e5|purchase h1|ships|end|move-house b7|sell|sell house|sell c1|customer a1>b1
|customer thief a1>b1|if 4: pass|if c1-d1|if four: c1-d1|if 1-2-3: c1-d1|if 4: if 4: c1-d1|thief f4|thief g4>f4|x:c1-d1|t:|pass now
|roll 4: c1-d1|customer=duke|i1"""


@pytest.mark.parametrize("text", ["", ";;", "# only a comment", "pass; " * 101, "c1-d1 " * 100, *NO_ORDERS.replace("\n", "").split("|")])
def test_what_is_no_order(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)


def test_steps_lines_and_comments() -> None:
    assert parse("c1-d1 # along\n\n; pass") == (Move(("c1", "d1")), Pass())


def test_the_first_unreadable_step_is_told() -> None:
    with pytest.raises(Unreadable) as refused:
        parse("c1-d1; hello; buy")

    assert refused.value.refusal.step == 2


def test_no_word_has_two_meanings() -> None:
    assert [spelling for spelling, meanings in lexicon(WORDS).items() if len(meanings) > 1] == []


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert read_again(text)


def read_again(text: str) -> bool:
    try:
        orders = parse(text)
    except Unreadable:
        return True
    return parse(notate(orders)) == orders


WORDS_AND_SIGNS = ["if", "4", ":", "c1", "-", ">", "t", "sell", "house", "customer", "duke", "thief", "pass", ";", "1-3"]


@given(st.lists(st.sampled_from(WORDS_AND_SIGNS), max_size=12).map(" ".join))
def test_any_mixture_of_words_is_read_or_refused(text: str) -> None:
    assert read_again(text)
