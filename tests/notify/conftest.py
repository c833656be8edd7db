"""A bureau that may call this machine; Ann wants to be called, Ben gets letters."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from marketpost.store.players import Player
from marketpost.store.settings import Settings
from tests.mail.desk import open_desk
from tests.notify.bureau import Bureau
from tests.notify.receivers import OK, Receiver, receiver, says


@pytest.fixture(scope="session")
def settings(settings: Settings) -> Settings:
    return replace(settings, webhook_allow="127.0.0.1/32")


@pytest.fixture
def bureau(settings: Settings) -> Bureau:
    return Bureau(open_desk(settings))


@pytest.fixture
def ann(bureau: Bureau) -> Player:
    return bureau.desk.person("Ann", "de", mail="webhook")


@pytest.fixture
def ben(bureau: Bureau) -> Player:
    return bureau.desk.person("Ben", "en")


@pytest.fixture
def honest() -> Iterator[Receiver]:
    with receiver(says(OK)) as found:
        yield found
