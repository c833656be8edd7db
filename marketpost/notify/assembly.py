"""The assembled delivery engine of a process."""

from collections.abc import Callable
from dataclasses import dataclass

from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.webhook_client import WebhookClient


@dataclass(slots=True)
class Notifier:
    """The mailer, whose letters other channels tell too, the client for players' URLs, and who is to be woken and counts."""

    mailer: Mailer
    http: WebhookClient
    wake: Callable[[], None]
    """Wake a worker that uses other channels than mail. If that fails, the sweeper finds the delivery."""
    count: Callable[[str, str, str, str], None]
    """Count an attempt, or what could not be composed: channel, kind of letter, outcome and id of the delivery."""
