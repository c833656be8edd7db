"""The form in the lobby that searches for a game, and the lines that say how long I have been waiting."""

import re
import secrets
from typing import Any

import marshmallow as ma
from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import ports
from api.http.idempotency import derived
from api.http.request_parser import flat
from api.http.search_schemas import NewSearch
from api.searches import ID_DIGITS, search_as_asked
from marketpost.play.table.searching import searches_of, withdraw_search
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.store.players import Player
from marketpost.store.searches import Search
from marketpost.web import session
from marketpost.web.new_table_page import KEY
from marketpost.web.page_language import say, title
from marketpost.web.pages import page

MINUTE = 60_000


def search_rows(player: Player | None) -> list[dict[str, Any]]:
    """Describe the searches of a player in a line each."""
    return [_row(each) for each in searches_of(ports(), player.id)] if player else []


def _row(made: Search) -> dict[str, Any]:
    plan, waited = made.plan, (ports().clock() - made.since) // MINUTE
    text = say("search.line", title=title(ruleset(plan.rules)), count=plan.players)
    return {"id": made.id, "text": text, "waited": say("search.waited", count=waited)}


@page("/search", "POST")
def search_for_game() -> AnyResponse:
    """Search for a game from the form, validated as the same request over REST."""
    player = session.must_be_me()
    key = request.form.get("key", "")
    id = derived("search", "page", player.id, key)[:ID_DIGITS] if KEY.fullmatch(key) else secrets.token_hex(ID_DIGITS // 2)
    try:
        search_as_asked(id, player.id, NewSearch().load(_request_body()))
    except ma.ValidationError as error:
        [(_, fault), *_] = flat(error.messages_dict)
        raise Refused(fault.code, **fault.values) from error
    return redirect(url_for("pages.home", _anchor="lobby"), 303)


def _request_body() -> dict[str, Any]:
    """Return the form as the body of the same REST request."""
    form = request.form
    given = {name: form[name] for name in ("rules", "per_decision", "strength") if form.get(name)}
    return given | ({"players": int(form["players"])} if re.fullmatch("[0-9]{1,3}", form.get("players", "")) else {})


@page("/search/<id:search_id>/cancel", "POST")
def cancel_search(search_id: str) -> AnyResponse:
    """Withdraw a search."""
    withdraw_search(ports(), session.must_be_me().id, search_id)
    return redirect(url_for("pages.home", _anchor="lobby"), 303)
