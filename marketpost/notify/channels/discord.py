"""Discord: a line of text in a room, by the webhook of that room."""

import re

import msgspec

from marketpost.mail.outbound.attempt import DeliveryOutcome, bounced_if
from marketpost.notify.channel_message import ChannelMessage, Shows, Target
from marketpost.notify.target_address import Networks, read_url

SHOWS = Shows.TEXT
LONGEST = 1900
GONE = ("status 401", "status 404")
"""Answers of Discord that a webhook was deleted."""
MARKUP = re.compile(r"([\\*_~`|>\[\]])")
"""Characters that Discord reads as markup; they are escaped, because names and messages come from other players."""


def read_target(text: str, allowed: Networks) -> str:
    """Check that the URL leads to the open internet."""
    read_url(text, allowed)
    return text


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Post the text."""
    return bounced_if(target.by.http.post(target.address, encode_body(message)), GONE)


def encode_body(message: ChannelMessage) -> bytes:
    """Encode the text without mentions: a name in it notifies nobody."""
    text = MARKUP.sub(r"\\\1", message.text[: LONGEST // 2])
    return msgspec.json.encode({"content": f"{text}\n{message.marked_link}", "allowed_mentions": {"parse": []}})
