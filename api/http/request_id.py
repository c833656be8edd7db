"""Give every request an id, which stands in its response, in its problem and in the log lines about it."""

import logging
import re
import secrets
import time

from flask import Response, g, request

HEADER = "X-Request-Id"
log = logging.getLogger("marketpost.api")
FORM = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


def request_id() -> str:
    """Return the id of this request: the one that a proxy or the caller gave it, if it has the right form, else a new one."""
    if known := g.get("request_id"):
        return str(known)
    given = request.headers.get(HEADER)
    g.request_id = id = given if given and FORM.fullmatch(given) else new_id()
    return id


def new_id() -> str:
    """Make an id for a request that has none."""
    return secrets.token_hex(8)


def begin() -> None:
    """Record when a request began."""
    g.began = time.monotonic()


def told(response: Response) -> list[tuple[str, str]]:
    """Return the header with the id, which every response has, and log the request where `LOG_LEVEL` says so."""
    if log.isEnabledFor(logging.INFO):
        log.info("request %(request)s: %(method)s %(route)s was answered with %(status)d in %(ms)d ms", _values(response))
    return [(HEADER, request_id())]


def _values(response: Response) -> dict[str, object]:
    """Return what a log line says of this request. Its path is told as the pattern of the route, since paths may hold secrets."""
    took = (time.monotonic() - g.get("began", time.monotonic())) * 1000
    named: dict[str, object] = {name: value for name, value in (request.view_args or {}).items() if name in ("game", "move")}
    named |= {"request": request_id(), "method": request.method, "route": str(request.url_rule)}
    return named | {"status": response.status_code, "ms": round(took)}
