"""The assembled mail service: the queue, the transport, and the addresses and tokens that belong to letters."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from marketpost.mail.outbound.letters import Links
from marketpost.mail.outbound.transport import MailTransport
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.store.mail_queue import MailQueue, OutboundLetter, ReplyContext
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from marketpost.store.webhook_queue import WebhookQueue


class Composer(Protocol):
    def __call__(
        self, mailer: "Mailer", mail: OutboundLetter, player: Player, game: Game | None, people: Mapping[str, Player]
    ) -> bytes | None:
        """The whole message; nothing if there is no more reason to send it. `people` are those at the game's table."""


@dataclass(slots=True)
class Mailer:
    """What sending and reading mail needs."""

    ports: Ports
    mail_queue: MailQueue
    settings: Settings
    transport: MailTransport
    compose: Composer
    wake: Callable[[], None]
    """Tell a mail worker that something waits. May fail: the sweeper comes by."""
    webhook_queue: WebhookQueue

    @property
    def links(self) -> Links:
        look = partial(self.token, "look")
        return Links(self.settings.public_url, look, f"new@{self.settings.mail_domain}")

    def token(self, *parts: object) -> str:
        """A reply token: always the same for the same occasion, guessable by nobody."""
        digest = hmac.digest(self.settings.secret_key.encode(), "|".join(map(str, ("reply", *parts))).encode(), hashlib.sha256)
        return base64.b32encode(digest[:20]).decode().lower()

    def is_token(self, key: str, *parts: object) -> bool:
        """Whether this is the token of that occasion; how long we take tells nobody how near it was."""
        return hmac.compare_digest(self.token(*parts).encode(), key.encode(errors="replace"))

    def reply_address(self, mail: OutboundLetter) -> str:
        return f"play+{self.token(mail.id)}@{self.settings.mail_domain}"

    def bounce_address(self, mail: OutboundLetter) -> str:
        """Bounces come back to an address of their own for each mail (VERP), whatever else they say."""
        return f"bounce+{self.token('bounce', mail.id)}@{self.settings.mail_domain}"

    def open_addresses(self, mail: OutboundLetter, reply: ReplyContext) -> None:
        """Both lead somewhere from now on."""
        self.mail_queue.bind(self.token(mail.id), reply, self.token("bounce", mail.id))


def enqueue(mailer: Mailer, *mails: OutboundLetter) -> None:
    if mailer.mail_queue.put(mails):
        mailer.wake()
