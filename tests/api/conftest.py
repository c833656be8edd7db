"""One service for all tests of a process: each test makes its own games and people."""

from collections.abc import Iterator

import pytest

from tests.service import Person, Service, service


@pytest.fixture(scope="session")
def house() -> Iterator[Service]:
    with service() as running:
        yield running


@pytest.fixture
def ann(house: Service) -> Person:
    return house.person("ann")


@pytest.fixture
def bob(house: Service) -> Person:
    return house.person("bob")
