"""A post office to write to, for every test that wants one."""

from collections.abc import Iterator

import pytest

from store.settings import Settings
from tests.mail.office import Desk, open_desk, two_redis


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with two_redis() as found:
        yield found


@pytest.fixture
def desk(settings: Settings) -> Desk:
    return open_desk(settings)
