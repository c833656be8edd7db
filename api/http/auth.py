"""Who may call what. A view without a declared access is never served."""

import ipaddress
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from flask import Flask, current_app, g, request

from api.http.context import inside, is_admin, ports
from marketpost.play.people.registration import who
from marketpost.rules.refusal import Refused
from marketpost.store.players import Token

OPEN = "open"
LOOPBACK = "loopback"
"""For programs on the same machine; from elsewhere with an admin's token."""
PAGE = "page"
"""For people with a browser, who are known by the cookie of their session, if they have one. The page says what it needs."""
SCOPES = ("read", "play", "admin")
SAFE = ("GET", "HEAD", "OPTIONS")
PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
View = TypeVar("View", bound=Callable[..., Any])


def identify() -> None:
    """Look the token up, before the limits are counted by player. Where everyone may call, nobody is looked up."""
    g.token, g.sent_token = None, False
    access = access_of(request.endpoint)
    if access == PAGE:
        g.token = _of_session()
    if access in (None, OPEN, PAGE):
        return
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    g.sent_token = bool(scheme)
    g.token = _known(secret.strip()) if scheme.lower() == "bearer" else None


def _known(secret: str) -> Token | None:
    return who(ports(), secret) if secret and secret.isascii() and secret.isprintable() else None


def cookie_name() -> str:
    """Where the service is reached by TLS, a name that no neighbour under the same domain can set."""
    return "__Host-session" if inside().settings.public_url.startswith("https:") else "session"


def _of_session() -> Token | None:
    """Whatever its token may do elsewhere, in a page it plays and reads."""
    found = _known(request.cookies.get(cookie_name(), ""))
    return msgspec.structs.replace(found, scopes=tuple(scope for scope in found.scopes if scope != "admin")) if found else None


def authorize() -> None:
    needed = access_of(request.endpoint)
    if needed is None or needed == OPEN or request.method == "OPTIONS":
        return
    if needed == PAGE:
        if g.token:
            _require("read" if request.method in SAFE else "play")
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


def declared(view: View, access: str) -> View:
    made: Any = view
    made.access = access
    return view


def check_all_declared(app: Flask) -> None:
    for endpoint, view in app.view_functions.items():
        if getattr(view, "access", None) not in (OPEN, LOOPBACK, PAGE, *SCOPES):
            raise TypeError(f"{endpoint} does not say who may call it")
