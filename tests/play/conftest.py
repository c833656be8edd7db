"""A real Redis, and nobody at work: workers are called by hand, so that a test sees each step."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from play.people import register
from play.ports import Ports
from store.connect import Client, connect
from store.games import Games
from store.index import Index
from store.people import People
from tests.redis import games_redis


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with games_redis(Path(tmp_path_factory.mktemp("data"))) as url:
        yield connect(url)


@pytest.fixture
def ports(redis: Client) -> Ports:
    redis.flushall()
    return Ports(Games(redis), People(redis), Index(redis), lambda game: None)


@pytest.fixture
def ann(ports: Ports) -> str:
    return register(ports, "ann@example.org", "Ann").id


@pytest.fixture
def ben(ports: Ports) -> str:
    return register(ports, "ben@example.org", "Ben").id


@pytest.fixture
def cy(ports: Ports) -> str:
    return register(ports, "cy@example.org", "Cy").id
