"""A real Redis, and nobody at work: workers are called by hand, so that a test sees each step."""

import pytest

from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.redis_client import RedisClient


@pytest.fixture
def ports(redis: RedisClient) -> Ports:
    redis.flushall()
    return Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)


@pytest.fixture
def ann(ports: Ports) -> str:
    return register(ports, "ann@example.org", "Ann").id


@pytest.fixture
def ben(ports: Ports) -> str:
    return register(ports, "ben@example.org", "Ben").id


@pytest.fixture
def cy(ports: Ports) -> str:
    return register(ports, "cy@example.org", "Cy").id
