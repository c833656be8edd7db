"""Setting the table: customers, first shops, and a table that the server sets."""

from typing import Any

import pytest

from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import RecordedChance
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Setting
from tests.games import open_game, sealed
from tests.rules.alturien.positions import LOOPS, YELLOW, opened, refused, then

SIX = ("duke a1>a2", "marquis e1>e2", "marquis i1>i2", "count m1>m2", "count a7>a6", "count m7>m6")


def with_customers(players: int = 2, count: int = 6) -> State:
    state = opened(players)
    for customer in SIX[:count]:
        state = then(state, f"customer {customer}")
    return state


def test_the_last_seat_places_the_first_customer_and_it_goes_on_clockwise() -> None:
    deciders = [with_customers(4, count).decider for count in range(6)]

    assert deciders == [3, 0, 1, 2, 3, 0]


def test_seat_one_places_the_first_shop() -> None:
    state = with_customers(4)
    deciders = []
    for site in ["b1", "c1", "d1", "f1", "g1"]:
        deciders.append(state.decider)
        state = then(state, f"shop {site}")

    assert deciders == [0, 1, 2, 3, 0]


def test_after_four_shops_each_the_cards_are_given_out_and_seat_one_begins() -> None:
    state = with_customers()
    for site in ["b1", "j1", "c1", "k1", "d1", "f1", "e2"]:
        state = then(state, f"shop {site}")
    assert state.supremacy == {}

    state = then(state, "shop g1")

    assert state.supremacy == {"cloth": 0, "pottery": 1, "spice": 1}
    assert (state.turn, state.active, state.roll_due) == (1, YELLOW, True)


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ("customer duke z9>a2", "unknown-space"),
        ("customer duke a4>z9", "unknown-space"),
        ("customer duke b1>a1", "customer-already-placed"),
        ("customer marquis b1>z1", "unknown-space"),
        ("customer marquis b1", "not-a-start-space"),
        ("customer marquis a1", "space-taken"),
        ("customer marquis a4", "needs-facing"),
        ("customer marquis a4>b7", "route-broken"),
        ("shop b1", "not-now"),
        ("pass", "not-now"),
        ("a1-a2", "not-now"),
        ("sell prestige", "nothing-owed"),
        ("thief >f4", "not-now"),
        ("duke a4>b4", "unreadable-order"),
        ("customer marquis a4>b4; customer marquis e1>e2", "not-your-turn"),
    ],
)
def test_why_a_customer_is_refused(orders: str, code: str) -> None:
    assert refused(with_customers(count=1), orders) == code


def test_customers_may_start_on_plain_spaces_instead() -> None:
    state = opened(customer_start="plain")

    assert refused(state, "customer duke a1>a2") == "not-a-start-space"
    assert refused(state, "customer duke g4>f4") == "not-a-start-space"
    assert then(state, "customer duke b1>c1").spaces == ["b1"]


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ("shop z9", "unknown-space"),
        ("shop g4", "no-site-there"),
        ("shop a1", "site-taken"),
        ("shop m1", "one-grey-at-start"),
        ("customer duke a4>a5", "customer-already-placed"),
        ("buy b1", "not-now"),
    ],
)
def test_why_a_first_shop_is_refused(orders: str, code: str) -> None:
    state = then(then(with_customers(), "shop a1"), "shop b1")

    assert refused(state, orders) == code


def test_who_places_two_things_in_a_row_may_write_them_together() -> None:
    assert then(with_customers(count=5), "customer count m7>m6; shop b1").owners == {"b1": YELLOW}


def test_nobody_is_kept_from_a_second_grey_shop_where_nothing_else_is_free() -> None:
    board = LOOPS | {"grey": " ".join(sorted(site for sites in LOOPS["sites"].values() for site in sites.split())[6:])}
    state = opened(6, board)
    for _ in range(6):
        state = then(state, RULESET.legal(state, state.decider)[0])
    for _ in range(24):
        state = then(state, RULESET.legal(state, state.decider)[0])

    assert state.turn == 1


def test_the_server_deals_a_legal_table_and_rolls() -> None:
    for players in RULESET.players:
        state, played = open_game(RULESET, Setting(RULESET.colours[:players], "alturien-classic"), sealed(players))

        assert (state.turn, state.phase) == (1, "move")
        assert state.drawn == 6 + 4 * players + 1
        assert all(len(state.shops(seat)) == 4 for seat in range(players))
        assert all(sum(site in state.board.grey for site in state.shops(seat)) <= 1 for seat in range(players))
        assert set(state.spaces) <= state.board.grey
        lines = records.write(RULESET, played).split("---\n")[1].splitlines()
        assert len(lines) == 6 + 4 * players + 1
        assert replay(records.read(records.write(RULESET, played))).state == state


def test_what_was_dealt_can_be_checked() -> None:
    setting = Setting(RULESET.colours[:3], "alturien-classic")
    _, played = open_game(RULESET, setting, sealed(8))
    state = RULESET.blank()
    outcomes = []
    for event in (event for each in played for event in each.events):
        for options, outcome in RULESET.draws(state, event):
            assert outcome in options
            outcomes.append(outcome)
        event.apply(state)

    opening = RULESET.start(setting, RecordedChance([]))
    again = RULESET.proceed(RULESET.fold(opening), RecordedChance(outcomes))

    assert RULESET.fold([*opening, *again]) == state


@pytest.mark.parametrize(
    ("colours", "board", "options", "code"),
    [
        (("yellow",), "alturien-classic", {}, "players-number"),
        ((*RULESET.colours, "red"), "alturien-classic", {}, "players-number"),
        (("yellow", "red"), "alturien-classic", {}, "unknown-colour"),
        (("yellow", "yellow"), "alturien-classic", {}, "colour-twice"),
        (("yellow", "green"), "atlantis", {}, "unknown-board"),
        (("yellow", "green"), {"name": "x"}, {}, "board-field-missing"),
        (("yellow", "green"), "alturien-classic", {"lord": "action"}, "unknown-option"),
        (("yellow", "green"), "alturien-classic", {"setup": "fast"}, "bad-option"),
        (("yellow", "green"), "alturien-classic", {"expansion": True}, "bad-option"),
        (("yellow", "green"), "alturien-classic", {"expansion": ["on"]}, "bad-option"),
    ],
)
def test_what_cannot_be_agreed_on(colours: tuple[str, ...], board: Any, options: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        RULESET.start(Setting(colours, board, None, options), RecordedChance([]))

    assert refusal.value.code == code
