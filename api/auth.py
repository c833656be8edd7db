"""Who may call what. A view without a declared access is never served."""

import ipaddress
from typing import Any

from flask import Flask, current_app, g, request

from api.inside import is_admin, ports
from play.people import who
from rules.refusal import Refused

OPEN = "open"
LOOPBACK = "loopback"
"""For programs on the same machine; from elsewhere with an admin's token."""
SCOPES = ("read", "play", "admin")
PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


def identify() -> None:
    """Look the token up, before the limits are counted by player. Where everyone may call, nobody is looked up."""
    g.token, g.sent_token = None, False
    if access_of(request.endpoint) in (None, OPEN):
        return
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    g.sent_token = bool(scheme)
    known = scheme.lower() == "bearer" and secret.strip().isascii() and secret.strip().isprintable()
    g.token = who(ports(), secret.strip()) if known and secret.strip() else None


def authorize() -> None:
    needed = access_of(request.endpoint)
    if needed is None or needed == OPEN or request.method == "OPTIONS":
        return
    if needed == LOOPBACK:
        if not (is_admin() or _is_local()):
            _require("admin")
        return
    if not (_by_link(request.endpoint) and not g.sent_token and "key" in request.args):
        _require(needed)


def _by_link(endpoint: str | None) -> bool:
    """Whether a link to look opens this, without a token; the view checks its key."""
    view: Any = current_app.view_functions[endpoint or ""]
    return bool(getattr(view, "by_link", False))


def _require(scope: str) -> None:
    """Whoever may play may look."""
    if g.token is None:
        raise Refused("token-unknown" if g.sent_token else "token-missing")
    if scope not in g.token.scopes and not is_admin() and not (scope == "read" and "play" in g.token.scopes):
        raise Refused("scope-missing", scope=scope)


def _is_local() -> bool:
    """A proxy on this machine speaks for others: what it forwards is not local."""
    if any(name in request.headers for name in PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def access_of(endpoint: str | None) -> str | None:
    """What a view asks for; nothing where there is no view."""
    if endpoint is None:
        return None
    view: Any = current_app.view_functions[endpoint]
    return str(view.access)


def check_all_declared(app: Flask) -> None:
    for endpoint, view in app.view_functions.items():
        if getattr(view, "access", None) not in (OPEN, LOOPBACK, *SCOPES):
            raise TypeError(f"{endpoint} does not say who may call it")
