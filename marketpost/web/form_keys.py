"""Keys of forms against cross-site requests: derived from a session, masked anew on every page, checked with the origin of the request."""

import hmac
import secrets

from flask import request

from api.http.context import inside
from api.http.idempotency import derived
from marketpost.rules.refusal import Refused


def session_key(purpose: str, secret: str) -> bytes:
    """Derive the key of the forms of one session from its secret."""
    return bytes.fromhex(derived(purpose, secret)[:32])


def mask_key(key: bytes) -> str:
    """Return a form key under a random mask.

    Pages are compressed, and the length of what repeats in them could tell the key letter by letter (BREACH). So each page has it under
    another mask.
    """
    mask = secrets.token_bytes(len(key))
    return (mask + _xor(mask, key)).hex()


def check_sent_key(key: bytes) -> None:
    """Refuse a form that was not sent from a page of ours with this key."""
    if not _from_here() or not hmac.compare_digest(_unmasked(request.form.get("token", "")), key):
        raise Refused("strange-form")


def _xor(mask: bytes, key: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(mask, key, strict=True))


def _unmasked(given: str) -> bytes:
    """Return the key in a form, without its mask; nothing if it is none of ours."""
    try:
        found = bytes.fromhex(given)
    except ValueError:
        return b"?"
    half = len(found) // 2
    return _xor(found[:half], found[half:]) if len(found) == 2 * half else b"?"


def _from_here() -> bool:
    """Whether Origin and Sec-Fetch-Site name this site; a request with neither header is not from a page of ours."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if origin is None and site is None:
        return False
    ours = {request.host_url.rstrip("/"), inside().settings.public_url}
    return site in (None, "same-origin") and (origin is None or origin in ours)
