"""Encode and sign the body of a webhook call: the position for programs, a line of text for Discord and Slack."""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

SIGNATURE = "Marketpost-Signature"
DISCORD_LONGEST = 1900
SLACK_LONGEST = 3000
MARKUP = re.compile(r"([\\*_~`|>\[\]])")
"""Characters that Discord reads as markup; they are escaped, because names and messages come from other players."""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """The content of a call, before it is encoded for one kind of receiver."""

    id: str
    """The idempotency key of the call: the same when it is repeated."""
    kind: str
    text: str
    """A line in the player's language."""
    link: str
    game: Mapping[str, Any]


def plain(event: WebhookEvent) -> Mapping[str, Any]:
    """Encode for programs: the event with the whole position."""
    return {"id": event.id, "event": event.kind, "text": event.text, "link": event.link, "game": event.game}


def discord(event: WebhookEvent) -> Mapping[str, Any]:
    """Encode for Discord, without mentions: a name in the text notifies nobody."""
    text = MARKUP.sub(r"\\\1", event.text[: DISCORD_LONGEST // 2])
    return {"content": f"{text}\n{event.link}", "allowed_mentions": {"parse": []}}


def slack(event: WebhookEvent) -> Mapping[str, Any]:
    """Encode for Slack, with its special characters escaped."""
    text = event.text[:SLACK_LONGEST].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text}\n{event.link}"}


SHAPES: Mapping[str, Callable[[WebhookEvent], Mapping[str, Any]]] = {"plain": plain, "discord": discord, "slack": slack}
"""How an event is encoded for each kind of receiver."""


def encode_body(kind: str, event: WebhookEvent) -> bytes:
    """Encode an event as JSON in the form of one kind of receiver."""
    return msgspec.json.encode(SHAPES[kind](event))


def sign_body(secret: str, seconds: int, body: bytes) -> str:
    """Return the signature header: the time, and the HMAC over the time, a full stop and the body."""
    digest = hmac.new(secret.encode(), b"%d." % seconds + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"
