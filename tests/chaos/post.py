"""The players' mail server: keeps every letter it takes, and can be away for a while."""

import asyncio
import random
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from email import message_from_bytes
from email.utils import parseaddr
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.cluster import free_port


@dataclass(frozen=True, slots=True)
class Letter:
    message_id: str
    reply_to: str


class Sink:
    def __init__(self) -> None:
        self.port = free_port()
        self.ids: Counter[str] = Counter()
        """How often each Message-ID came."""
        self.forgotten: Counter[str] = Counter()
        """How often of these the service cannot know, because that was cut away."""
        self._dice: random.Random | None = None
        self._letters: dict[str, list[Letter]] = defaultdict(list)
        self._news = threading.Condition()
        self._open()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_DATA(self, server: "_Session", session: Session, envelope: Envelope) -> str:
        match self._dice and self._dice.choice(("wait", "later", "cut", "endless", "")):
            case "wait":
                await asyncio.sleep(3)
            case "later":
                return "451 4.7.1 not now"
            case "endless":
                return "250-and more\r\n" * 20_000 + "250 at last"
            case "cut":
                server.cut()
        mail = message_from_bytes(envelope.original_content or b"")
        letter = Letter(str(mail["Message-ID"]).strip(), parseaddr(str(mail["Reply-To"]))[1])
        with self._news:
            self.ids[letter.message_id] += 1
            for recipient in envelope.rcpt_tos:
                self._letters[recipient].append(letter)
            self._news.notify_all()
        return "250 2.0.0 kept"

    def wait(self, email: str, seen: int, patience: float, stop: threading.Event) -> list[Letter]:
        """All letters to this address as soon as there are more than were seen, or when nobody has patience any more."""
        until = time.monotonic() + patience
        with self._news:
            while len(self._letters[email]) <= seen and time.monotonic() < until and not stop.is_set():
                self._news.wait(0.2)
            return list(self._letters[email])

    def forget_since(self, letters: Counter[str]) -> None:
        self.forgotten += self.ids - letters

    def behave_badly(self, seconds: float, dice: random.Random) -> None:
        """At random it thinks for seconds, takes a letter only later, never stops talking, or hangs up without a word when it has one."""
        self._dice = dice
        time.sleep(seconds)
        self._dice = None

    def away(self, seconds: float) -> None:
        """Whoever is connected is cut off, and nobody else gets in."""
        self.close()
        time.sleep(seconds)
        self._open()

    def close(self) -> None:
        for session in self._controller.sessions:
            self._controller.loop.call_soon_threadsafe(session.cut)
        self._controller.stop()

    def _open(self) -> None:
        self._controller = _Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()


class _Controller(Controller):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.sessions: list[_Session] = []

    def factory(self) -> "_Session":
        session = _Session(self.handler, loop=self.loop, **self.SMTP_kwargs)
        self.sessions.append(session)
        return session


class _Session(SMTP):
    def cut(self) -> None:
        if self.transport:
            self.transport.abort()
