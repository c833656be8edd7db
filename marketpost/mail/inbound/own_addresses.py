"""Recognise the service's own mail addresses and the players they belong to."""

import re
from collections.abc import Iterable
from enum import StrEnum

from marketpost.mail.outbound.mailer import Mailer
from marketpost.store.players import Player


class LocalPart(StrEnum):
    """What stands before the plus in an address of ours."""

    PLAY = "play"
    """Answers a letter."""
    BOUNCE = "bounce"
    """Tells that a letter came back."""
    NEW = "new"
    """Requests a game."""
    JOIN = "join"
    """Takes a seat by an invitation link."""
    OTHER = ""
    """No address of ours."""


PLAIN = (LocalPart.PLAY, "")
"""Where our letters come from: taken, and answered, but it says nothing of a game."""


def owner(mailer: Mailer, token: str) -> Player | None:
    """The player whom a reply or bounce token was issued to."""
    reply = mailer.mail_queue.reply(token) if token else None
    return mailer.ports.players.find(reply.player) if reply else None


def own_address(mailer: Mailer, recipients: Iterable[str], sender: str | None = None) -> tuple[LocalPart, str]:
    """The part of the address before the plus, and the token behind it.

    Of several the sender's own: what a player writes to it must not be lost because the mail goes to somebody else's, too.
    """
    found = _doors(mailer, recipients)
    own = (each for each in found if len(found) > 1 and sender and _is_own(mailer, *each, sender))
    return next(own, found[0] if found else (LocalPart.OTHER, ""))


def _doors(mailer: Mailer, recipients: Iterable[str]) -> list[tuple[LocalPart, str]]:
    """The address that letters come from is last: whoever answers to all writes to it beside the one that counts."""
    ours = re.compile(rf"(play|bounce|new|join)(?:\+([a-z2-7]+))?@{re.escape(mailer.settings.mail_domain.casefold())}")
    found = [(LocalPart(each[1]), each[2] or "") for address in recipients if (each := ours.fullmatch(address.casefold()))]
    return sorted(found, key=lambda each: each == PLAIN)


def _is_own(mailer: Mailer, local: LocalPart, token: str, sender: str) -> bool:
    player = owner(mailer, token) if local == LocalPart.PLAY else None
    return player is not None and player.email.casefold() == sender.casefold()


def is_own_address(mailer: Mailer, address: str) -> bool:
    """Whether the SMTP listener accepts this recipient. One read of Redis at most."""
    local, token = own_address(mailer, [address])
    return local == LocalPart.NEW or (local, token) == PLAIN or (bool(token) and mailer.mail_queue.reply(token) is not None)
