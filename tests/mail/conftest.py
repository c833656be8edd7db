import pytest

from marketpost import rules
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.mail.turns import OUTSIDE


@pytest.fixture
def _from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset that is not ours is dropped in."""
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, OUTSIDE])


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
