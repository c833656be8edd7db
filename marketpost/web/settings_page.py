"""The settings page: name, language, timezone and notification preferences."""

from typing import Any
from zoneinfo import available_timezones

import marshmallow as ma
from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import mailer, ports
from api.http.request_parser import flat
from api.http.request_schemas import ChangedPlayer
from api.players import change
from marketpost.play.clock.vacation import day_of, days_left, vacation_of
from marketpost.rules.refusal import Refused
from marketpost.store.players import LetterLength, MailPreference, Player
from marketpost.web import session
from marketpost.web.account_page import account
from marketpost.web.channels_shown import channels_shown
from marketpost.web.page_language import explain, name_of, say, set_language
from marketpost.web.pages import page


@page("/settings")
def show_settings() -> str:
    """Show the settings page."""
    player = session.must_be_me()
    told = next((say(f"settings.{each}") for each in ("saved", "tested") if each in request.args), "")
    return settings_form(player, told)


def settings_form(player: Player, told: str = "", why: str = "") -> str:
    """Build the page with the current settings, and what is told or refused."""
    return _form(player, _now(player), told, why)


@page("/settings", "POST")
def change_settings() -> Any:
    """Change the settings, validated as the same request over REST; refused values stay in the form."""
    player = session.must_be_me()
    try:
        changed = change(player, ChangedPlayer().load(_request_body(player)))
    except ma.ValidationError as error:
        return _form(player, request.form, why=explain(flat(error.messages_dict)[0][1])), 422
    except Refused as refused:
        return _form(player, request.form, why=explain(refused.refusal)), 422
    saved: AnyResponse = redirect(url_for("pages.show_settings", saved=1), 303)
    return set_language(saved, changed.language)


def _request_body(player: Player) -> dict[str, Any]:
    """Return the form as the body of the same REST request. A guest has no mail settings."""
    form = request.form
    body: dict[str, Any] = {name: form.get(name, "").strip() for name in ("name", "language", "timezone")}
    if not player.email:
        return body
    hour, days = form.get("digest_hour", ""), {name: form[name] for name in ("from", "to") if form.get(name)}
    return body | {
        "mail": form.get("mail", ""),
        "letters": form.get("letters", player.letters),
        "hidden": bool(form.get("hidden")),
        "digest_hour": int(hour) if hour.isdecimal() and len(hour) <= 2 else hour,
        "vacation": days or None,
    }


def _now(player: Player) -> dict[str, str]:
    """Return the current settings as form values."""
    days = vacation_of(player, day_of(ports(), player))
    first, last = map(str, days) if days else ("", "")
    current = {name: str(getattr(player, name)) for name in ("language", "timezone", "mail", "letters", "digest_hour")}
    return current | {"name": name_of(player.name), "from": first, "to": last, "hidden": "1" if player.hidden else ""}


def _form(player: Player, given: Any, told: str = "", why: str = "") -> str:
    today = day_of(ports(), player)
    return render_template(
        "settings.html",
        given=given,
        choices=MailPreference,
        lengths=LetterLength,
        timezones=sorted(available_timezones()),
        today=today,
        days_left=days_left(player, today.year),
        stop=url_for("letters.ask", player=player.id, token=mailer().token("unsubscribe", player.id)),
        told=told,
        why=why,
        adding=request.args.get("adding", ""),
        **account(player),
        **(channels_shown(player) if player.email else {}),
    )
