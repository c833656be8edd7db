"""The service behind a real port, and people who call it by the command line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from marketpost.cli.main import main
from marketpost.client import sync_client
from tests.served import served
from tests.service import Person, Service


@dataclass(frozen=True, slots=True)
class Desk:
    """Where one person sits and types commands."""

    home: Path
    url: str
    person: Person

    @property
    def environment(self) -> dict[str, str]:
        return {"XDG_CONFIG_HOME": str(self.home), "MARKETPOST_URL": self.url, "MARKETPOST_TOKEN": self.person.token}

    def run(self, *arguments: str, given: str = "", **environment: str | None) -> Result:
        return CliRunner().invoke(main, list(arguments), input=given, env={**self.environment, **environment}, catch_exceptions=False)

    def done(self, *arguments: str, given: str = "") -> str:
        """What it printed, when all went well."""
        result = self.run(*arguments, given=given)
        assert result.exit_code == 0, result.output
        return result.stdout

    def at(self, url: str) -> "Desk":
        return Desk(self.home, url, self.person)


@pytest.fixture(scope="session")
def url(house: Service) -> Iterator[str]:
    with served(house.app) as found:
        yield found


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long in tests."""
    monkeypatch.setattr(sync_client, "PAUSES", (0.01, 0.01, 0.01))


@pytest.fixture
def ann(house: Service, url: str, tmp_path: Path) -> Desk:
    return Desk(tmp_path / "ann", url, house.person("ann"))


@pytest.fixture
def bob(house: Service, url: str, tmp_path: Path) -> Desk:
    return Desk(tmp_path / "bob", url, house.person("bob"))


@pytest.fixture
def game(house: Service, ann: Desk) -> str:
    """Ann against a bot, her turn."""
    return house.against_bot(ann.person)


def moved(desk: Desk, game: str) -> list[dict[str, Any]]:
    """What the log says that this person did."""
    items = desk.person.get(f"/v1/games/{game}/events?limit=200").json["items"]
    return [each for each in items if each["kind"] == "moved" and each["by"] == desk.person.id]
