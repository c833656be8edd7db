"""What a channel is given: one message and one target; and what a channel module has to offer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from marketpost.mail.outbound.attempt import DeliveryOutcome
from marketpost.mail.outbound.transport import MailTransport
from marketpost.notify.target_address import Networks
from marketpost.notify.webhook_client import WebhookClient
from marketpost.store.settings import Settings


class Shows(StrEnum):
    """What a channel can show; the engine composes no more than that."""

    LETTER = "letter"
    """A whole mail: HTML, pictures, a reply address. The mail gate decides about it."""
    DATA = "data"
    """Text, a link, and the position as data."""
    TEXT = "text"
    """Text and a link."""


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """One notification in the recipient's language, before a channel gives it its form."""

    id: str
    """The same when it is sent again: a receiver can tell a copy by it."""
    kind: str
    """The kind of notice: `turn`, `over`, `said` …"""
    game: str | None
    text: str
    link: str
    """Page of the game, without a key: others may read it in the room it is posted to."""
    position: Mapping[str, Any] = field(default_factory=dict)
    """The position as the recipient may see it, with the legal steps; only for channels that show data."""
    letter: bytes = b""
    """The MIME message; only for channels that show letters."""
    sender: str = ""
    """Envelope sender of the letter."""

    @property
    def marked_link(self) -> str:
        """The link with the id behind it, for channels that show nothing else: a message that comes twice can be told by it."""
        return f"{self.link}#{self.id.removeprefix(f'{self.game}-')}"


@dataclass(slots=True)
class Transports:
    """What this process sends with."""

    settings: Settings
    clock: Callable[[], int]
    http: WebhookClient
    mail: MailTransport


@dataclass(frozen=True, slots=True)
class Target:
    """Where one message goes."""

    address: str
    """The mail address, or the URL that the player gave."""
    secret: str
    """Derived from the target's id, to sign with; empty for mail."""
    by: Transports


class Channel(Protocol):
    """A module in `marketpost/notify/channels/`. It is found by its file name, which is the channel's name."""

    SHOWS: Shows

    @staticmethod
    def read_target(text: str, allowed: Networks) -> str:
        """Check what a player typed, and return the URL to store; raises `Refused`. `allowed` are networks beside the open internet."""

    @staticmethod
    def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
        """Make one attempt. Called in a thread; what the network or the receiver does is an outcome, not an exception."""
