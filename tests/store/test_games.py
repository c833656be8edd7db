"""What the store of games promises, checked on a real server with several writers at once."""

import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from marketpost.store.changes import Change, Changes, CommitResult, SameKeyOtherMove, Submission
from marketpost.store.connections import NotCopied, connect
from marketpost.store.game_logs import GameLogs
from marketpost.store.redis_client import RedisClient
from tests.cluster import DURABLE, node
from tests.running.live import until


@pytest.fixture
def games(redis: RedisClient) -> GameLogs:
    return GameLogs(redis)


@pytest.fixture
def game(games: GameLogs) -> str:
    id = secrets.token_hex(6)
    assert games.open(id, b"secret", [b"first"], "hash")
    return id


def a_move(id: str = "m1") -> Submission:
    return Submission(id, "ann", 0, "3: stall A-B", 1)


def entries(games: GameLogs, game: str) -> list[tuple[int, bytes]]:
    return [(each.version, each.data) for each in games.read(game)]


def at_once(workers: int, action: Callable[[int], Any]) -> list[Any]:
    """All of them begin together."""
    start = threading.Barrier(workers)

    def run(number: int) -> Any:
        start.wait()
        return action(number)

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(run, range(workers)))


def test_a_game_is_opened_once(games: GameLogs, game: str) -> None:
    assert not games.open(game, b"another secret", [b"another first"], "hash")
    assert entries(games, game) == [(1, b"first")]
    assert games.secret(game) == b"secret"


def test_of_many_who_append_at_once_one_wins_and_the_others_are_told(games: GameLogs, game: str) -> None:
    outcomes = at_once(16, lambda number: games.commit(game, 1, [f"entry {number}".encode()]))

    assert outcomes.count(CommitResult.DONE) == 1
    assert outcomes.count(CommitResult.GROWN) == 15
    assert len(games.read(game)) == 2


def test_an_append_leaves_no_gap(games: GameLogs, game: str) -> None:
    assert games.commit(game, 5, [b"from the future"]) is CommitResult.GROWN
    assert games.commit(game, 0, [b"from the past"]) is CommitResult.GROWN
    assert entries(games, game) == [(1, b"first")]


def test_several_entries_are_appended_together_or_not_at_all(games: GameLogs, game: str) -> None:
    assert games.commit(game, 1, [b"second", b"third"]) is CommitResult.DONE
    assert games.commit(game, 2, [b"late", b"later"]) is CommitResult.GROWN
    assert entries(games, game) == [(1, b"first"), (2, b"second"), (3, b"third")]


def test_a_move_waits_until_it_has_an_outcome(games: GameLogs, game: str) -> None:
    move = games.accept(game, a_move(), "", "body")

    assert [each.id for each in games.pending(game)] == [move]
    assert games.has_work(game)

    games.commit(game, 1, [b"moved"], "hash", [b"tell ben"], move, b"applied")

    assert not games.pending(game)
    assert games.outcome(game, move) == b"applied"
    assert games.work({game: 0})[game].notices == [b"tell ben"]


def test_a_move_that_is_decided_twice_counts_once(games: GameLogs, game: str) -> None:
    move = games.accept(game, a_move(), "", "body")

    first = games.commit(game, 1, [b"moved"], "hash", [], move, b"applied")
    repeated = games.commit(game, 1, [b"moved"], "hash", [], move, b"applied")
    after_more = games.commit(game, 2, [b"moved again"], "hash", [], move, b"applied")

    assert (first, repeated, after_more) == (CommitResult.DONE, CommitResult.DECIDED, CommitResult.DECIDED)
    assert len(games.read(game)) == 2


def test_many_workers_with_the_same_move_apply_it_once(games: GameLogs, game: str) -> None:
    move = games.accept(game, a_move(), "", "body")

    outcomes = at_once(12, lambda number: games.commit(game, 1, [f"by {number}".encode()], "hash", [b"notice"], move, b"applied"))

    assert outcomes.count(CommitResult.DONE) == 1
    assert len(games.read(game)) == 2
    assert games.work({game: 0})[game].notices == [b"notice"]


def test_a_refusal_judged_on_an_old_log_does_not_count(games: GameLogs, game: str) -> None:
    move = games.accept(game, a_move(), "", "body")
    games.commit(game, 1, [b"somebody else moved"])

    assert games.commit(game, 1, [], "", [], move, b"refused") is CommitResult.GROWN
    assert games.outcome(game, move) is None


