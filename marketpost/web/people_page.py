"""Block, unblock or report somebody at one of the player's tables."""

from typing import Any

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import mailer, ports
from marketpost.mail.outbound.operator_reports import tell_operator
from marketpost.play.people.blocking import block
from marketpost.play.people.reporting import LONGEST_REPORT, report
from marketpost.rules.refusal import Refused
from marketpost.web import session
from marketpost.web.game_reader import reader_of
from marketpost.web.page_language import explain, say
from marketpost.web.pages import page
from marketpost.web.seats_shown import others_at


def _met(game: str, player: str) -> str:
    """Return the name of a player at one of the reader's tables; refused for anybody else."""
    session.must_be_me()
    reader = reader_of(game)
    found = dict(others_at(reader.game, reader.player.id) if reader.may_play else [])
    if player not in found:
        raise Refused("no-such-player")
    return found[player]


@page("/games/<id:game>/people/<id:player>")
def show_person(game: str, player: str) -> str:
    """Show the page on which a player can be blocked or reported."""
    return _form(game, player)


def _form(game: str, player: str, told: str = "", why: str = "", text: str = "") -> str:
    name, me = _met(game, player), session.must_be_me()
    shown = {"is_blocked": player in me.blocked, "longest": LONGEST_REPORT, "told": told, "why": why, "text": text}
    return render_template("person.html", game=game, player=player, name=name, **shown)


@page("/games/<id:game>/people/<id:player>/<any(block, unblock):verb>", "POST")
def block_person(game: str, player: str, verb: str) -> AnyResponse:
    """Block or unblock a player."""
    _met(game, player)
    block(ports(), session.must_be_me(), player, off=verb == "unblock")
    return redirect(url_for("pages.show_person", game=game, player=player), 303)


@page("/games/<id:game>/people/<id:player>/report", "POST")
def report_person(game: str, player: str) -> Any:
    """Report a player to the operator. A refused text stays in the form."""
    _met(game, player)
    text = request.form.get("text", "")
    try:
        tell_operator(mailer(), report(ports(), session.must_be_me().id, player, text, game))
    except Refused as refused:
        return _form(game, player, why=explain(refused.refusal), text=text), 422
    return _form(game, player, told=say("person.reported"))
