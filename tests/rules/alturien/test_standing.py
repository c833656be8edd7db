"""Standing orders: how they are read and written, and what they offer at which moment."""

import re

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.orders import FaceThief, PlaceShop, SellCard, SellHouse
from marketpost.rules.alturien.standing import candidates, cautions, concerns, read
from marketpost.rules.alturien.standing_language import WhenRobbed, notate_standing, parse_standing
from marketpost.rules.refusal import Caution, Refused
from marketpost.rules.words import LANGUAGES
from tests.rules.alturien.positions import EMPTY_STREETS, GREEN, YELLOW, opened, position, robbing, then

SHOPS = ("b7 c7 d7 f7", "e2:3 h7:2 j7 k7")
HOUSE_THEN_PRESTIGE = WhenRobbed((SellHouse("c1"), SellCard("prestige")))


@pytest.mark.parametrize(
    "text",
    [
        "when robbed: sell house c1, then prestige",
        "When I am robbed: house c1, prestige.".rstrip("."),
        "wenn bestohlen: verkaufe Haus c1, dann Prestige",
        "Falls bestohlen: Haus c1, danach verkaufe Prestige",
        "quand volé : vendre maison c1, puis prestige",
        "si volee: maison c1 ensuite vendre prestige",
        "quando derubato: vendi casa c1, poi prestigio",
        "se vengo derubata: casa c1, e poi prestigio",
        "when robbed: sell house c1, dann prestigio",
    ],
)
def test_what_to_sell_is_a_list_in_any_language(text: str) -> None:
    assert parse_standing(text) == (HOUSE_THEN_PRESTIGE,)


def test_several_are_written_in_lines_or_between_semicolons() -> None:
    assert parse_standing("when robbed: sell house c1, then prestige; thief >f4\nshop b1 # the wine") == (
        HOUSE_THEN_PRESTIGE,
        FaceThief("f4"),
        PlaceShop("b1"),
    )


def test_a_sale_alone_is_meant_for_when_one_is_robbed() -> None:
    assert parse_standing("sell ship") == (WhenRobbed((SellCard("ship"),)),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_read_as_they_are_written_in_every_language(language: str) -> None:
    orders = parse_standing("when robbed: house c1, ship, prestige; thief >h4; customer duke a1>b1; shop c1")

    assert parse_standing(notate_standing(orders, RULESET.in_language(language))) == orders


def test_the_longest_list_can_still_be_read_when_it_is_written_out() -> None:
    orders = parse_standing("when robbed: " + ",".join(["house c1"] * 30))

    assert all(parse_standing(notate_standing(orders, RULESET.in_language(language))) == orders for language in LANGUAGES)


@pytest.mark.parametrize(
    ("text", "code", "step"),
    [
        ("", "unreadable-order", 1),
        ("when robbed", "unreadable-order", 1),
        ("when robbed:", "unreadable-order", 1),
        ("when robbed sell house c1", "unreadable-order", 1),
        ("when robbed: sell house c1, then", "unreadable-order", 1),
        ("when robbed: sell house", "unreadable-order", 1),
        ("when robbed: buy b1", "unreadable-order", 1),
        ("when robbed: " + ",".join(["ship"] * 31), "unreadable-order", 1),
        ("when robbed: " + "ship, " * 5000, "unreadable-order", 1),
        ("thief >f4; when rich: prestige", "unreadable-order", 2),
        ("thief >f4\nc1-f1", "not-standing", 2),
        ("if 4: c1-f1", "not-standing", 1),
        ("prestige", "not-standing", 1),
        ("thief", "not-standing", 1),
        ("thief >f4; when robbed: sell house z9", "unknown-space", 2),
        ("shop z9", "unknown-space", 1),
        ("customer duke a1>z9", "unknown-space", 1),
        ("thief >z9", "unknown-space", 1),
        ("thief >e4", "route-broken", 1),
        ("\ud800", "unreadable-order", 1),
    ],
)
def test_what_could_never_be_done_is_refused_with_its_number(text: str, code: str, step: int) -> None:
    with pytest.raises(Refused) as refused:
        read(opened(), text)

    assert (refused.value.code, refused.value.refusal.step) == (code, step)
    for language in LANGUAGES:
        assert RULESET.in_language(language).explain(refused.value.refusal)


def test_only_what_is_for_the_moment_is_offered() -> None:
    orders = parse_standing("when robbed: house h7, ship; thief >f4; sell prestige")
    robbed = then(robbing(shops=SHOPS, money=(6, 0)), "e3-e2")

    assert candidates(robbed, orders) == ["sell house h7", "sell ship", "sell prestige"]
    assert candidates(then(position(money=(10, 6)), "pass"), orders) == ["thief >f4"]
    assert candidates(position(roll="1"), orders) == []


def test_the_robbed_player_is_concerned_and_the_mover_is_not() -> None:
    robbed = then(robbing(shops=SHOPS, money=(6, 0)), "e3-e2")

    assert concerns(robbed, GREEN)
    assert not concerns(robbed, YELLOW)


def test_who_robs_themselves_is_in_their_own_turn() -> None:
    shops = ("e2:3 b7 c7 d7 f7", "h7 j7 k7 l7")
    own = then(position(roll="1", thief="e3>e2", figures=EMPTY_STREETS, shops=shops, money=(0, 6)), "e3-e2")

    assert own.decider == YELLOW
    assert not concerns(own, YELLOW)


def test_setting_the_table_is_nobodys_turn() -> None:
    table = opened()

    assert concerns(table, table.decider)
    assert not concerns(table, 1 - table.decider)


@pytest.mark.parametrize(
    ("orders", "warned"),
    [
        ("when robbed: sell house b1, then prestige", ("sell house b1", "sell prestige")),
        ("when robbed: sell prestige, then house b1", None),
        ("sell house b1\nsell ship\nsell prestige", ("sell house b1", "sell ship")),
        ("when robbed: sell cart, then staff", None),
        ("when robbed: sell house b1, then house c1", None),
        ("sell house b1", None),
        ("thief >f4; shop b1", None),
    ],
)
def test_an_order_that_may_sell_a_thing_in_vain_is_warned_of(orders: str, warned: tuple[str, str] | None) -> None:
    """As it would where a later sale brings more than an earlier one: some debts it pays alone."""
    state = position()

    found = cautions(state, 0, read(state, orders), RULESET.in_language("en"))

    expected = [Caution("sells-in-vain", {"order": warned[0], "better": warned[1]})] if warned else []
    assert found == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_in_the_help_is_a_good_deal(language: str) -> None:
    """Whatever is quoted as a standing order in the help is one, and sells nothing in vain."""
    words, state = RULESET.in_language(language), position()
    told = " ".join((words.say("help.standing") + words.say("refusals.not-standing", text="")).split())
    quoted = re.findall({"de": "„([^“]+)“", "fr": "« ([^»]+) »"}.get(language, "“([^”]+)”"), told)
    lists = [each for each in quoted if ":" in each]

    assert lists
    for each in lists:
        assert cautions(state, 0, read(state, each), words) == []
    assert lists[0] in " ".join(words.say("help.orders").split())
