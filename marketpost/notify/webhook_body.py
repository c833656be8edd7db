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
"""What Discord would not show as it is. Names and messages are other people's."""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """What a call tells, before it takes the form of one receiver."""

    id: str
    """The same when it is sent again."""
    kind: str
    text: str
    """In the player's language."""
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


def encode_body(kind: str, event: WebhookEvent) -> bytes:
    """Encode an event as JSON in the form of one kind of receiver."""
    return msgspec.json.encode(SHAPES[kind](event))


def sign_body(secret: str, seconds: int, body: bytes) -> str:
    """The value of the header: when it was signed, and the HMAC over that moment, a full stop and the body."""
    digest = hmac.new(secret.encode(), b"%d." % seconds + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"
