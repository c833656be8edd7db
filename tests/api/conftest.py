"""Two people who call the service."""

import pytest

from tests.service import Person, Service


@pytest.fixture
def ann(house: Service) -> Person:
    return house.person("ann")


@pytest.fixture
def bob(house: Service) -> Person:
    return house.person("bob")
