"""Recognise the service's own mail addresses and the players they belong to."""

import re
from collections.abc import Iterable
from enum import StrEnum

from marketpost.mail.outbound.mailer import Mailer
from marketpost.store.players import Player


class LocalPart(StrEnum):
    """The part of our addresses before the plus, which says what a message to them is for."""

    PLAY = "play"
    """Answers a letter."""
    BOUNCE = "bounce"
    """Tells that a letter came back."""
    COMPLAINTS = "complaints"
    """Takes complaints of feedback loops."""
    CANARY = "canary"
    """Takes letters that the service writes to itself."""
    NEW = "new"
    """Requests a game."""
    JOIN = "join"
    """Takes a seat by an invitation link."""
    OTHER = ""
    """No address of ours."""


CANARY_OPEN = 24 * 3600 * 1000
"""Milliseconds after a letter of the canary in which its address takes mail."""
PLAIN = (LocalPart.PLAY, "")
"""The address that letters come from: messages to it are answered, but it names no game."""


def owner(mailer: Mailer, token: str) -> Player | None:
    """Return the player whom a reply token was issued to."""
    reply = mailer.mail_queue.reply(token) if token else None
    return mailer.ports.players.find(reply.player) if reply else None


def own_address(mailer: Mailer, recipients: Iterable[str]) -> tuple[LocalPart, str]:
    """Return the local part and the token of the first recipient that is an address of ours."""
    return next(iter(_doors(mailer, recipients)), (LocalPart.OTHER, ""))


def sender_addresses(mailer: Mailer, recipients: Iterable[str], sender: str | None) -> list[str]:
    """Return the sender's own reply addresses among the recipients, for each game that of the newest letter."""
    newest: dict[str | None, tuple[int, str]] = {}
    for token in sorted({token for local, token in _doors(mailer, recipients) if local == LocalPart.PLAY and token}):
        reply, player = mailer.mail_queue.reply(token), owner(mailer, token)
        if reply and player and player.owns(sender or ""):
            found = (reply.version or 0, f"play+{token}@{mailer.settings.mail_domain.casefold()}")
            newest[reply.game] = max(newest.get(reply.game, found), found)
    return sorted(address for _, address in newest.values())


def our_addresses(mailer: Mailer, recipients: Iterable[str]) -> list[str]:
    """Return the recipients that are addresses of ours, in lower case and sorted."""
    return sorted({address.casefold() for address in recipients if _ours(mailer).fullmatch(address.casefold())})


def _doors(mailer: Mailer, recipients: Iterable[str]) -> list[tuple[LocalPart, str]]:
    """Return our addresses among the recipients; the plain one last, because a reply to all goes to it too."""
    found = [(LocalPart(each[1]), each[2] or "") for address in recipients if (each := _ours(mailer).fullmatch(address.casefold()))]
    return sorted(found, key=lambda each: each == PLAIN)


def _ours(mailer: Mailer) -> re.Pattern[str]:
    return re.compile(rf"(play|bounce|complaints|canary|new|join)(?:\+([a-z2-7]+))?@{re.escape(mailer.settings.mail_domain.casefold())}")


def is_own_address(mailer: Mailer, address: str) -> bool:
    """Whether the SMTP listener accepts this recipient, with at most one read of Redis."""
    local, token = own_address(mailer, [address])
    if local == LocalPart.BOUNCE:
        return mailer.mail_queue.bounces.find(token) is not None
    if local == LocalPart.CANARY:
        return mailer.ports.clock() - mailer.canary.read().sent < CANARY_OPEN
    if local in (LocalPart.NEW, LocalPart.COMPLAINTS) or (local, token) == PLAIN:
        return True
    return bool(token) and mailer.mail_queue.reply(token) is not None
