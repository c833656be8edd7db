"""The addresses on the settings page: add one with a mailed code, choose the main one, remove one."""

import marshmallow as ma
from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import mailer, ports
from api.http.fields import check_email
from api.http.request_limits import client
from marketpost.mail.outbound.sign_in_codes import change_main_address, send_address_code
from marketpost.play.people.addresses import confirm_address, remove_address
from marketpost.rules.refusal import Refused
from marketpost.web import session
from marketpost.web.pages import page


@page("/settings/addresses", "POST")
def add_an_address() -> AnyResponse:
    """Mail a code to a new address, or add the address with its code."""
    player, email, code = session.must_be_me(), given_address(), request.form.get("code", "").strip()
    if code:
        confirm_address(ports(), player, email, code)
        return redirect(url_for("pages.show_settings", saved=1), 303)
    send_address_code(mailer(), player, email, client())
    return redirect(url_for("pages.show_settings", adding=email), 303)


def given_address() -> str:
    """Return the mail address in the form; refused if it is none."""
    email = request.form.get("email", "").strip()
    try:
        check_email(email)
    except ma.ValidationError as error:
        raise Refused("field-email") from error
    return email


@page("/settings/addresses/main", "POST")
def choose_main_address() -> AnyResponse:
    """Let letters go to another of the player's addresses."""
    change_main_address(mailer(), session.must_be_me(), request.form.get("email", ""))
    return redirect(url_for("pages.show_settings", saved=1), 303)


@page("/settings/addresses/remove", "POST")
def remove_an_address() -> AnyResponse:
    """Remove a further address."""
    remove_address(ports(), session.must_be_me(), request.form.get("email", ""))
    return redirect(url_for("pages.show_settings", saved=1), 303)
