"""The service behind a real port."""

from collections.abc import Iterator

import pytest

from marketpost.client import async_client, sync_client
from tests.served import served
from tests.service import Service


@pytest.fixture(scope="session")
def url(house: Service) -> Iterator[str]:
    with served(house.app) as found:
        yield found


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long in tests."""
    for module in (sync_client, async_client):
        monkeypatch.setattr(module, "PAUSES", (0.01, 0.01, 0.01))
        monkeypatch.setattr(module, "STREAM_PAUSES", (0.01, 0.01, 0.01))
        monkeypatch.setattr(module, "CONNECT_AGAIN", 0.01)
