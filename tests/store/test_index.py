"""Lists of games, on a real server."""

from pathlib import Path

from marketpost.store.connections import connect
from marketpost.store.game_index import QUIET_AFTER, GameIndex
from tests.redis import games_redis

NOON, HOUR = 1_800_000_000.0, 3600.0


def test_work_is_announced_also_after_the_clock_was_set_back(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        index = GameIndex(connect(url))
        index.announce("g1", NOON + HOUR)
        index.drop("g1", NOON + HOUR)

        index.announce("g1", NOON)

        assert index.at_work() == [("g1", NOON)]


def test_work_that_was_announced_just_now_is_not_announced_again(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        index = GameIndex(connect(url))

        index.announce("g1", NOON)
        index.announce("g1", NOON + 1)
        assert index.at_work() == [("g1", NOON)]

        index.announce("g1", NOON + QUIET_AFTER)
        assert index.at_work() == [("g1", NOON + QUIET_AFTER)]