def test_the_same_key_is_the_same_move(games: GameLogs, game: str) -> None:
    moves = at_once(20, lambda number: games.accept(game, a_move(f"m{number}"), "ann key", "body"))

    assert len(set(moves)) == 1
    assert len(games.pending(game)) == 1


def test_the_same_key_with_another_body_is_told(games: GameLogs, game: str) -> None:
    games.accept(game, a_move("m1"), "ann key", "body")

    with pytest.raises(SameKeyOtherMove):
        games.accept(game, a_move("m2"), "ann key", "another body")

    assert [each.id for each in games.pending(game)] == ["m1"]


def test_a_repeated_request_finds_its_move_also_after_it_was_decided(games: GameLogs, game: str) -> None:
    move = games.accept(game, a_move("m1"), "ann key", "body")
    games.commit(game, 1, [b"moved"], "hash", [], move, b"applied")

    assert games.accept(game, a_move("m2"), "ann key", "body") == "m1"
    assert not games.pending(game)


def test_moves_wait_in_the_order_they_came(games: GameLogs, game: str) -> None:
    for number in range(5):
        games.accept(game, a_move(f"m{number}"), "", "body")

    assert [each.id for each in games.pending(game)] == [f"m{number}" for number in range(5)]


def test_new_entries_reach_whoever_waits(games: GameLogs, game: str, redis: RedisClient) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(games.wait, game, 1, 5000)
        GameLogs(redis).commit(game, 1, [b"news"])
        assert [each.data for each in waiting.result()] == [b"news"]


def test_every_key_of_a_game_carries_its_hash_tag(games: GameLogs, game: str, redis: RedisClient) -> None:
    move = games.accept(game, a_move(), "ann key", "body")
    games.commit(game, 1, [b"moved"], "hash", [b"notice"], move, b"applied")
    games.say(game, "s1", b"hello")

    keys = [key.decode() for key in redis.scan_iter(f"*{game}*")]

    assert len(keys) >= 5
    assert all(key.startswith(f"game:{{{game}}}:") for key in keys)


def test_changes_of_several_games_are_written_together(games: GameLogs, game: str) -> None:
    other = secrets.token_hex(6)
    games.open(other, b"secret", [b"first"], "hash")
    two = [Change([b"second"], "two", [b"tell ben"]), Change([b"third", b"fourth"], "four", [b"tell cy"])]

    became = games.commit_all([Changes(game, 1, two), Changes(other, 7, two)])

    assert became == [[CommitResult.DONE, CommitResult.DONE], [CommitResult.GROWN]]
    assert entries(games, game) == [(1, b"first"), (2, b"second"), (3, b"third"), (4, b"fourth")]
    assert (games.head(game), games.work({game: 0})[game].notices) == ("four", [b"tell ben", b"tell cy"])
    assert (entries(games, other), games.work({other: 0})) == ([(1, b"first")], {})


def test_what_was_judged_on_a_change_that_is_not_written_is_not_written_either(games: GameLogs, game: str) -> None:
    move, later = (games.accept(game, a_move(id), "", "") for id in ("m1", "m2"))
    games.commit(game, 1, [b"moved"], "hash", [], move, b"applied")

    became = games.commit_all([Changes(game, 2, [Change([b"again"], "x", [], move, b"applied"), Change([], "", [], later, b"refused")])])

    assert became == [[CommitResult.DECIDED]]
    assert entries(games, game) == [(1, b"first"), (2, b"moved")]
    assert [each.id for each in games.pending(game)] == [later]


def test_a_move_that_no_replica_has_is_not_acknowledged_when_it_is_sent_again(tmp_path: Path) -> None:
    with node(tmp_path, *DURABLE) as master, node(tmp_path, *DURABLE, "--replicaof", "127.0.0.1", str(master.port)) as replica:
        until(lambda: master.client.waitaof(0, 1, 100)[1] == 1)
        one, other = (GameLogs(connect(f"redis://127.0.0.1:{master.port}"), replicas=1) for _ in range(2))
        until(lambda: _is_opened(one))
        assert other.accept("g", a_move("m1"), "ann first", "body") == "m1"
        replica.process.send_signal(signal.SIGSTOP)

        for games in (one, other):
            with pytest.raises(NotCopied):
                games.accept("g", a_move("m2"), "ann second", "body")


def _is_opened(games: GameLogs) -> bool:
    try:
        games.open("g", b"secret", [b"first"], "hash")
    except NotCopied:
        return False
    return True
