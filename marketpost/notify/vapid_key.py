"""The key pair by which push services know this service (VAPID, RFC 8292), derived from the service's secret and stored nowhere."""

import hashlib
import hmac
from base64 import urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from marketpost.store.settings import Settings

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256: private keys are the numbers from 1 to below it."""


def vapid_key(settings: Settings) -> ec.EllipticCurvePrivateKey:
    """Derive the private key: the same in every process of the service, and another one after a change of `SECRET_KEY`."""
    digest = hmac.digest(settings.secret_key.encode(), b"vapid", hashlib.sha512)
    return ec.derive_private_key(int.from_bytes(digest) % (ORDER - 1) + 1, ec.SECP256R1())


def public_key(settings: Settings) -> str:
    """Return the public key in the form that browsers expect when they subscribe."""
    point = vapid_key(settings).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")
