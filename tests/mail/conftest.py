import pytest

from store.people import Player
from tests.mail.office import Desk


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann", "de")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben", "fr")


@pytest.fixture
def playing(desk: Desk, ann: Player, ben: Player) -> Player:
    """Whose turn it is, in a game between the two that has just begun."""
    desk.table(ann, ben)
    return desk.to_play()
