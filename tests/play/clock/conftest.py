"""Ann, and Ben in Berlin, who play by the clock."""

import pytest

from marketpost.store.players import Player
from tests.mail.desk import Desk


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben", "de", timezone="Europe/Berlin")
