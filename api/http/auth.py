"""Check who may call a view. A view that declares no access is never served."""

import ipaddress
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

import msgspec
from flask import Flask, current_app, g, request
from flask.globals import app_ctx, request_ctx

from api.http.context import inside, is_admin, ports
from api.http.operator_cookie import must_be_operator
from marketpost.play.people.registration import in_use
from marketpost.rules.refusal import Refused
from marketpost.store.callers import Caller
from marketpost.store.credentials import Token


class Permission(StrEnum):
    """Who may call a view: one of the scopes of a token, or one of the kinds of view that need no scope."""

    OPEN = "open"
    LOOPBACK = "loopback"
    """Programs on the same machine; from elsewhere with an admin's token."""
    PAGE = "page"
    """People with a browser, identified by the session cookie if they have one. The page says what it needs."""
    OPERATOR = "operator"
    """An operator, by a session of `/operate`. It has nothing to do with the sessions and tokens of players."""
    READ = "read"
    PLAY = "play"
    ADMIN = "admin"


SAFE = ("GET", "HEAD", "OPTIONS")
PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
View = TypeVar("View", bound=Callable[..., Any])


def identify() -> None:
    """Look the token up before the rate limits are counted by player. Views that are open to everyone skip the lookup.

    An address that does not exist is answered with a page like the others, which knows its reader.
    """
    found, sent = app_ctx.g, request_ctx.request
    found.token, found.sent_token, found.caller = None, False, Caller()
    found.access = access = access_of(sent.endpoint)
    if access in (None, Permission.PAGE):
        found.token = _of_session()
    if access in (None, Permission.OPEN, Permission.PAGE, Permission.OPERATOR):
        return
    scheme, _, secret = sent.headers.get("Authorization", "").partition(" ")
    found.sent_token = bool(scheme)
    found.token = _known(secret.strip()) if scheme.lower() == "bearer" else None


def _known(secret: str) -> Token | None:
    """Return the token with this secret, if there is one. Its player and the game in the path are read with it."""
    if not (secret and secret.isascii() and secret.isprintable()):
        return None
    stores = ports()
    g.caller = caller = stores.caller(secret, (request.view_args or {}).get("game", ""))
    return in_use(stores, secret, caller.token)


def cookie_name() -> str:
    """Return the name of the session cookie. Over TLS it has the `__Host-` prefix, so that no other host of the domain can set it."""
    return "__Host-session" if inside().settings.public_url.startswith("https:") else "session"


def _of_session() -> Token | None:
    """Return the token of the session cookie without the scope `admin`: a page only plays and reads."""
    found = _known(request.cookies.get(cookie_name(), ""))
    return msgspec.structs.replace(found, scopes=tuple(scope for scope in found.scopes if scope != Permission.ADMIN)) if found else None


def authorize() -> None:
    """Refuse the request if its token lacks the scope that the view declares."""
    found, sent = app_ctx.g, request_ctx.request
    needed = found.access
    if needed is None or needed == Permission.OPEN or sent.method == "OPTIONS":
        return
    if needed == Permission.OPERATOR:
        must_be_operator()
        return
    if needed == Permission.PAGE:
        if found.token:
            _require(Permission.READ if sent.method in SAFE else Permission.PLAY)
        return
    if needed == Permission.LOOPBACK:
        if not (is_admin() or _is_local()):
            _require(Permission.ADMIN)
        return
    if found.sent_token or not _by_link(sent.endpoint) or "key" not in sent.args:
        _require(needed)


def _by_link(endpoint: str | None) -> bool:
    """Whether an invite link opens this view without a token; the view checks the key of the link."""
    view: Any = current_app.view_functions[endpoint or ""]
    return bool(getattr(view, "by_link", False))


def _require(scope: Permission) -> None:
    """Refuse the call unless the token has this scope. `play` includes `read`."""
    token: Token | None = g.token
    if token is None:
        raise Refused("token-unknown" if g.sent_token else "token-missing")
    if scope not in token.scopes and not is_admin() and not (scope == Permission.READ and Permission.PLAY in token.scopes):
        raise Refused("scope-missing", scope=scope)


def _is_local() -> bool:
    """Whether the client runs on this machine. What a proxy on this machine forwards is not local."""
    if any(name in request.headers for name in PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def access_of(endpoint: str | None) -> Permission | None:
    """Return who may call the view of this endpoint; nothing where there is no view."""
    if endpoint is None:
        return None
    view: Any = current_app.view_functions[endpoint]
    return Permission(view.access)


def declared(view: View, access: Permission) -> View:
    """Declare who may call a view; `check_all_declared` refuses to start an app with a view that does not say."""
    made: Any = view
    made.access = access
    return view


def check_all_declared(app: Flask) -> None:
    """Raise TypeError if a view of the app does not declare who may call it."""
    for endpoint, view in app.view_functions.items():
        if getattr(view, "access", None) not in tuple(Permission):
            raise TypeError(f"{endpoint} does not say who may call it")
