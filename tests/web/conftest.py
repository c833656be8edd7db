"""Browsers at the service, as many as a test wants."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.service import Person, Service

OURS = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True, slots=True)
class Browser:
    """Sends what a browser sends."""

    client: FlaskClient

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, **more)

    def token(self, path: str = "/") -> str:
        found = re.search(r'name="token" value="(\w*)"', self.get(path).text)
        return found[1] if found else ""

    def post(self, path: str, headers: dict[str, str] | None = None, **form: str) -> TestResponse:
        return self.client.post(
            path, data=({} if "token" in form else {"token": self.token()}) | form, headers=OURS if headers is None else headers
        )

    def cookie(self, name: str = "session") -> str:
        found = self.client.get_cookie(name)
        return found.value if found else ""

    def against_bot(self) -> str:
        return self.post("/play", rules="portobello").headers["Location"].rpartition("/")[2]


Open = Callable[..., Browser]


@pytest.fixture
def browser(house: Service) -> Open:
    def open_one(person: Person | None = None) -> Browser:
        client = house.app.test_client()
        if person:
            client.set_cookie("session", person.token)
        return Browser(client)

    return open_one
