"""Web Push: a notification of the browser, also while no page of ours is open. Only that browser can read it (RFC 8291)."""

from urllib.parse import urlsplit

import http_ece  # type: ignore[import-untyped]
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02  # type: ignore[import-untyped]

from marketpost.mail.outbound.attempt import DeliveryOutcome, bounced_if
from marketpost.notify.channel_message import ChannelMessage, Shows, Target
from marketpost.notify.push_subscription import StoredSubscription, check_subscription, read_subscription
from marketpost.notify.vapid_key import vapid_key

SHOWS = Shows.TEXT
LONGEST = 1000
"""Characters of a notification; push services take four kilobytes."""
ENCODING = "aes128gcm"
KEPT_FOR = 24 * 3600
"""Seconds for which the push service keeps a message for a browser that is not running."""
SIGNED_FOR = 12 * 3600
"""Seconds for which our signature is valid; push services accept at most a day."""
GONE = ("status 404", "status 410")
"""Answers of a push service that a subscription is over: the player has switched it off in the browser."""
read_target = check_subscription


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Encrypt the message for the browser and post it to its push service."""
    subscription = read_subscription(target.address)
    shown = {"id": message.id, "text": message.text[:LONGEST], "link": message.link, "tag": message.game or message.id}
    body = _encrypted(msgspec.json.encode(shown), subscription)
    return bounced_if(target.by.http.post(subscription.endpoint, body, _headers(subscription.endpoint, target)), GONE)


def _encrypted(data: bytes, subscription: StoredSubscription) -> bytes:
    """Encrypt for the browser, with a new key of ours for each message."""
    ours = ec.generate_private_key(ec.SECP256R1())
    encrypted: bytes = http_ece.encrypt(data, private_key=ours, dh=subscription.key, auth_secret=subscription.secret, version=ENCODING)
    return encrypted


def _headers(endpoint: str, target: Target) -> dict[str, str]:
    """Sign for this push service, so that nobody else can send in our name."""
    settings, service = target.by.settings, urlsplit(endpoint)
    claims = {
        "sub": f"mailto:postmaster@{settings.mail_domain}",
        "aud": f"{service.scheme}://{service.netloc}",
        "exp": target.by.clock() // 1000 + SIGNED_FOR,
    }
    signed: dict[str, str] = Vapid02(vapid_key(settings)).sign(claims)
    return {**signed, "Content-Type": "application/octet-stream", "Content-Encoding": ENCODING, "TTL": str(KEPT_FOR), "Urgency": "high"}
