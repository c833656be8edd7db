"""Carries one mail to one recipient: over SMTP or LMTP, or into the local mailbox."""

import time
from collections.abc import Callable
from typing import Protocol

from redis import RedisError

from marketpost.mail.outbound.attempt import Fate, delivered, later
from marketpost.mail.outbound.smtp import SmtpCarriers
from marketpost.store.local_mailbox import Mailbox


class Carrier(Protocol):
    keeps: bool
    """Whether what it carries stays with us, so that somebody can still be forgotten in it."""

    def carry(self, sender: str, recipient: str, message: bytes) -> Fate: ...


def carrier_for(url: str | None, mailbox: Mailbox, hello: str | None = None) -> Carrier:
    """By `SMTP_URL` if there is one. `hello` is the name under which we greet a server."""
    return SmtpCarriers(url, hello) if url else MailboxCarrier(mailbox)


class MailboxCarrier:
    keeps = True

    def __init__(self, mailbox: Mailbox, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self.mailbox, self.clock = mailbox, clock

    def carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            self.mailbox.add(recipient, sender, message, self.clock())
        except RedisError as error:
            return later(f"the local mailbox cannot be written: {error}")
        return delivered()
