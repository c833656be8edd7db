"""Sessions of browsers: a token in a cookie that scripts cannot read, and form keys against cross-site requests."""

from typing import Any

from flask import g, request
from werkzeug.wrappers import Response as AnyResponse

from api.http.auth import SAFE, cookie_name
from api.http.context import inside, mailer, ports
from marketpost.notify.targets import end_session
from marketpost.play.people.registration import new_token
from marketpost.rules.refusal import Refused
from marketpost.store.credentials import TOKEN_LIVES
from marketpost.store.players import Player
from marketpost.web.form_keys import check_sent_key, mask_key, session_key

SCOPES = ("read", "play")
LABEL = "browser"


def me() -> Player | None:
    """Return the signed-in player; `None` without a session."""
    if "me" not in g:
        g.me = ports().players.find(g.token.player) if g.get("token") else None
    found: Player | None = g.me
    return found


def must_be_me() -> Player:
    """Return the signed-in player; refused without a session."""
    player = me()
    if player is None:
        raise Refused("token-missing")
    return player


def begin(response: AnyResponse, player: str) -> AnyResponse:
    """Start a session: the browser gets the secret, the store only its hash."""
    secret, _ = new_token(ports(), player, LABEL, SCOPES)
    return carry(response, secret)


def carry(response: AnyResponse, secret: str) -> AnyResponse:
    """Set the session cookie."""
    response.set_cookie(cookie_name(), secret, max_age=TOKEN_LIVES, **_narrow())
    return response


def end(response: AnyResponse) -> AnyResponse:
    """End the session and revoke its token, so that a copied cookie is useless, and the push subscription of this browser."""
    revoke()
    return delete_cookie(response)


def revoke() -> None:
    """Revoke the token of this session and delete the push subscription that was made with it."""
    if g.token:
        ports().credentials.drop_token(request.cookies[cookie_name()], g.token.player)
        end_session(mailer(), g.token.player, g.token.id)


def delete_cookie(response: AnyResponse) -> AnyResponse:
    """Delete the session cookie, where there is no token any more."""
    response.delete_cookie(cookie_name(), **_narrow())
    return response


def _narrow() -> dict[str, Any]:
    """Return the attributes of the session cookie.

    SameSite is Lax so that a link in a letter finds its reader signed in; forms are protected by their key.
    """
    secure = inside().settings.public_url.startswith("https:")
    return {"path": "/", "httponly": True, "samesite": "Lax", "secure": secure}


def form_token() -> str:
    """Return the key that every form of this session carries; other sites can neither read nor guess it."""
    return mask_key(_form_key())


def _form_key() -> bytes:
    return session_key("form", request.cookies.get(cookie_name(), "")) if g.get("token") else b""


def check_form() -> None:
    """Refuse a POST that was not sent from a page of ours (cross-site request forgery)."""
    if request.method in SAFE:
        return
    check_sent_key(_form_key())
