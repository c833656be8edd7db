"""Read complaints of feedback loops: a mail provider tells that a recipient marked one of our letters as spam (ARF, RFC 5965)."""

import re
from collections.abc import Iterable, Iterator
from email import message_from_string
from email.policy import compat32

from marketpost.mail.inbound.automatic import ADDRESS
from marketpost.mail.inbound.mime import Part, children, parse_mime, parts, text_of, value, values
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.message import LETTER_HEADER
from marketpost.mail.strangers import stranger
from marketpost.store.suppressions import SuppressionCause

COMPLAINTS = frozenset({"", "abuse", "fraud", "opt-out"})
"""Feedback types that stop letters. `not-spam`, `auth-failure` and others do not; some providers send none beside our letter."""
BOUNCE = re.compile(r"bounce\+([a-z2-7]+)@", re.IGNORECASE)
TOKEN = re.compile(r"[a-z2-7]{16,64}")
HINT = re.compile(rb"(?:%s:\s{0,9}|bounce\+)([a-z2-7]{16,64})" % LETTER_HEADER.encode(), re.IGNORECASE)
MOST_HEADERS = 20_000
"""Characters of the headers of our letter that are read, where a report has only those."""


def names_a_letter(mailer: Mailer, raw: bytes) -> str | None:
    """Return the token of a letter of ours that stands somewhere in a report, without parsing it; None if there is none.

    Fault: anybody may send to this address. The SMTP door must not spend more than a search and one read of Redis on it.
    """
    found = HINT.search(raw)
    token = found[1].decode().lower() if found else ""
    return token if mailer.mail_queue.bounces.find(token) else None


def token_of_complaint(raw: bytes) -> str | None:
    """Return the bounce token of the letter that a report is about; None if it is no complaint or names no letter.

    The token was sent to nobody but the recipient's server: a reply address, which stands in quotes and copies, is not enough.
    """
    blocks = list(_blocks(parse_mime(raw).message))
    if any(value(block, "Feedback-Type").strip().lower() not in COMPLAINTS for block in blocks):
        return None
    return next(_tokens(blocks), None)


def suppress_complainer(mailer: Mailer, raw: bytes) -> str:
    """Suppress the address that a complaint is about, once for each letter; returns that letter, empty if it is none of ours."""
    token = token_of_complaint(raw)
    taken = mailer.mail_queue.bounces.take(token, mailer.ports.clock()) if token else None
    address = _address_of(mailer, taken[0], raw) if taken else None
    if taken is None or address is None:
        return ""
    mailer.ports.suppressions.add(address, SuppressionCause.COMPLAINT, mailer.ports.clock())
    return taken[1]


def _address_of(mailer: Mailer, id: str, raw: bytes) -> str | None:
    """Return the address that the letter went to: the one that the report names, or else the player's main one.

    A stranger is not stored, so the report must name them.
    """
    fields = (value(block, name) for block in _blocks(parse_mime(raw).message) for name in ("Original-Rcpt-To", "To"))
    named = [each.lower() for text in fields for each in ADDRESS.findall(text)[:3]]
    if player := mailer.ports.players.find(id):
        return next(filter(player.owns, named), player.email)
    return next((each for each in named if stranger(each, "en").id == id), None)


def _blocks(message: Part) -> Iterator[Part]:
    """Yield the fields of the report, and the header of the letter that it encloses, whole or as text."""
    for part in parts(message):
        if part.get_content_type() in ("message/feedback-report", "message/rfc822"):
            yield from children(part)
        elif part.get_content_type() == "text/rfc822-headers":
            yield message_from_string(text_of(part)[:MOST_HEADERS], policy=compat32)


def _tokens(blocks: Iterable[Part]) -> Iterator[str]:
    for block in blocks:
        for name in (LETTER_HEADER, "Original-Mail-From", "Return-Path"):
            for text in values(block, name):
                if found := TOKEN.fullmatch(text.strip()) if name == LETTER_HEADER else BOUNCE.search(text):
                    yield found[found.lastindex or 0].lower()
