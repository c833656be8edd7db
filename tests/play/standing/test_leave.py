"""Standing orders are left, read and taken back by whoever they belong to."""

from pathlib import Path

import pytest

from marketpost.play.keeping.compaction import compact
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.standing_orders import cancel, leave, look
from marketpost.play.moves.submit import submit
from marketpost.play.people.erasure import erase
from marketpost.play.table.seating import import_game, open_game, resign
from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from tests.moments import Moment
from tests.play.standing.table import Table, all_for_sale, seat_at


def test_they_go_with_the_player_and_not_with_the_seat(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    table.leave(robbed, all_for_sale(robbery))
    resign(table.ports, "g1", table.players[robbed])

    submit(table.ports, table.game, table.players[robbery.seat], robbery.orders)
    table.work()

    assert not any(action.standing for action in table.moved())
    assert table.moved()[1].seat == robbed, "the bot decides"


def test_who_takes_them_back_is_asked_again(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    robbed = robbery.after.decider
    table.leave(robbed, all_for_sale(robbery))
    cancel(table.ports, "g1", table.players[robbed])

    table.play(robbery.seat, robbery.orders)

    assert look(table.ports, "g1", table.players[robbed]) == ""
    assert table.asked() == [robbed]


def test_they_are_told_in_the_readers_language_and_later_ones_replace_earlier_ones(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    ann = table.players[0]
    table.leave(0, "thief >f4")

    assert table.leave(0, "Wenn bestohlen: Haus c1, dann Prestige") == "when robbed: sell house c1, then sell prestige"
    assert look(table.ports, "g1", ann) == "when robbed: sell house c1, then sell prestige"
    assert look(table.ports, "g1", ann, RULESET.in_language("it")) == "se vengo derubato: vendi casa c1, poi vendi prestigio"


def test_nothing_personal_is_kept_in_them_and_the_log_knows_nothing_of_them(table: Table, robbery: Moment) -> None:
    seat_at(table, robbery)
    version = table.game.version
    place = table.ports.games.key("g1", "standing")
    table.leave(0, "thief >f4 # call Ann Bauer, 0221-345")
    assert table.ports.games.redis.hgetall(place) == {table.players[0].encode(): b"thief >f4"}
    assert table.game.version == version

    erase(table.ports, table.players[0])

    assert not table.ports.games.redis.exists(place)
    assert table.game.version == version + 1, "the log only knows that a bot plays on"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable-order"),
        ("what I always do", "unreadable-order"),
        ("c1-f1", "not-standing"),
        ("when robbed: house z9", "unknown-space"),
        ("thief >f4\n" * 300, "orders-too-long"),
    ],
)
def test_what_cannot_be_left_is_refused_and_the_earlier_ones_stay(table: Table, robbery: Moment, text: str, code: str) -> None:
    seat_at(table, robbery)
    table.leave(0, "thief >h4")

    with pytest.raises(Refused) as refused:
        table.leave(0, text)

    assert refused.value.code == code
    assert look(table.ports, "g1", table.players[0]) == "thief >h4"


def test_they_are_refused_where_there_is_nothing_to_leave_them_for(table: Table, robbery: Moment) -> None:
    ann, bob, *_ = table.players
    open_game(table.ports, "p1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(bot="random")], {})
    open_game(table.ports, "a1", ann, "alturien", [SeatPlan(player=ann), SeatPlan()], {})
    refusals = {"p1": "no-standing-orders", "a1": "not-started", "x1": "no-such-game"}

    for game, code in refusals.items():
        with pytest.raises(Refused) as refused:
            leave(table.ports, game, ann, "thief >f4")
        assert refused.value.code == code
    for verb in (look, cancel):
        with pytest.raises(Refused) as refused:
            verb(table.ports, "a1", bob)
        assert refused.value.code == "not-your-game"


def test_a_finished_game_drops_them(table: Table) -> None:
    finished = (Path(__file__).parents[2] / "records" / "alturien" / "001-2p.txt").read_text("utf-8")
    done = replay(records.read(finished))
    players = [SeatPlan(player=player) for player in (table.players * 2)[: len(done.state.colours)]]
    import_game(table.ports, "g1", table.players[0], done, players)
    table.work()
    table.ports.games.set_standing_orders("g1", table.players[0], "thief >f4")
    assert table.game.status == "over"

    assert compact(table.ports, "g1")

    assert look(table.ports, "g1", table.players[0]) == ""
