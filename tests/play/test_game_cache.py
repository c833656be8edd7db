"""Every process remembers games, and none is fooled by what it remembers."""

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.submit import submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game, resign
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.redis_client import RedisClient
from tests.games import decide, deciding


@pytest.fixture
def worker(redis: RedisClient, ports: Ports) -> Ports:
    """Another process on the same store."""
    return Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)


@pytest.fixture
def table(ports: Ports, ann: str, ben: str) -> str:
    """Ben is to move."""
    return open_game(ports, "table", ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {}).id


def moves(worker: Ports, game: str, player: str, orders: str) -> None:
    found = worker.game(game)
    assert found
    submit(worker, found, player, orders)
    decide(worker, [game], deciding())


def test_what_happened_elsewhere_is_seen_at_once(ports: Ports, worker: Ports, table: str, ben: str) -> None:
    before = ports.game(table)

    moves(worker, table, ben, "bobby 4")

    now = ports.game(table)
    assert before
    assert now
    assert (before.version, now.version) == (4, 5)
    assert now.state.bobby == 4
    assert now == Ports(ports.games, ports.players, ports.index, ports.enqueue).game(table)


def test_whoever_is_looking_at_a_game_is_not_disturbed_by_what_comes(ports: Ports, worker: Ports, table: str, ann: str, ben: str) -> None:
    looked_at = ports.game(table)
    assert looked_at
    seats, place, history = looked_at.seats.copy(), looked_at.state.bobby, looked_at.history.copy()

    moves(worker, table, ben, "bobby 4")
    resign(ports, table, ann)

    assert (looked_at.version, looked_at.seats, looked_at.state.bobby, looked_at.history) == (4, seats, place, history)


def test_a_game_that_is_gone_is_gone_for_whoever_has_it_cached(ports: Ports, worker: Ports, table: str) -> None:
    assert ports.game(table)

    worker.games.redis.delete(GameLogs.key(table, "log"))

    assert ports.game(table) is None


def test_a_log_that_was_brought_back_and_went_on_otherwise_is_read_anew(ports: Ports, worker: Ports, table: str, ben: str) -> None:
    keys, redis = [GameLogs.key(table, part) for part in ("log", "head")], worker.games.redis
    earlier = [redis.dump(key) for key in keys]
    moves(worker, table, ben, "bobby 4")
    assert ports.game(table)

    for key, data in zip(keys, earlier, strict=True):
        redis.restore(key, 0, data, replace=True)
    worker.evict(table)
    moves(worker, table, ben, "bobby 5")

    now = ports.game(table)
    assert now
    assert now.state.bobby == 5


def test_games_read_together_are_as_whole_as_those_read_alone(
    monkeypatch: pytest.MonkeyPatch, ports: Ports, worker: Ports, ann: str, ben: str, table: str
) -> None:
    """Also where one is forgotten while another is read."""
    other = open_game(ports, "other", ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {}).id
    worker.evict(other)
    worker.game(table)
    moves(ports, table, ben, "bobby 4")
    monkeypatch.setattr("marketpost.play.log.game_cache.MOST_ENTRIES", 1)

    assert worker.games_now([other, table, "nowhere"]) == {other: ports.game(other), table: ports.game(table)}


def test_long_games_leave_less_room_for_others(monkeypatch: pytest.MonkeyPatch, ports: Ports, ann: str, ben: str, table: str) -> None:
    other = open_game(ports, "other", ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {}).id
    monkeypatch.setattr("marketpost.play.log.game_cache.MOST_ENTRIES", 4)
    assert [ports.cache.version(each) for each in (table, other)] == [4, 4]

    moves(ports, table, ben, "bobby 4")
    ports.game(table)

    assert [ports.cache.version(each) for each in (table, other)] == [5, 0]
