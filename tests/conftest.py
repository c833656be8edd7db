"""A post office and a service for every test that wants one; and commands that speak English, whatever the machine speaks."""

import os
from collections.abc import Iterator

import pytest
from flask import Response, request_finished
from hypothesis import settings as hypothesis_settings

from marketpost.mail.outbound.letters import game_values
from marketpost.store.connections import connect
from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings
from tests import described
from tests.mail.desk import Desk, open_desk, two_redis
from tests.redis import games_redis
from tests.service import Service, service
from tests.small_pictures import draw_small

os.environ["LC_ALL"] = "C.UTF-8"
hypothesis_settings.register_profile("marketpost", deadline=None)  # on a busy machine an example may take any time
hypothesis_settings.load_profile("marketpost")


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Twice as many as cores: at most times half of them wait for processes of their own."""
    return (os.cpu_count() or 1) * 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that wait longest come first, or at the end everybody would wait for one of them."""
    items.sort(key=lambda item: "running" not in item.path.parts)


@pytest.fixture(scope="session", autouse=True)
def small_pictures() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_values, "png", draw_small)
        yield


@pytest.fixture(autouse=True)
def answers_are_described() -> Iterator[None]:
    """Whatever an app of this process answers in a test is as `openapi.yaml` says."""
    found: list[str] = []

    def look(app: object, response: Response) -> None:
        found.extend(described.faults(response))

    with request_finished.connected_to(look):
        yield
    assert not found


@pytest.fixture(scope="session")
def settings() -> Iterator[Settings]:
    with two_redis() as found:
        yield found


@pytest.fixture
def desk(settings: Settings) -> Desk:
    return open_desk(settings)


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisClient]:
    """One for all tests of a process that need no more than a store; whoever wants it empty empties it."""
    with games_redis(tmp_path_factory.mktemp("data")) as url:
        yield connect(url)


@pytest.fixture(scope="session")
def house() -> Iterator[Service]:
    """One for all tests of a process: each makes its own games and people."""
    with service() as running:
        yield running
