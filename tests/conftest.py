"""A post office to write to, for every test that wants one; and commands that speak English, whatever the machine speaks."""

import os
from collections.abc import Iterator

import pytest

from store.settings import Settings
from tests.mail.office import Desk, open_desk, two_redis

os.environ["LC_ALL"] = "C.UTF-8"


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with two_redis() as found:
        yield found


@pytest.fixture
def desk(settings: Settings) -> Desk:
    return open_desk(settings)
