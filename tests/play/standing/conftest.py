"""The table, and moments in which somebody must decide outside their turn."""

import pytest

from marketpost.play.outbox.notices import Notice
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.redis_client import RedisClient
from tests.moments import Moment, before, is_robbed, thief_comes
from tests.play.standing.table import Table

NAMES = ("ann", "bob", "cleo", "dan")


@pytest.fixture
def table(redis: RedisClient) -> Table:
    redis.flushall()
    told: list[Notice] = []
    ports = Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)
    return Table(ports, [register(ports, f"{name}@example.org", name).id for name in NAMES], told)


@pytest.fixture(scope="session")
def robbery() -> Moment:
    return before(is_robbed)


@pytest.fixture(scope="session")
def entry() -> Moment:
    return before(thief_comes)
