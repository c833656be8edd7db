"""What somebody may change about themselves: how they are called, what they speak, and when they hear of their games."""

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
from marketpost.play.people.preferences import CHOICES
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from marketpost.web import session
from marketpost.web.page_language import explain, name_of, remember, say
from marketpost.web.pages import page


@page("/settings")
def show_settings() -> str:
    player = session.must_be_me()
    return _form(player, _now(player), told=say("settings.saved") if "saved" in request.args else "")


@page("/settings", "POST")
def change_settings() -> Any:
    """Read as strictly as the same wish over REST; what is refused stays in the form."""
    player = session.must_be_me()
    try:
        changed = change(player, ChangedPlayer().load(_wish(player)))
    except ma.ValidationError as error:
        return _form(player, request.form, why=explain(flat(error.messages_dict)[0][1])), 422
    except Refused as refused:
        return _form(player, request.form, why=explain(refused.refusal)), 422
    saved: AnyResponse = redirect(url_for("pages.show_settings", saved=1), 303)
    return remember(saved, changed.language)


def _wish(player: Player) -> dict[str, Any]:
    """The form as the API would be asked. A guest gets no letters, so there is nothing to choose."""
    form = request.form
    wish: dict[str, Any] = {name: form.get(name, "").strip() for name in ("name", "language", "timezone")}
    if not player.email:
        return wish
    hour, days = form.get("digest_hour", ""), {name: form[name] for name in ("from", "to") if form.get(name)}
    return wish | {"mail": form.get("mail", ""), "digest_hour": int(hour) if hour.isdecimal() else hour, "vacation": days or None}


def _now(player: Player) -> dict[str, str]:
    """The form as it would be filled in for what holds now."""
    days = vacation_of(player, day_of(ports(), player))
    first, last = map(str, days) if days else ("", "")
    kept = {name: str(getattr(player, name)) for name in ("language", "timezone", "mail", "digest_hour")}
    return kept | {"name": name_of(player.name), "from": first, "to": last}


def _form(player: Player, given: Any, told: str = "", why: str = "") -> str:
    today = day_of(ports(), player)
    return render_template(
        "settings.html",
        given=given,
        choices=CHOICES,
        timezones=sorted(available_timezones()),
        today=today,
        days_left=days_left(player, today.year),
        stop=url_for("letters.ask", player=player.id, token=mailer().token("unsubscribe", player.id)),
        told=told,
        why=why,
    )
