"""Idempotency keys: the same request with the same key has the same answer, for a day at least."""

import hashlib
import hmac
import re
from contextlib import suppress
from typing import Any

from flask import Flask, Response, current_app, g, request
from redis import RedisError

from api.http.context import inside
from marketpost.rules.refusal import Refused
from marketpost.store.idempotent_responses import StoredResponse

HEADER = "Idempotency-Key"
FORM = re.compile(r"[!-~]{1,200}")
WRITES = ("POST", "PUT", "PATCH", "DELETE")
KEPT, AGAIN, OWN = "kept", "again", "own"
"""Kept: the answer is stored. Again: it holds personal data, so the call, harmless twice, is made again. Own: the view knows."""


def key() -> str:
    """The key of this request; empty if it has none."""
    found: str = g.get("key", "")
    return found


def claim() -> Response | None:
    """Before the view: is the key well-formed, has it stood for something else, was the answer given already?"""
    if request.method not in WRITES or request.endpoint is None or HEADER not in request.headers:
        return None
    g.key = request.headers[HEADER]
    if not FORM.fullmatch(g.key):
        raise Refused("bad-key")
    view: Any = current_app.view_functions[request.endpoint]
    if getattr(view, "keys", OWN) == OWN:
        return None
    name = inside().answers.key(_owner(), f"{request.method} {request.path}", g.key)
    found = inside().answers.claim(name, _fingerprint())
    g.claimed = name if view.keys == KEPT else None
    return _repeat(found) if found else None


def _owner() -> str:
    return str(g.token.player) if g.token else f"address {request.remote_addr}"


def _fingerprint() -> bytes:
    parts = (request.query_string, request.headers.get("If-Match", "").encode("latin-1", "replace"), request.get_data(cache=True))
    return hashlib.sha256(b"\0".join(parts)).hexdigest().encode()


def _repeat(answer: StoredResponse) -> Response:
    g.claimed = None
    return Response(answer.body, answer.status, headers=answer.headers)


def keep(response: Response) -> Response:
    """After the view. What went wrong on our side is tried again next time."""
    if g.get("claimed") and response.status_code < 500 and response.status_code != 429:
        headers = {name: response.headers[name] for name in ("Content-Type", "Location", "ETag") if name in response.headers}
        answer = StoredResponse(response.status_code, headers, response.get_data(as_text=True))
        with suppress(RedisError):
            inside().answers.keep(g.claimed, answer)
    return response


def derived(purpose: str, *parts: str) -> str:
    """The same for the same key, and nobody else can know it: 64 hexadecimal digits."""
    secret = inside().settings.secret_key.encode()
    return hmac.digest(secret, "\0".join((purpose, *parts)).encode(), "sha256").hex()


def deed() -> str:
    """What a game's log tells this request by: whatever breaks in between, and however many send it at once, it is done once."""
    return derived("deed", request.path, _owner(), key())[:16] if key() else ""


def install(app: Flask) -> None:
    app.before_request(claim)
    app.after_request(keep)
