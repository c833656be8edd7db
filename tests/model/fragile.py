"""A service in one process whose parts can be ended at any command to a store, and begun again."""

import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from flask.testing import FlaskClient
from redis.connection import AbstractConnection
from werkzeug.test import TestResponse

from api.http.app import connected, create_app
from api.http.context import NAME, inside
from marketpost.mail.inbound.receive import receive
from marketpost.pictures.png import png
from marketpost.play.clock.timeouts import record_heartbeat
from marketpost.play.people.registration import new_token
from marketpost.play.ports import Ports
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.embedded_redis import RedisServer, servers
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from marketpost.store.steady_clock import SteadyTime
from tests.mail.desk import DOMAIN, Clock, Desk, Street
from tests.redis import MEMORY
from workers.notifier import make_callbacks, make_mailer, make_notifier
from workers.queue import make_ports, make_queue
from workers.run import look_everywhere, sweep

Result = TypeVar("Result")
PEOPLE = {"Ann": "en", "Ben": "de", "Cleo": "fr"}
MOST_LOOKS = 50


class Died(BaseException):
    """Ends a part as a kill does: nothing of ours catches it."""


class _Moments(threading.local):
    """How many moments with a store this thread has left; 0 if it goes on for ever."""

    left: int = 0
    pause: Callable[[], float] | None = None
    """Seconds to wait at each moment, so that other threads get in between."""


moments = _Moments()


@contextmanager
def mortal() -> Iterator[None]:
    """Threads can die at a moment with a store: before a command is sent, or after it was carried out and before anybody knows."""
    send, read = AbstractConnection.send_packed_command, AbstractConnection.read_response

    def send_or_die(self: Any, *args: Any, **options: Any) -> Any:
        _pass()
        return send(self, *args, **options)

    def read_or_die(self: Any, *args: Any, **options: Any) -> Any:
        answer = read(self, *args, **options)
        _pass()
        return answer

    AbstractConnection.send_packed_command, AbstractConnection.read_response = send_or_die, read_or_die
    try:
        yield
    finally:
        AbstractConnection.send_packed_command, AbstractConnection.read_response = send, read


def _pass() -> None:
    if moments.pause:
        time.sleep(moments.pause())
    moments.left -= 1
    if moments.left == 0:
        raise Died


@contextmanager
def dying(moment: int) -> Iterator[None]:
    """End what this thread does at its nth moment with a store."""
    with mortal():
        moments.left = moment
        try:
            yield
        finally:
            moments.left = 0


class Stores:
    """The two Redis servers, which can be killed and come back with what they have promised to keep."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self._servers = dict(zip(("games", "queue"), servers(data, {}), strict=True))
        self._running = {name: _start(server) for name, server in self._servers.items()}

    @property
    def url(self) -> str:
        """Of the games' server."""
        return self._servers["games"].url

    def kill(self, name: str) -> None:
        self._end(name)
        self._running[name] = _start(self._servers[name])

    def _end(self, name: str) -> None:
        with self._running[name] as process:
            process.kill()

    def close(self) -> None:
        for name in self._running:
            self._end(name)


def _start(server: RedisServer) -> "subprocess.Popen[bytes]":
    server.prepare()
    process, until = server.start(), time.monotonic() + 20
    while not server.answers():
        assert time.monotonic() < until, "the server does not answer"
        time.sleep(0.005)
    return process


