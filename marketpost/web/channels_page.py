"""Add, test and remove targets of channels on the settings page."""

from typing import Any

import marshmallow as ma
from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.channels import delete_channel, made
from api.http.context import mailer
from api.http.request_parser import flat
from api.http.request_schemas import NewChannel
from marketpost.notify.targets import send_test
from marketpost.rules.refusal import Refused
from marketpost.web import session
from marketpost.web.page_language import explain
from marketpost.web.pages import page
from marketpost.web.settings_page import settings_form


@page("/settings/channels", "POST")
def add_a_channel() -> Any:
    """Add a target, validated as the same request over REST."""
    player = session.must_be_me()
    try:
        body = NewChannel().load({name: request.form.get(name, "").strip() for name in ("channel", "target")})
        made(body["channel"], body["target"], None)
    except ma.ValidationError as error:
        return settings_form(player, why=explain(flat(error.messages_dict)[0][1])), 422
    except Refused as refused:
        return settings_form(player, why=explain(refused.refusal)), 422
    return _settings("saved")


@page("/settings/channels/<id:target>", "POST")
def change_a_channel(target: str) -> AnyResponse:
    """Remove a target, or send a test message to it."""
    player = session.must_be_me()
    if request.form.get("do") == "test":
        send_test(mailer(), player.id, target)
        return _settings("tested")
    delete_channel(target)
    return _settings("saved")


def _settings(told: str) -> AnyResponse:
    return redirect(f"{url_for('pages.show_settings')}?{told}=1#channels", 303)
