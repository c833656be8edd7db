"""Standing orders decide for a player who is not there: once, through the same door, and only outside the own turn."""

import pytest

from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import SeatPlan, Undone
from marketpost.play.log.entries import write
from marketpost.play.moves.game_view import record
from marketpost.play.moves.submit import submit
from marketpost.play.outbox import notices
from marketpost.play.table.seating import open_game, resign
from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import RecordedChance
from marketpost.rules.replay import replay
from tests.moments import Moment, before, is_robbed
from tests.play.standing.table import Table, all_for_sale, seat_at


class Killed(BaseException):
    """The worker is gone."""


def test_without_standing_orders_the_robbed_player_is_asked(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)

    table.play(robbery.seat, robbery.orders)

    assert table.asked() == [robbery.after.decider]
    assert table.game.deciders == (robbery.after.decider,)


def test_the_robbed_player_sells_by_standing_orders_and_is_not_asked(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    table.leave(robbed, all_for_sale(robbery))

    table.play(robbery.seat, robbery.orders)

    assert not table.game.state.debt
    assert robbed not in table.asked()
    [move, sale] = table.moved()
    assert (sale.seat, sale.standing, move.standing) == (robbed, True, False)
    assert sale.orders.startswith(RULESET.legal(robbery.after, robbed)[-1])
    assert not verify("g1", table.ports.games.read("g1")).faults
    assert replay(records.read(record(table.ports, table.game))).state == table.game.state


def test_the_thief_is_faced_by_standing_orders_and_the_next_turn_begins(table: Table, entry: Moment) -> None:
    seat_at(table, entry)
    facing = RULESET.legal(entry.after, entry.after.decider)[-1]
    table.leave(entry.after.decider, facing)

    table.play(entry.seat, entry.orders)

    game = table.game
    assert [action.orders for action in table.moved()] == [entry.orders, facing]
    assert game.state.turn == entry.after.turn + 1
    assert game.state.dice
    assert table.asked() == [game.state.active]


def test_what_is_listed_is_sold_and_the_player_is_asked_for_the_rest(table: Table) -> None:
    big = before(lambda state: is_robbed(state) and _owed(state) > 2)
    seat_at(table, big)
    robbed = big.after.decider
    first = next(order for order in RULESET.legal(big.after, robbed) if order.startswith("sell house"))
    table.leave(robbed, first)

    table.play(big.seat, big.orders)

    assert table.game.state.debt
    assert table.moved()[-1].standing
    assert set(table.moved()[-1].orders.split("; ")) == {first}
    assert table.asked() == [robbed]


def _owed(state: State) -> int:
    """What is missing."""
    return state.debt.amount - state.money[state.debt.seat] if state.debt else 0


def test_a_thing_is_sold_as_often_as_it_may_be_until_the_debt_is_paid(table: Table) -> None:
    def owes_two_houses(state: State) -> bool:
        return is_robbed(state) and any(_sales_needed(state, order) > 1 for order in RULESET.legal(state, state.decider))

    moment = before(owes_two_houses)
    seat_at(table, moment)
    robbed = moment.after.decider
    order = next(order for order in RULESET.legal(moment.after, robbed) if _sales_needed(moment.after, order) > 1)
    table.leave(robbed, order)

    table.play(moment.seat, moment.orders)

    assert table.moved()[-1].orders.split("; ") == [order] * _sales_needed(moment.after, order)


def _sales_needed(state: State, order: str) -> int:
    """How often it can be sold before nothing is owed any more."""
    verdict, times = RULESET.judge(state, state.decider, order, RecordedChance([])), 0
    while verdict.refusal is None:
        times += 1
        verdict = RULESET.judge(state, state.decider, "; ".join([order] * (times + 1)), RecordedChance([]))
    return times


def test_where_nothing_of_it_is_legal_the_player_is_asked_as_usual(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    table.leave(robbery.after.decider, "when robbed: sell ship; thief >f4")

    table.play(robbery.seat, robbery.orders)

    assert table.asked() == [robbery.after.decider]
    assert len(table.moved()) == 1


def test_what_can_no_longer_be_read_stops_nothing(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    table.ports.games.set_standing_orders("g1", table.players[robbed], "as agreed in an older version")

    table.play(robbery.seat, robbery.orders)

    assert table.asked() == [robbed]
    assert not table.ports.games.has_work("g1")


def test_in_ones_own_turn_one_is_always_asked(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    active = table.game.state.active
    table.leave(active, all_for_sale(robbery))
    table.work()

    assert table.game.deciders == (active,)
    assert not table.moved()


def test_orders_left_while_the_decision_waits_answer_it(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    table.play(robbery.seat, robbery.orders)
    table.leave(robbery.after.decider, all_for_sale(robbery))

    table.work()

    assert not table.game.state.debt
    assert table.moved()[-1].standing


def test_the_table_is_set_by_standing_orders(table: Table) -> None:
    seats = [SeatPlan(player=player) for player in table.players[:2]]
    open_game(table.ports, "g1", table.players[0], "alturien", seats, {"options": {"setup": "manual"}})
    table.work()
    kinds = ("duke", "marquis", "marquis", "count", "count", "count")
    spaces = [order.split()[2] for order in RULESET.legal(table.game.state, 1) if " duke " in order]
    first_of = list({space.partition(">")[0]: space for space in spaces}.values())
    customers = [f"customer {kind} {space}" for kind, space in zip(kinds, first_of, strict=False)]
    for seat, sites in enumerate(("b1 c1 d1 f1 g1", "b7 c7 d7 f7 g7")):
        table.leave(seat, "\n".join([*customers, *(f"shop {site}" for site in sites.split())]))

    table.work()

    assert table.game.state.turn == 1
    assert sorted(table.game.state.shops(0)) == ["b1", "c1", "d1", "f1"]
    assert all(action.standing for action in table.moved())


def killed_at_the_kick(table: Table) -> None:
    """The worker dies when it has stored what the standing orders say, before anybody judges it."""
    enqueued = table.ports.enqueue

    def die(game: str) -> None:
        raise Killed

    table.ports.enqueue = die
    with pytest.raises(Killed):
        table.work()
    table.ports.enqueue = enqueued


def test_a_worker_killed_in_between_leaves_them_to_be_carried_out_once(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    table.leave(robbed, all_for_sale(robbery))
    submit(table.ports, table.game, table.players[robbery.seat], robbery.orders)
    killed_at_the_kick(table)
    assert table.ports.games.pending("g1")
    assert table.ports.games.work({"g1": 0})["g1"].notices, "the notice has not been taken out"

    table.work()
    table.work()

    assert [action.standing for action in table.moved()] == [False, True]
    assert not table.game.state.debt


def test_a_notice_that_is_delivered_again_later_changes_nothing(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    table.leave(robbed, all_for_sale(robbery))
    table.play(robbery.seat, robbery.orders)
    version = table.game.version
    robbed_at = next(number for number, action in enumerate(table.moved()) if not action.standing)
    first = version - len(table.moved()) + robbed_at + 1
    again = notices.after_move(table.game, robbery.after, first, robbery.seat, 0)
    assert notices.decode(again[0]).away
    table.ports.games.redis.rpush(table.ports.games.key("g1", "outbox"), *again)

    table.work()

    assert table.game.version == version


def test_if_the_game_has_changed_meanwhile_the_player_is_asked(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    other = next(seat for seat in range(4) if seat not in (robbed, robbery.after.active))
    table.leave(robbed, all_for_sale(robbery))
    submit(table.ports, table.game, table.players[robbery.seat], robbery.orders)
    killed_at_the_kick(table)
    resign(table.ports, "g1", table.players[other])

    table.work()

    assert table.game.state.debt
    assert robbed in table.asked()
    assert len(table.moved()) == 1


def test_only_out_of_turn_decisions_make_a_worker_look_for_them(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    table.play(robbery.seat, robbery.orders)
    assert [notice.away for notice in table.told] == [True]

    while table.game.state.debt:
        table.play(robbery.after.decider, RULESET.legal(table.game.state, robbery.after.decider)[0])

    assert [notice.away for notice in table.told][1:] == [False] * (len(table.told) - 1)


def test_what_was_taken_back_is_not_told_as_decided(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    table.leave(robbery.after.decider, all_for_sale(robbery))
    table.play(robbery.seat, robbery.orders)
    game = table.game
    (version,) = game.stood
    entries, head = write(game.version, game.head, 0, None, game.stamp, [Undone(robbery.seat, version - 1)])
    table.ports.games.commit("g1", game.version, entries, head)

    assert table.game.state == robbery.after
    assert not table.game.stood
