"""Webhooks: signed JSON with the whole position, for players' own programs."""

import hashlib
import hmac

import msgspec

from marketpost.mail.outbound.attempt import DeliveryOutcome
from marketpost.notify.channel_message import ChannelMessage, Shows, Target
from marketpost.notify.target_address import Networks, read_url

SHOWS = Shows.DATA
SIGNATURE = "Marketpost-Signature"


def read_target(text: str, allowed: Networks) -> str:
    """Check that the URL leads to the open internet."""
    read_url(text, allowed)
    return text


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Post the event, signed."""
    body = encode_body(message)
    return target.by.http.post(target.address, body, {SIGNATURE: sign_body(target.secret, target.by.clock() // 1000, body)})


def encode_body(message: ChannelMessage) -> bytes:
    """Encode the event with its position."""
    event = {"id": message.id, "event": message.kind, "text": message.text, "link": message.link, "game": message.position}
    return msgspec.json.encode(event)


def sign_body(secret: str, seconds: int, body: bytes) -> str:
    """Return the signature header: the time, and the HMAC over the time, a full stop and the body."""
    digest = hmac.new(secret.encode(), b"%d." % seconds + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"
