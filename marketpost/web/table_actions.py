"""What a player does at a table beside moving: undo, resign, leave, propose and answer, ask for a hint, and contribute a word to chance."""

from collections.abc import Callable
from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import ports
from api.http.idempotency import derived
from marketpost.play.log.actions import LinkKind, ProposalKind
from marketpost.play.moves import orders_ahead
from marketpost.play.moves.hints import ask_hint
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hosting import fill_with_bots, rename, withdraw_invitation
from marketpost.play.table.invite_links import make_link
from marketpost.play.table.proposals import agree, disagree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import contribute, decline, leave, resign
from marketpost.play.table.undo import undo
from marketpost.rules.bots import usual_bot
from marketpost.rules.refusal import Refused
from marketpost.web import session
from marketpost.web.address_forms import given_address
from marketpost.web.ahead_shown import tried
from marketpost.web.game_page import KEY_LONGEST, back_to, show
from marketpost.web.game_reader import Reader, number_of, player_at, reader_of
from marketpost.web.page_language import explain, language, say
from marketpost.web.pages import page
from marketpost.web.result_shown import checked


@page("/games/<id:game>/<any(undo, resign, leave):verb>", "POST")
def change_game(game: str, verb: str) -> Any:
    """Undo, resign or leave, each as over REST. An undo that is not free is proposed to the others."""
    act = {"undo": undo, "resign": resign, "leave": leave}[verb]
    return _done(game, lambda reader: act(ports(), game, reader.player.id))


@page("/games/<id:game>/propose", "POST")
def make_proposal(game: str) -> Any:
    """Propose a draw, or to abandon the game."""
    what = request.form.get("what", "")
    if what not in (ProposalKind.DRAW, ProposalKind.ABANDON):
        raise Refused("no-such-page")
    return _done(game, lambda reader: propose(ports(), game, reader.player.id, ProposalKind(what)))


@page("/games/<id:game>/answer", "POST")
def answer_proposal(game: str) -> Any:
    """Agree to the open proposal, disagree with it, or withdraw one's own."""
    act = agree if request.form.get("say") == "yes" else disagree
    number = number_of(request.form.get("number", "")) or 0
    return _done(game, lambda reader: act(ports(), game, reader.player.id, number))


@page("/games/<id:game>/word", "POST")
def contribute_word(game: str) -> Any:
    """Contribute a word of the player's own to chance, as over REST."""
    return _done(game, lambda reader: contribute(ports(), game, reader.player.id, request.form.get("word", "")), 422)


@page("/games/<id:game>/<any(rename, cancel, fill, withdraw, replace, link):verb>", "POST")
def host_game(game: str, verb: str) -> Any:
    """What the host does before the game begins: name, cancel or fill it, withdraw or replace an invitation, or make a link to a seat."""
    form, seat = request.form, number_of(request.form.get("seat", "")) or 0
    acts: dict[str, Callable[[Reader], object]] = {
        "rename": lambda reader: rename(ports(), game, reader.player.id, form.get("name", "").strip()),
        "cancel": lambda reader: cancel(ports(), game, reader.player.id),
        "fill": lambda reader: fill_with_bots(ports(), game, reader.player.id, form.get("bot") or usual_bot(reader.game.rules)),
        "withdraw": lambda reader: withdraw_invitation(ports(), game, reader.player.id, seat),
        "replace": lambda reader: withdraw_invitation(
            ports(), game, reader.player.id, seat, _form_id(reader, seat), instead=given_address()
        ),
        "link": lambda reader: make_link(ports(), game, reader.player.id, LinkKind.SEAT),
    }
    return _done(game, acts[verb])


@page("/games/<id:game>/ahead", "POST")
def leave_orders_ahead(game: str) -> Any:
    """Leave orders for one's next turn, or take them back with `off`. Refused orders stay in the form."""
    reader, orders = player_at(game), request.form.get("orders", "").replace("\r\n", "\n")
    if "off" in request.form or not orders.strip():
        orders_ahead.cancel(ports(), game, reader.player.id)
        return back_to(game)
    try:
        left = orders_ahead.leave(ports(), game, reader.player.id, orders, reader.game.rules.in_language(language()))
    except Refused as refused:
        return show(reader, wrong=explain(refused.refusal, reader.game.rules), status=422, ahead=orders)
    return show(reader, told=tried(left))


@page("/games/<id:game>/hint", "POST")
def ask_for_hint(game: str) -> Any:
    """Ask for a hint, as over REST; the page shows it as soon as the log has it."""
    return _done(game, lambda reader: ask_hint(ports(), game, reader.player.id))


@page("/games/<id:game>/decline", "POST")
def decline_seat(game: str) -> AnyResponse:
    """Decline an invitation; the game may be one that its reader cannot see afterwards."""
    player = session.must_be_me()
    reader_of(game)
    decline(ports(), game, player.id)
    return redirect(url_for("pages.home"), 303)


@page("/games/<id:game>/rematch", "POST")
def play_again(game: str) -> Any:
    """Open the rematch of a game that is over, or take one's seat in it."""
    reader = player_at(game)
    try:
        again = rematch(ports(), game, reader.player.id)
    except Refused as refused:
        return show(reader, wrong=explain(refused.refusal, reader.game.rules), status=409)
    return back_to(again.id)


@page("/games/<id:game>/verify", "POST")
def verify_chance(game: str) -> Any:
    """Check the whole log of a game that is over, and say what was found."""
    reader = reader_of(game)
    found = checked(game)
    if found.faults:
        return show(reader, wrong=say("result.faults", text="; ".join(found.faults)))
    return show(reader, told=say("result.verified", entries=found.entries, draws=found.draws))


def _form_id(reader: Reader, seat: int) -> str:
    """Return the id under which the log records this form for a seat, so that a form that is sent twice invites once."""
    key = request.form.get("key", "")[:KEY_LONGEST]
    return derived("action", request.path, reader.player.id, str(seat), key)[:16] if key else ""


def _done(game: str, act: Callable[[Reader], object], status: int = 409) -> Any:
    """Act for the player who sends the request, and show the game; if it is refused, with the reason."""
    reader = player_at(game)
    try:
        act(reader)
    except Refused as refused:
        return show(reader, wrong=explain(refused.refusal, reader.game.rules), status=status)
    return back_to(game)
