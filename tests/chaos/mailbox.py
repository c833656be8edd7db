"""A mailbox that the service reads by IMAP, on a server that can be made to fail."""

import random
import time
from contextlib import ExitStack
from threading import Lock

from tests.mail.broken_imap import broken_imap

FAULTS = ("bad", "drop", "no")
MORE = 100
"""Mails that may come while the server fails."""


class Mailbox:
    def __init__(self) -> None:
        self._open, self._lock, self._names = ExitStack(), Lock(), dict[int, str]()
        self._server = self._open.enter_context(broken_imap({}, {}))

    @property
    def url(self) -> str:
        return self._server.url

    def put(self, raw: bytes, name: str) -> None:
        """A mail is delivered, which the service calls by this name."""
        with self._lock:
            uid = len(self._names) + 1
            self._names[uid], self._server.mails[uid] = name, raw

    def read(self) -> set[str]:
        """Names of the mails that the service has marked as read."""
        return {self._names[uid] for uid in list(self._server.seen)}

    def fail(self, seconds: float, dice: random.Random) -> None:
        """Whoever is connected is cut off. Mails are then not given, not marked, or cost the connection."""
        self._server.faults.update({uid: dice.choice(FAULTS) for uid in range(1, len(self._names) + MORE)})
        self._server.hang_up()
        time.sleep(seconds)
        self._server.faults.clear()

    def close(self) -> None:
        self._open.close()
