"""REST calls for names of games, invitations, rematches, proposals, handing a seat over, invite links, notes and muting."""

from typing import Any

from flask import Response

from api.games import ETAG, changed
from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import mailer, me, own_seat, ports, reader, seen_game
from api.http.idempotency import OnRepeat, action_id
from api.http.pagination import page
from api.http.query_schemas import PageQuery
from api.http.request_schemas import Bots, Heir, Muted, NewLink, NewProposal, Notes, Nothing, Rematch, Renamed, Withdrawal
from api.http.response_schemas import GameResponse, LinkPage, LinkResponse, NotesResponse
from api.seats import heir
from marketpost.mail.link_keys import publish_link
from marketpost.play.log.actions import ProposalKind
from marketpost.play.log.game import Game
from marketpost.play.people.blocking import company
from marketpost.play.people.registration import mute
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.hosting import fill_with_bots, rename, withdraw_invitation
from marketpost.play.table.invite_links import links_of, make_link, revoke_link
from marketpost.play.table.notes import note, noted
from marketpost.play.table.proposals import agree, disagree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import decline
from marketpost.play.table.undo import undo
from marketpost.rules.bots import usual_bot
from marketpost.rules.refusal import Refused

table = Calls("table", __name__, url_prefix="/v1/games", description="Invitations, proposals, links, notes and muting")


@table.call("POST", "/<id:game>/decline", access=Permission.PLAY, body=Nothing, gives={204: None}, problems=(409, 503))
def decline_invitation(body: dict[str, Any], game: str) -> Response:
    """Decline an invitation, or a seat that is offered to me"""
    seen_game(game)
    decline(ports(), game, reader(), action_id())
    return Response(status=204)


