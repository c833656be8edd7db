"""Idempotency keys: the same request under the same key has the same response, for at least a day."""

import hashlib
import hmac
import re
from contextlib import suppress
from enum import StrEnum
from typing import Any

from flask import Response, current_app, g, request
from flask.globals import request_ctx
from redis import RedisError

from api.http.context import inside
from api.http.request_limits import charge_bytes
from marketpost.play.limits import OverLimit
from marketpost.rules.refusal import Refused
from marketpost.store.idempotent_responses import StoredResponse

HEADER = "Idempotency-Key"
FORM = re.compile(r"[!-~]{1,200}")
WRITES = ("POST", "PUT", "PATCH", "DELETE")


class OnRepeat(StrEnum):
    """How a view treats a request that is repeated with the same idempotency key."""

    STORED = "stored"
    """The stored response is sent again."""
    AGAIN = "again"
    """The view runs again, which is harmless. For responses with personal data: they are not stored."""
    OWN = "own"
    """The view recognizes the key by itself."""


def key() -> str:
    """Return the idempotency key of this request; empty if it has none."""
    found: str = g.get("key", "")
    return found


def claim() -> Response | None:
    """Return the stored response of a request that was answered before; refuse a malformed key or one that came with another request.

    Race: two requests with the same key arrive at once and both run the view. HSETNX stores the first response only, and the log of a
    game knows the id of the action (`action_id`), so that it is recorded once.
    """
    sent = request_ctx.request
    if sent.method not in WRITES or sent.endpoint is None or (key := sent.headers.get(HEADER)) is None:
        return None
    g.key = key
    if not FORM.fullmatch(key):
        raise Refused("bad-key")
    view: Any = current_app.view_functions[sent.endpoint]
    if getattr(view, "on_repeat", OnRepeat.OWN) == OnRepeat.OWN:
        return None
    name = inside().answers.key(_owner(), f"{sent.method} {sent.path}", key)
    found = inside().answers.claim(name, _fingerprint())
    g.claimed = name if view.on_repeat == OnRepeat.STORED else None
    return _repeat(found) if found else None


def _owner() -> str:
    """Return whose key it is: the player's, or the network address's."""
    return str(g.token.player) if g.token else f"address {request.remote_addr}"


def _fingerprint() -> bytes:
    """Hash what makes a request the same as another: query, If-Match and body."""
    parts = (request.query_string, request.headers.get("If-Match", "").encode("latin-1", "replace"), request.get_data(cache=True))
    return hashlib.sha256(b"\0".join(parts)).hexdigest().encode()


def _repeat(answer: StoredResponse) -> Response:
    """Send a stored response again."""
    g.claimed = None
    return Response(answer.body, answer.status, headers=answer.headers)


def store_response(response: Response) -> None:
    """Store the response under the claimed key. Errors of the server are not stored, so that a repeated request is tried again."""
    if g.get("claimed") and response.status_code < 500 and response.status_code != 429:
        headers = {name: response.headers[name] for name in ("Content-Type", "Location", "ETag") if name in response.headers}
        answer = StoredResponse(response.status_code, headers, response.get_data(as_text=True))
        with suppress(RedisError, OverLimit):
            inside().answers.store(g.claimed, answer)
            charge_bytes(len(answer.body))


def derived(purpose: str, *parts: str) -> str:
    """Derive 64 hexadecimal digits from the parts and the secret of the service: always the same, and unknown to clients."""
    secret = inside().settings.secret_key.encode()
    return hmac.digest(secret, "\0".join((purpose, *parts)).encode(), "sha256").hex()


def action_id() -> str:
    """Return the id under which the log of a game records this request; empty without an idempotency key.

    Race: two processes may handle the same request. The log refuses a second entry with the same id, so the action is done once.
    """
    return derived("action", request.path, _owner(), key())[:16] if key() else ""