class FragileService:
    """An API and a worker on the same stores, each with connections and caches of its own, and some people with their languages."""

    def __init__(self, stores: Stores, people: Mapping[str, str] = PEOPLE) -> None:
        self.stores, self.clock, self.deaths = stores, Clock(), 0
        self.steady, self.is_unswept = SteadyTime("here", 0), False
        set_up = {"DATA_DIR": str(stores.data), "MAIL_DOMAIN": DOMAIN, "SECRET_KEY": "only for tests", "LIMITS": "off"}
        self.settings = Settings.read(set_up)
        self.street = Street(self.clock)
        self.app = create_app(self.settings)
        self.start_api()
        self.start_worker()
        self.ports.games.redis.flushdb()
        self.desk.work_queue.redis.flushdb()
        self.people = {name: self.desk.person(name, language) for name, language in people.items()}
        self.tokens = {name: new_token(self.ports, each.id, "model", ("read", "play"))[0] for name, each in self.people.items()}
        self.ports.heartbeat.beat(self.clock.now, 0, self.steady)

    @property
    def ports(self) -> Ports:
        """Those of the API."""
        return inside(self.app).ports

    def start_api(self) -> None:
        """As a new process has it: nothing cached and no connection open."""
        self.app.extensions[NAME] = connected(self.settings, png)
        self._set_clock(self.ports)
        inside(self.app).mailer.transport = self.street
        self.client: FlaskClient = self.app.test_client()

    def start_worker(self) -> None:
        work_queue = make_queue(self.settings)
        ports = make_ports(self.settings, work_queue)
        self._set_clock(ports)
        mailer = make_mailer(self.settings, work_queue, ports)
        mailer.transport = self.street
        notifier = make_notifier(mailer, work_queue)
        self.desk = Desk(mailer, work_queue, self.clock, self.street, make_callbacks(mailer, work_queue), notifier)

    def _set_clock(self, ports: Ports) -> None:
        ports.clock, ports.steady = self.clock, lambda: self.steady

    def person(self, name: str) -> Player:
        return self.people[name]

    def call(self, name: str, method: str, path: str, body: Any = None, key: str = "", dies: int = 0) -> TestResponse:
        """A request; one whose process dies is sent again with the same key, as every client is told to do."""
        headers = {"Authorization": f"Bearer {self.tokens[name]}"} | ({"Idempotency-Key": key} if key else {})
        options = {"method": method, "headers": headers} | ({} if body is None else {"json": body})
        if dies:
            with dying(dies), suppress(Died):
                return self.client.open(path, **options)
            self.deaths += 1
            self.is_unswept = True  # it may have died before it woke a worker
            self.start_api()
        return self.client.open(path, **options)

    def work(self, dies: int = 0) -> None:
        """All that waits is done. If the worker dies over it, the sweeper finds what is left for the next one."""
        self._survive(self.desk.work, dies)
        if self.is_unswept:
            self.sweep()

    def take_mail(self, raw: bytes, to: str, dies: int = 0) -> str:
        """A mail comes in, and a worker reads it: what became of it, in a word."""
        id = receive(self.desk.mailer, raw, (to,), AuthVerdict.PASS)
        self.work(dies)
        inbound = self.desk.mailer.mail_queue.inbound(id)
        assert inbound
        return inbound.status

    def _survive(self, act: Callable[[], Result], dies: int) -> Result | None:
        if dies:
            with dying(dies), suppress(Died):
                return act()
            self.deaths += 1
            self.start_worker()
            self.desk.leases_end()
            self.sweep()
            return None
        return act()

    def sweep(self) -> None:
        """The sweeper wakes workers until nothing is left."""
        self.is_unswept = False
        ports = self.desk.mailer.ports
        for _ in range(MOST_LOOKS):
            look_everywhere(ports, self.clock.now / 1000)
            record_heartbeat(ports, self.clock.now)
            found = sweep(ports, self.desk.work_queue.enqueue, self.desk.work_queue.enqueue_behind, self.clock.now / 1000)
            for competition in ports.competitions.due(self.clock.now):
                self.desk.work_queue.enqueue_behind(competition)
            self.desk.work()
            if not found:
                return
        raise AssertionError("the sweeper never comes to rest")

    def let_pass(self, hours: int, *, at_work: bool) -> None:
        """Time goes on, with the service at work or down; then it looks at what is due."""
        self.clock.forward(hours=hours)
        if not at_work:
            self.steady = SteadyTime("here", self.steady.at + hours * 3_600_000)
        self.sweep()


@contextmanager
def fragile_stores() -> Iterator[Stores]:
    """Two servers in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="mp-", dir=MEMORY, ignore_cleanup_errors=True) as folder:
        stores = Stores(Path(folder))
        try:
            yield stores
        finally:
            stores.close()
