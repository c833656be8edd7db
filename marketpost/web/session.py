"""A session is an ordinary token, kept in a cookie that scripts cannot read; forms prove that they are ours."""

import hmac
from typing import Any

from flask import g, request
from werkzeug.wrappers import Response as AnyResponse

from api.http.auth import SAFE, cookie_name
from api.http.context import inside, ports
from api.http.idempotency import derived
from marketpost.play.people.registration import new_token
from marketpost.rules.refusal import Refused
from marketpost.store.players import TOKEN_LIVES, Player

SCOPES = ("read", "play")
LABEL = "browser"


def me() -> Player | None:
    """Whose page this is; nobody for whoever has no session."""
    if "me" not in g:
        g.me = ports().players.find(g.token.player) if g.get("token") else None
    found: Player | None = g.me
    return found


def must_be_me() -> Player:
    player = me()
    if player is None:
        raise Refused("token-missing")
    return player


def begin(response: AnyResponse, player: str) -> AnyResponse:
    """The secret is told to this browser and to nobody else; we keep its hash."""
    secret, _ = new_token(ports(), player, LABEL, SCOPES)
    return carry(response, secret)


def carry(response: AnyResponse, secret: str) -> AnyResponse:
    response.set_cookie(cookie_name(), secret, max_age=TOKEN_LIVES, **_narrow())
    return response


def end(response: AnyResponse) -> AnyResponse:
    """Signing out revokes the token: a copy of the cookie is worth nothing afterwards."""
    if g.token:
        ports().players.drop_token(request.cookies[cookie_name()], g.token.player)
    response.delete_cookie(cookie_name(), **_narrow())
    return response


def _narrow() -> dict[str, Any]:
    """Lax and not Strict, for a link in a mail is to find its reader signed in; whatever changes anything is a form of ours."""
    secure = inside().settings.public_url.startswith("https:")
    return {"path": "/", "httponly": True, "samesite": "Lax", "secure": secure}


def form_token() -> str:
    """What every form of this session carries. Another site can neither read nor guess it."""
    return derived("form", request.cookies.get(cookie_name(), ""))[:32] if g.get("token") else ""


def check_form() -> None:
    """Before anything is changed: was it sent from a page of ours?"""
    if request.method in SAFE:
        return
    given = request.form.get("token", "")
    if not _from_here() or not hmac.compare_digest(given.encode(), form_token().encode()):
        raise Refused("strange-form")


def _from_here() -> bool:
    """Browsers say where a form comes from; one that says nothing is none of ours."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if origin is None and site is None:
        return False
    ours = {request.host_url.rstrip("/"), inside().settings.public_url}
    return site in (None, "same-origin") and (origin is None or origin in ours)
