"""A real Redis, and nobody at work: workers are called by hand, so that a test sees each step."""

import pytest

from play.people import register
from play.ports import Ports
from store.connect import Client
from store.games import Games
from store.index import Index
from store.people import People


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
