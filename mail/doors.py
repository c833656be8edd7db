"""Which addresses are ours, and whose they are."""

import re
from collections.abc import Iterable

from mail.post import Office
from store.people import Player


def owner(office: Office, token: str) -> Player | None:
    reply = office.post.reply(token) if token else None
    return office.ports.people.find(reply.player) if reply else None


def door(office: Office, recipients: Iterable[str]) -> tuple[str, str]:
    """The part of the address before the plus, and the token behind it."""
    ours = re.compile(rf"(play|bounce|new|join)(?:\+([a-z2-7]+))?@{re.escape(office.settings.mail_domain.casefold())}")
    for address in recipients:
        if found := ours.fullmatch(address.casefold()):
            return found.group(1), found.group(2) or ""
    return "", ""


def knows(office: Office, address: str) -> bool:
    """Whether a mail to this address can be meant for us; cheap enough for the door."""
    local, token = door(office, [address])
    return local == "new" or (bool(token) and office.post.reply(token) is not None)
