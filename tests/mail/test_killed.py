"""Workers killed on the way lose no letter, and send few twice; those told to stop send none twice."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from marketpost.store.delivery_queue import EMAIL, DeliveryQueue
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk
from tests.mail.servers import eventually, free_port, stopping
from tests.running.live import MARKETPOST, environment

ROOT = Path(__file__).parents[2]
LETTERS = 12
KILLS = 4
MANY = 300
THINKS = 0.1
STOPS_WITHIN = 5.0


class Server:
    """A mail server that keeps what it has said 250 to."""

    def __init__(self, thinks: float) -> None:
        self.taken: list[MailboxMessage] = []
        self.thinks = thinks

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        await asyncio.sleep(self.thinks)
        self.taken.append(MailboxMessage(envelope.content if isinstance(envelope.content, bytes) else b""))
        return "250 OK"

    def ids(self) -> Counter[str]:
        return Counter(mail.header("Message-ID") for mail in self.taken)


@contextmanager
def serving(thinks: float = 0.0) -> Iterator[tuple[Server, str]]:
    server, port = Server(thinks), free_port()
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield server, f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()


@contextmanager
def worker(desk: Desk, url: str, *how: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "tests.mail.desk", str(desk.mailer.settings.data), url, str(desk.clock.now), *how]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_a_worker_killed_after_250_and_before_the_mark_sends_the_same_letter_once_more(desk: Desk, ann: Player) -> None:
    for number in range(3):
        desk.note(ann, number)
    with serving() as (server, url):
        with worker(desk, url, "halting") as process:
            assert process.stdout
            assert process.stdout.readline() == "delivered\n"
            os.kill(process.pid, signal.SIGKILL)
        assert len(server.taken) == 1
        desk.leases_end()
        with worker(desk, url) as process:
            assert process.wait(30) == 0

        assert sorted(server.ids().values()) == [1, 1, 2]
        twice = [mail for mail in server.taken if server.ids()[mail.header("Message-ID")] == 2]
        assert twice[0].text == twice[1].text
        assert twice[0].reply_to == twice[1].reply_to
    assert set(desk.fates(ann)) == {"sent"}


def test_a_worker_whose_clock_is_an_hour_ahead_sends_nothing_that_another_is_about_to(desk: Desk, ann: Player) -> None:
    for number in range(3):
        desk.note(ann, number)
    with serving() as (server, url), worker(desk, url, "halting") as slow:
        assert slow.stdout
        assert slow.stdout.readline() == "delivered\n"
        desk.clock.forward(hours=1)
        with worker(desk, url) as ahead:
            assert ahead.wait(30) == 0

        assert len(server.taken) == 1


def _has_sent(server: Server, before: int, process: "subprocess.Popen[str]") -> bool:
    return len(server.taken) > before or process.poll() is not None


def test_workers_killed_at_any_moment_lose_nothing(desk: Desk, ann: Player) -> None:
    for number in range(LETTERS):
        desk.note(ann, number)
    chance = random.Random(4)
    with serving() as (server, url):
        for _ in range(KILLS):
            with worker(desk, url) as process:
                eventually(partial(_has_sent, server, len(server.taken), process))
                time.sleep(chance.random() * 0.02)
                with suppress(ProcessLookupError):  # it may be done with everything
                    os.kill(process.pid, signal.SIGKILL)
            desk.leases_end()
        with worker(desk, url) as process:
            assert process.wait(30) == 0

        assert len(server.ids()) == LETTERS
        assert len(server.taken) <= LETTERS + KILLS
    assert set(desk.fates(ann)) == {"sent"}


def test_a_worker_told_to_stop_ends_what_it_has_in_hand_and_leaves_the_rest(desk: Desk) -> None:
    for number in range(MANY):
        desk.note(desk.person(f"reader{number}"), number)
    with serving(THINKS) as (server, url):
        more = {"SMTP_URL": url, "MAIL_DOMAIN": DOMAIN, "SECRET_KEY": "only for tests"}
        command = [str(MARKETPOST), "worker", "--queue", "mail"]
        with subprocess.Popen(command, env=environment(desk.mailer.settings.data, **more)) as process, stopping(process):
            eventually(lambda: server.taken)
            process.terminate()
            assert process.wait(STOPS_WITHIN) == 0

    waiting = desk.mailer.ports.games.redis.zcard(DeliveryQueue.line(EMAIL))
    assert 0 < len(server.taken) == MANY - waiting < MANY
