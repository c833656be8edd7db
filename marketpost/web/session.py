"""Sessions of browsers: a token in a cookie that scripts cannot read, and form keys against cross-site requests."""

import hmac
import secrets
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
    """End the session and revoke its token, so that a copied cookie is useless."""
    if g.token:
        ports().players.drop_token(request.cookies[cookie_name()], g.token.player)
    return delete_cookie(response)


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
    """Return the key that every form of this session carries; other sites can neither read nor guess it.

    Pages are compressed, and the length of what repeats in them could tell the key letter by letter (BREACH). So each page has it under
    another mask.
    """
    key = _form_key()
    mask = secrets.token_bytes(len(key))
    return (mask + _xor(mask, key)).hex()


def _form_key() -> bytes:
    return bytes.fromhex(derived("form", request.cookies.get(cookie_name(), ""))[:32]) if g.get("token") else b""


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


def check_form() -> None:
    """Refuse a POST that was not sent from a page of ours (cross-site request forgery)."""
    if request.method in SAFE:
        return
    given = request.form.get("token", "")
    if not _from_here() or not hmac.compare_digest(_unmasked(given), _form_key()):
        raise Refused("strange-form")


def _from_here() -> bool:
    """Whether Origin and Sec-Fetch-Site name this site; a request with neither header is not from a page of ours."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if origin is None and site is None:
        return False
    ours = {request.host_url.rstrip("/"), inside().settings.public_url}
    return site in (None, "same-origin") and (origin is None or origin in ours)
