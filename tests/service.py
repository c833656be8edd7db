"""The whole service for a test: two real Redis servers, real rq workers, and the app."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.http.app import create_app
from api.http.context import inside
from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.assembly import Notifier
from marketpost.play.people.registration import new_code, new_token, register
from marketpost.play.ports import Ports
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.store.settings import Settings
from tests.redis import MEMORY, both_redis
from workers.notifier import make_notifier
from workers.queue import BOTS, MOVES

PATIENCE = 180


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a token, and a browser of their own."""

    id: str
    email: str
    token: str
    client: FlaskClient
    seen: list[bytes] = field(default_factory=list)
    """Every answer, headers and body, to be searched for what must not be in it."""

    def call(self, method: str, path: str, **kwargs: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}", **kwargs.pop("headers", {})}
        answer = self.client.open(path, method=method, headers=headers, **kwargs)
        if not answer.is_streamed:
            self.seen.append(str(answer.headers).encode() + answer.get_data())
        return answer

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        return self.call("GET", path, **kwargs)

    def post(self, path: str, body: Any = None, **kwargs: Any) -> TestResponse:
        return self.call("POST", path, **({} if body is None else {"json": body}), **kwargs)


@dataclass(frozen=True, slots=True)
class Service:
    app: Flask
    settings: Settings
    environment: dict[str, str]

    @property
    def mailer(self) -> Mailer:
        return inside(self.app).mailer

    @property
    def ports(self) -> Ports:
        return inside(self.app).ports

    @property
    def notifier(self) -> Notifier:
        return make_notifier(self.mailer, inside(self.app).work_queue)

    def settings_allowing(self, networks: str) -> Settings:
        """As if the operator let targets lead there."""
        return replace(self.settings, webhook_allow=networks)

    def person(self, name: str, scopes: tuple[str, ...] = ("read", "play")) -> Person:
        """Registered and signed in; the same name is the same person."""
        email = f"{name}@example.org"
        player = register(self.ports, email, name.capitalize())
        secret, _ = new_token(self.ports, player.id, "test", scopes)
        return Person(player.id, email, secret, self.app.test_client())

    def code_for(self, email: str) -> str:
        """As it will come by mail."""
        return new_code(self.ports, email)

    def against_bot(self, person: Person, **more: Any) -> str:
        """A game against a greedy bot, as soon as it is the person's turn."""
        body = {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}], **more}
        answer = person.post("/v1/games", body)
        assert answer.status_code == 201, answer.get_data()
        self.turn_of(person, answer.json["id"])
        return str(answer.json["id"])

    def turn_of(self, person: Person, game: str) -> dict[str, Any]:
        """The game, once it is this person's turn or over."""
        until = time.monotonic() + PATIENCE
        while True:
            shown: dict[str, Any] = person.get(f"/v1/games/{game}").json
            if shown["status"] == "over" or shown["you"] in shown["decides"]:
                return shown
            assert time.monotonic() < until, f"nothing happens in game {game}"
            time.sleep(0.005)

    def good_orders(self, game: str, seat: int = 0) -> str:
        found = self.ports.game(game)
        assert found is not None
        return bot(found.rules, "greedy")(found.state, seat, Sealed(os.urandom(32), "test"))


@contextmanager
def service(workers: int = 1, where: str | None = MEMORY, **environment: str) -> Iterator[Service]:
    """A folder of its own, so that several can run beside each other."""
    with ExitStack() as stack:
        data = stack.enter_context(both_redis(where))
        set_up = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "QUEUE_REDIS_URL")}
        set_up |= {
            "DATA_DIR": str(data),
            "SECRET_KEY": "only for tests",
            "LIMITS": "off",
            "INBOUND_SECRET": "between us",
        } | environment
        for queue in [MOVES] * workers + [BOTS] * bool(workers):
            stack.enter_context(worker(set_up, queue))
        settings = Settings.read(set_up)
        yield Service(create_app(settings), settings, set_up)


@contextmanager
def worker(environment: dict[str, str], queue: str = MOVES) -> "Iterator[subprocess.Popen[bytes]]":
    command = [sys.executable, "-c", f"from workers.run import work; work({queue!r})"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
