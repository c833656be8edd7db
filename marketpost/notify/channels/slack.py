"""Slack: a line of text in a room, by the incoming webhook of that room."""

import msgspec

from marketpost.mail.outbound.attempt import DeliveryOutcome, bounced_if
from marketpost.notify.channel_message import ChannelMessage, Shows, Target
from marketpost.notify.target_address import Networks, read_url

SHOWS = Shows.TEXT
LONGEST = 3000
GONE = ("status 404", "status 410")
"""Answers of Slack that a webhook, or the room that it leads to, is no more."""


def read_target(text: str, allowed: Networks) -> str:
    """Check that the URL leads to the open internet."""
    read_url(text, allowed)
    return text


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Post the text."""
    return bounced_if(target.by.http.post(target.address, encode_body(message)), GONE)


def encode_body(message: ChannelMessage) -> bytes:
    """Encode the text with Slack's special characters escaped."""
    text = message.text[:LONGEST].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return msgspec.json.encode({"text": f"{text}\n{message.marked_link}"})
