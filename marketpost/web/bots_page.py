"""Create and erase bot accounts, and manage their tokens, on the settings page."""

from typing import Any

import marshmallow as ma
from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.bots import revoke_bot_token
from api.http.context import ports
from api.http.request_parser import flat
from api.http.request_schemas import NewBot
from api.players import erase_player
from marketpost.play.people.bot_accounts import new_bot, new_bot_token, own_bot
from marketpost.rules.refusal import Refused
from marketpost.web import session
from marketpost.web.page_language import explain, say
from marketpost.web.pages import page
from marketpost.web.settings_page import settings_form

SCOPES = ("read", "play")


@page("/settings/bots", "POST")
def create_a_bot() -> Any:
    """Create a bot account, validated as the same request over REST."""
    player = session.must_be_me()
    try:
        new_bot(ports(), player, NewBot().load({"name": request.form.get("name", "").strip()})["name"])
    except ma.ValidationError as error:
        return settings_form(player, why=explain(flat(error.messages_dict)[0][1])), 422
    except Refused as refused:
        return settings_form(player, why=explain(refused.refusal)), 422
    return _settings()


@page("/settings/bots/<id:bot>", "POST")
def change_a_bot(bot: str) -> Any:
    """Erase a bot account, or make a token for it, whose secret is shown on the page this once."""
    player = session.must_be_me()
    found = own_bot(ports(), player.id, bot)
    if request.form.get("do") == "erase":
        erase_player(found.id)
        return _settings()
    try:
        secret, _ = new_bot_token(ports(), player.id, bot, "", SCOPES)
    except Refused as refused:
        return settings_form(player, why=explain(refused.refusal)), 422
    return settings_form(player, told=say("settings.bot-token", who=found.name, text=secret))


@page("/settings/bots/<id:bot>/tokens/<id:token_id>", "POST")
def revoke_a_token_of_a_bot(bot: str, token_id: str) -> AnyResponse:
    """Revoke a token of a bot account."""
    session.must_be_me()
    revoke_bot_token(bot, token_id)
    return _settings()


def _settings() -> AnyResponse:
    return redirect(f"{url_for('pages.show_settings')}?saved=1#bots", 303)
