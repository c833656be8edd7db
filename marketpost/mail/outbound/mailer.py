"""The assembled mail service: the queue, the transport, and the addresses and tokens of letters."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from marketpost.mail.outbound.letters import Links
from marketpost.mail.outbound.other_address import address_of
from marketpost.mail.outbound.transport import MailTransport
from marketpost.mail.strangers import stranger
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.store.canary_rounds import CanaryStore
from marketpost.store.channel_targets import ChannelTargets
from marketpost.store.delivery_queue import Delivery, DeliveryQueue
from marketpost.store.letter_counts import LetterCounts
from marketpost.store.mail_queue import MailQueue, ReplyContext
from marketpost.store.players import Player
from marketpost.store.settings import Settings

WORDS = Path(__file__).parents[1] / "words"
"""The word files of mail."""


class Composer(Protocol):
    """Composes the message of a letter that is due."""

    def __call__(self, mailer: "Mailer", mail: Delivery, player: Player, game: Game | None, people: Mapping[str, Player]) -> bytes | None:
        """Compose the message; None if the letter is no longer true. `people` are the players of the game."""


@dataclass(slots=True)
class Mailer:
    """The assembled mail service, for sending letters and acting on inbound messages."""

    ports: Ports
    mail_queue: MailQueue
    settings: Settings
    transport: MailTransport
    compose: Composer
    wake: Callable[[], None]
    """Wake a mail worker. If that fails, the sweeper finds the work."""
    deliveries: DeliveryQueue
    targets: ChannelTargets
    letter_counts: LetterCounts
    count_held: Callable[[str], None]
    """Count a letter that the gate held back, by the label of the reason."""
    count_inbound: Callable[[str, str], None]
    """Count a message that was acted on, by verdict and status."""
    count_answer: Callable[[float], None]
    """Count an answer that was delivered, by the seconds since its message came in."""
    canary: CanaryStore
    ahead: tuple[str, ...] = ()
    """The orders ahead that the letter being composed shows to its player."""

    @property
    def links(self) -> Links:
        """The addresses of the service for letters."""
        look = partial(self.token, "look")
        return Links(self.settings.public_url, look, f"new@{self.settings.mail_domain}")

    def links_in(self, mail: Delivery) -> Links:
        """Return the addresses for one letter, with its own reply address."""
        return replace(self.links, reply=self.reply_address(mail), ahead=self.ahead)

    def token(self, *parts: object) -> str:
        """Derive a token from the service's secret: the same parts always give the same token, which nobody can guess."""
        digest = hmac.digest(self.settings.secret_key.encode(), "|".join(map(str, ("reply", *parts))).encode(), hashlib.sha256)
        return base64.b32encode(digest[:20]).decode().lower()

    def is_token(self, key: str, *parts: object) -> bool:
        """Whether the key is the token of these parts, compared in constant time."""
        return hmac.compare_digest(self.token(*parts).encode(), key.encode(errors="replace"))

    def reply_address(self, mail: Delivery) -> str:
        """Return the Reply-To address of a letter, which contains its token."""
        return f"play+{self.token(mail.id)}@{self.settings.mail_domain}"

    def bounce_address(self, mail: Delivery) -> str:
        """Return the envelope sender of a letter, different for each (VERP): a bounce names its letter by its address."""
        return f"bounce+{self.bounce_token(mail)}@{self.settings.mail_domain}"

    def bounce_token(self, mail: Delivery) -> str:
        """Return the token by which a bounce or a complaint names a letter."""
        return self.token("bounce", mail.id)

    def open_addresses(self, mail: Delivery, reply: ReplyContext) -> None:
        """Store what the reply token and the bounce token of a letter stand for.

        At another address than the main one a bounce counts for nobody, and its owner, who may be somebody else, complains as a stranger.
        """
        self.mail_queue.bind(self.token(mail.id), reply)
        elsewhere = address_of(mail)
        self.mail_queue.bounces.open(self.bounce_token(mail), stranger(elsewhere, "en").id if elsewhere else mail.player, mail.id)


def enqueue(mailer: Mailer, *mails: Delivery) -> None:
    """Put letters into the queue, each id once, and wake a worker if any was new."""
    if mailer.deliveries.put(mails):
        mailer.wake()
