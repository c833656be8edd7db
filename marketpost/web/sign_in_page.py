"""Sign in by mailed code, and sign out."""

import secrets
from typing import Any

import marshmallow as ma
from flask import redirect, render_template, request, url_for

from api.http.context import mailer, ports
from api.http.fields import check_email
from api.http.request_limits import client
from marketpost.mail.outbound.sign_in_codes import register_by_code
from marketpost.play.people.guests import merge_guest
from marketpost.play.people.names import check_name, name_from_address
from marketpost.play.people.registration import sign_in
from marketpost.rules.refusal import Refusal, Refused
from marketpost.store.credentials import CodeAsker
from marketpost.web import session
from marketpost.web.page_language import explain, language
from marketpost.web.pages import back, page


@page("/sign-in")
def sign_in_form() -> str:
    """Show the form that asks for a mail address."""
    return _sign_in("address")


def _sign_in(step: str, why: str = "", asked: str = "") -> str:
    """Show one step of signing in.

    `asked` identifies the browser that requested the code and is sent back with it: no other browser can use that code.
    """
    given = {name: request.values.get(name, "") for name in ("email", "back", "asked")}
    return render_template("sign-in.html", step=step, why=why, **given | ({"asked": asked} if asked else {}))


@page("/sign-in/code", "POST")
def send_a_code() -> Any:
    """Mail a sign-in code. The response does not tell whether the address was registered.

    A new address is registered with the part before the @ as name.
    """
    email = request.form.get("email", "").strip()
    name, asked = request.form.get("name", "").strip() or name_from_address(email), secrets.token_hex(16)
    try:
        check_email(email)
        check_name(name)
    except ma.ValidationError:
        return _sign_in("address", explain(Refusal("field-email"))), 422
    except Refused as refused:
        return _sign_in("address", explain(refused.refusal)), 422
    register_by_code(mailer(), CodeAsker(asked, client()), email, name, language())
    return _sign_in("code", asked=asked)


@page("/sign-in", "POST")
def enter_code() -> Any:
    """Sign in with the mailed code; the games of a guest move to the player, and the session of anybody else in this browser ends."""
    try:
        email, code, asked = (request.form.get(name, "") for name in ("email", "code", "asked"))
        secret, token = sign_in(ports(), email, code, session.LABEL, session.SCOPES, asker=CodeAsker(asked, client()))
    except Refused as refused:
        return _sign_in("code", explain(refused.refusal)), 403
    before = session.me()
    if before and not before.email:
        merge_guest(ports(), before.id, token.player)
    elif before and before.id != token.player:
        session.revoke()
    return session.carry(back(), secret)


@page("/sign-out", "POST")
def sign_out() -> Any:
    """Sign out. A guest, whose games nobody could find again, is asked first."""
    player = session.me()
    if player and not player.email and request.form.get("sure") != "yes" and ports().index.page(f"player:{player.id}", None, 1):
        return render_template("sign-out.html")
    return session.end(redirect(url_for("pages.home"), 303))
