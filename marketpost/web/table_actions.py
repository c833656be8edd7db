"""What a player does at a table beside moving: undo, resign, leave, propose and answer, and contribute a word to chance."""

from collections.abc import Callable
from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import ports
from marketpost.play.log.actions import LinkKind, ProposalKind
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hosting import fill_with_bots, withdraw_invitation
from marketpost.play.table.invite_links import make_link
from marketpost.play.table.proposals import agree, disagree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import contribute, decline, leave, resign
from marketpost.play.table.undo import undo
from marketpost.rules.bots import usual_bot
from marketpost.rules.refusal import Refused
from marketpost.web import session
from marketpost.web.game_page import Reader, back_to, number_of, player_at, reader_of, show
from marketpost.web.page_language import explain, say
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


@page("/games/<id:game>/<any(cancel, fill, withdraw, link):verb>", "POST")
def host_game(game: str, verb: str) -> Any:
    """What the host does before the game begins: cancel it, fill it with bots, withdraw an invitation, or make a link to a seat."""
    form = request.form
    acts: dict[str, Callable[[Reader], object]] = {
        "cancel": lambda reader: cancel(ports(), game, reader.player.id),
        "fill": lambda reader: fill_with_bots(ports(), game, reader.player.id, form.get("bot") or usual_bot(reader.game.rules)),
        "withdraw": lambda reader: withdraw_invitation(ports(), game, reader.player.id, number_of(form.get("seat", "")) or 0),
        "link": lambda reader: make_link(ports(), game, reader.player.id, LinkKind.SEAT),
    }
    return _done(game, acts[verb])


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


def _done(game: str, act: Callable[[Reader], object], status: int = 409) -> Any:
    """Act for the player who sends the request, and show the game; if it is refused, with the reason."""
    reader = player_at(game)
    try:
        act(reader)
    except Refused as refused:
        return show(reader, wrong=explain(refused.refusal, reader.game.rules), status=status)
    return back_to(game)