@table.call("POST", "/<id:game>/cancel", access=Permission.PLAY, body=Nothing, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def cancel_game(body: dict[str, Any], game: str) -> Any:
    """Cancel my game before it begins; everyone who was invited is notified"""
    seen_game(game)
    return changed(cancel(ports(), game, reader(), action_id()))


@table.call("POST", "/<id:game>/rename", access=Permission.PLAY, body=Renamed, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def rename_game(body: dict[str, str | None], game: str) -> Any:
    """Name my game, or take its name away, before it begins

    Lists and pages show the name, letters do not.
    """
    seen_game(game)
    return changed(rename(ports(), game, reader(), body["name"] or "", action_id()))


@table.call("POST", "/<id:game>/fill", access=Permission.PLAY, body=Bots, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def fill_seats(body: dict[str, str], game: str) -> Any:
    """Fill my game with bots, which begins it: every seat that is free or waits for an answer"""
    rules = seen_game(game).rules
    return changed(fill_with_bots(ports(), game, reader(), body.get("bot") or usual_bot(rules), action_id()))


@table.call(
    "POST", "/<id:game>/withdraw", access=Permission.PLAY, body=Withdrawal, gives={200: GameResponse}, problems=(409, 503), tells=ETAG
)
def withdraw_seat(body: dict[str, Any], game: str) -> Any:
    """Withdraw an invitation to my game, before it begins; the seat is free then, or kept for the `email` that I invite instead"""
    seen_game(game)
    return changed(withdraw_invitation(ports(), game, reader(), body["seat"], action_id(), instead=body.get("email", "")))


@table.call("POST", "/<id:game>/rematch", access=Permission.PLAY, body=Rematch, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def request_rematch(body: dict[str, Any], game: str) -> Any:
    """Play once more with the same people

    Each game has one rematch. The first player to ask opens it and the others are invited; whoever asks later takes their seat in it.
    """
    seen_game(game)
    return changed(rematch(ports(), game, reader(), body.get("word", "")))


@table.call(
    "POST", "/<id:game>/proposals", access=Permission.PLAY, body=NewProposal, gives={200: GameResponse}, problems=(409, 503), tells=ETAG
)
def make_proposal(body: dict[str, Any], game: str) -> Any:
    """Propose an undo, a draw, or to abandon the game

    All others must agree; bots always do. There is one proposal at a time; it lapses when somebody moves. Proposing the same again is
    agreeing.
    """
    seen_game(game)
    if body["what"] == ProposalKind.UNDO:
        return changed(undo(ports(), game, reader(), action_id()))
    return changed(propose(ports(), game, reader(), body["what"], action_id()))


@table.call(
    "POST",
    "/<id:game>/proposals/<id:number>/yes",
    access=Permission.PLAY,
    body=Nothing,
    gives={200: GameResponse},
    problems=(409, 503),
    tells=ETAG,
)
def agree_to_proposal(body: dict[str, Any], game: str, number: str) -> Any:
    """Agree to a proposal; the last yes carries it out"""
    seen_game(game)
    return changed(agree(ports(), game, reader(), _number(number, "no-such-proposal"), action_id()))


@table.call(
    "POST",
    "/<id:game>/proposals/<id:number>/no",
    access=Permission.PLAY,
    body=Nothing,
    gives={200: GameResponse},
    problems=(409, 503),
    tells=ETAG,
)
def disagree_with_proposal(body: dict[str, Any], game: str, number: str) -> Any:
    """Disagree with a proposal, which ends it; or withdraw my own"""
    seen_game(game)
    return changed(disagree(ports(), game, reader(), _number(number, "no-such-proposal"), action_id()))


def _number(text: str, code: str) -> int:
    """Read a number in a path; refused with this code if it is none."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(code)
    return int(text)


@table.call("POST", "/<id:game>/hand-over", access=Permission.PLAY, body=Heir, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def hand_seat_over(body: dict[str, str], game: str) -> Any:
    """Hand my seat over

    To a bot at once; to a player, or to the owner of an address, as soon as they join. Until then the seat is mine.
    """
    own_seat(seen_game(game))
    return changed(hand_over(ports(), game, reader(), heir(ports(), body), action_id()))


@table.call("GET", "/<id:game>/links", access=Permission.READ, query=PageQuery, gives={200: LinkPage})
def list_links(query: dict[str, Any], game: str) -> dict[str, Any]:
    """List my links to this game; the host sees all of them"""
    found = seen_game(game)
    shown = page(sorted(links_of(found, reader())), lambda number: (number, str(number)), query)
    shown["items"] = [_link(found, number) for number in shown["items"]]
    return shown


@table.call(
    "POST",
    "/<id:game>/links",
    access=Permission.PLAY,
    body=NewLink,
    gives={201: LinkResponse},
    problems=(409, 503),
    on_repeat=OnRepeat.AGAIN,
)
def add_link(body: dict[str, Any], game: str) -> Response:
    """Make a link

    To a free seat, which only the host can do and only before the game begins; or to view the game without a token (`?key=…`), with nothing
    hidden shown. The same request again returns the same link, until it is revoked.
    """
    seen_game(game)
    return answer(_link(*make_link(ports(), game, reader(), body["what"])), 201)


@table.call("DELETE", "/<id:game>/links/<id:number>", access=Permission.PLAY, gives={204: None}, problems=(409, 503))
def remove_link(game: str, number: str) -> Response:
    """Revoke a link"""
    seen_game(game)
    revoke_link(ports(), game, reader(), _number(number, "no-such-link"))
    return Response(status=204)


def _link(game: Game, number: int) -> dict[str, Any]:
    """Serialize a link, with its key and its addresses."""
    link, known = publish_link(mailer(), game, number), game.links[number]
    return {"number": number, "what": known.what, "player": known.player, "key": link.key, "url": link.url, "address": link.address}


@table.call("GET", "/<id:game>/notes", access=Permission.READ, gives={200: NotesResponse})
def read_notes(game: str) -> dict[str, Any]:
    """Show my notes on this game, which nobody else sees"""
    return {"text": noted(ports(), seen_game(game), reader())}


@table.call("PUT", "/<id:game>/notes", access=Permission.PLAY, body=Notes, gives={200: NotesResponse}, on_repeat=OnRepeat.AGAIN)
def write_notes(body: dict[str, str], game: str) -> dict[str, Any]:
    """Change my notes on this game"""
    return {"text": note(ports(), seen_game(game), reader(), body["text"])}


@table.call("POST", "/<id:game>/mute", access=Permission.PLAY, body=Muted, gives={204: None})
def mute_player(body: dict[str, str], game: str) -> Response:
    """Mute a player

    Nothing they say, propose or invite me to is mailed to me any more, in any game. What they say is still shown at the table.
    """
    return _mute(body["player"], game, off=False)


@table.call("POST", "/<id:game>/unmute", access=Permission.PLAY, body=Muted, gives={204: None})
def unmute_player(body: dict[str, str], game: str) -> Response:
    """Mail me what a player says again"""
    return _mute(body["player"], game, off=True)


def _mute(player: str, game: str, *, off: bool) -> Response:
    if player not in company(seen_game(game)):
        raise Refused("no-such-player")
    mute(ports(), me(), player, off=off)
    return Response(status=204)
