"""Deliver one message to one recipient: over SMTP or LMTP, or into the local mailbox."""

import time
from collections.abc import Callable
from typing import Protocol

from redis import RedisError

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.store.local_mailbox import LocalMailbox


class MailTransport(Protocol):
    """Delivers messages. Called from several threads at a time."""

    stores_mail: bool
    """Whether delivered messages stay in our own store, from which an erased player's data must be erased."""

    def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        """Make one attempt. Never raises for what the server or the network does."""


def transport_for(url: str | None, mailbox: LocalMailbox, hello: str | None = None) -> MailTransport:
    """Choose SMTP if `SMTP_URL` is set, else the local mailbox; `hello` is the name with which we greet a server."""
    return SmtpTransportPool(url, hello) if url else LocalMailboxTransport(mailbox)


class LocalMailboxTransport:
    """Delivers into the mailbox in Redis that `marketpost mailbox` shows."""

    stores_mail = True

    def __init__(self, mailbox: LocalMailbox, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self.mailbox, self.clock = mailbox, clock

    def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        """Add the message to the recipient's mailbox."""
        try:
            self.mailbox.add(recipient, sender, message, self.clock())
        except RedisError as error:
            return retry_later(f"the local mailbox cannot be written: {error}")
        return delivered()
