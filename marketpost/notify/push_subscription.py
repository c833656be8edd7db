"""Push subscriptions of browsers: checked as they come, and stored as the URL of the push service with the keys behind it."""

import hashlib
from base64 import urlsafe_b64decode
from binascii import Error as NoBase64
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec

from marketpost.notify.target_address import Networks, read_url
from marketpost.rules.refusal import Refused

SECRET_SIZE = 16
"""Bytes of the shared secret of a subscription (RFC 8291)."""


class PushKeys(msgspec.Struct, frozen=True):
    """The keys of a browser: only it can read what is encrypted with them."""

    p256dh: str
    auth: str


class PushSubscription(msgspec.Struct, frozen=True):
    """What a browser returns when it subscribes."""

    endpoint: str
    keys: PushKeys


class StoredSubscription(NamedTuple):
    """A subscription as it is used: where to post, and the keys."""

    endpoint: str
    key: bytes
    """The public key of the browser."""
    secret: bytes


def check_subscription(text: str, allowed: Networks) -> str:
    """Check a subscription in JSON and return it as one URL, with the keys behind `#`, which is never sent. Raises `Refused`."""
    try:
        found = msgspec.json.decode(text, type=PushSubscription)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(found.keys.p256dh))
        if len(_decoded(found.keys.auth)) != SECRET_SIZE:
            raise Refused("bad-subscription")
    except (msgspec.DecodeError, UnicodeError, NoBase64, ValueError) as error:
        raise Refused("bad-subscription") from error
    read_url(found.endpoint, allowed)
    return f"{found.endpoint}#{urlencode({'p256dh': found.keys.p256dh, 'auth': found.keys.auth})}"


def read_subscription(url: str) -> StoredSubscription:
    """Read a subscription as it is stored."""
    endpoint, _, keys = url.partition("#")
    stored = parse_qs(keys)
    return StoredSubscription(endpoint, _decoded(stored["p256dh"][0]), _decoded(stored["auth"][0]))


def subscription_id(endpoint: str) -> str:
    """Return the id of a browser's subscription, so that subscribing twice adds one target."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:16]


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
