"""REST calls that view a game: preview, legal steps, log, board, record and rules."""

from typing import Any

import msgspec
from flask import Response, request

from api import event_stream as stream
from api.http.analysis_schemas import AnalysisResponse
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside, onlooker, own_seat, ports, reader, seen_game
from api.http.idempotency import OnRepeat
from api.http.negotiation import accepted
from api.http.orders_schemas import LegalResponse, LineResponse, PreviewResponse
from api.http.problems import Problem, language, words
from api.http.query_schemas import BoardHeaders, BoardQuery, EventsHeaders, EventsQuery, GameRulesQuery, LegalQuery, ViewQuery
from api.http.request_limits import charge, leave_queue, stand_back
from api.http.request_schemas import Orders, SupposedLine
from api.http.response_schemas import EventPage
from api.http.rules_schemas import GameRulesResponse
from api.http.serialize import branch, entry, legal, tried_line
from api.moves import orders_in
from api.rules import document
from marketpost.mail.outbound.replay_page import replay_html
from marketpost.pictures.png import nearest_width, pixels_of
from marketpost.play.analyses import find_analysis
from marketpost.play.limits import Limit
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import MOST_BRANCHES, choices, legal_after, names_for, picture, position_at, preview, record_for
from marketpost.play.moves.what_if import read_line, try_line
from marketpost.rules.refusal import Refused
from marketpost.rules.svg import Style
from marketpost.rules.words import Words

views = Calls("views", __name__, url_prefix="/v1/games", description="Views of a game")
PLAIN, HTML, SVG, PNG = "text/plain", "text/html", "image/svg+xml", "image/png"


@views.call(
    "POST",
    "/<id:game>/preview",
    access=Permission.READ,
    body=Orders,
    gives={200: PreviewResponse},
    problems=(409,),
    on_repeat=OnRepeat.OWN,
)
def preview_orders(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Preview orders

    For every branch of chance: its outcomes and how likely they are, the change of each score, the events, and the position and the board
    after it. Nothing is drawn and nothing changes.
    """
    found = _begun(game)
    seat = own_seat(found)
    branches = preview(found, seat, orders_in(body, found))
    shown = [branch(found, seat, words(), each) for each in branches]
    return {"version": found.version, "complete": len(branches) < MOST_BRANCHES, "branches": shown}


@views.call(
    "POST",
    "/<id:game>/what-if",
    access=Permission.READ,
    body=SupposedLine,
    gives={200: LineResponse},
    problems=(409,),
    on_repeat=OnRepeat.OWN,
)
def try_moves(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Try a line of moves on a private copy of a position

    From the position after `version`, or the present one, each move is made by whoever is to decide then. Chance is open: where a move
    draws, `open` lists the outcomes and how likely each is, and the line stops until one is written behind that move. A draw with only
    one outcome needs none. Nothing is stored, nobody is told, and nothing of the game's own chance is shown.
    """
    found = _begun(game)
    seat = own_seat(found)
    version = body.get("version", found.version)
    return {"version": version} | tried_line(found, seat, words(), try_line(found, version, read_line(body["line"])))


@views.call("GET", "/<id:game>/legal", access=Permission.READ, query=LegalQuery, gives={200: LegalResponse}, problems=(409,))
def list_legal(query: dict[str, Any], game: str) -> dict[str, Any]:
    """List every legal next step of mine, as text in `steps` and as data in `choices`

    Empty while somebody else decides. After `orders` with several possible outcomes of chance: the steps that are legal in all of them.
    """
    found = _begun(game)
    seat = found.seat_of(reader())
    colours = found.setting.colours
    steps, state = _after(found, own_seat(found), query["orders"]) if "orders" in query else (legal(found, seat), found.state)
    return {
        "version": found.version,
        "colour": None if seat is None else colours[seat],
        "decides": [colours[each] for each in found.deciders],
        "steps": steps,
        "choices": choices(found.rules, state, steps),
    }


def _after(game: Game, seat: int, orders: str) -> tuple[list[str], Any]:
    """List the steps that are legal after these orders, and the position of the first branch of chance."""
    branches = preview(game, seat, orders)
    for each in branches:
        if each.refusal:
            raise Problem(each.refusal, members={"legal": legal(game, seat)})
    return legal_after(game, seat, branches), branches[0].state


def _begun(id: str, key: str = "") -> Game:
    """Return a game that the reader may see; refused before it has begun."""
    game = seen_game(id, key)
    if game.state is None:
        raise Refused("not-started")
    return game


@views.call(
    "GET",
    "/<id:game>/events",
    access=Permission.READ,
    query=EventsQuery,
    headers=EventsHeaders,
    gives={200: EventPage},
    also=(stream.MEDIA_TYPE,),
    problems=(406, 503),
    by_link=True,
)
def list_events(query: dict[str, Any], headers: dict[str, str], game: str) -> Any:
    """List the entries of the log

    Each entry has the hash of the one before it. As `text/event-stream` the response stays open and sends new entries; a client that lost
    the connection goes on with `Last-Event-ID`.
    """
    found = seen_game(game, query.get("key", ""))
    last = stream.read_last(headers.get("last_event_id"))
    after = query["after"]
    if accepted("application/json", stream.MEDIA_TYPE) == stream.MEDIA_TYPE:
        return stream.follow(found, after if last is None else last)
    stored = ports().games.read(game, after, query["limit"])
    more = bool(stored) and stored[-1].version < found.version
    return {"game": found.id, "items": [entry(found.rules, each) for each in stored], "next": stored[-1].version if more else None}


@views.call(
    "GET",
    "/<id:game>/board",
    access=Permission.READ,
    query=BoardQuery,
    headers=BoardHeaders,
    gives={200: PLAIN, 304: None},
    also=(SVG, PNG),
    tells={"ETag": "Of exactly this board, in this form."},
    problems=(406, 409),
    by_link=True,
)
def show_game_board(query: dict[str, Any], headers: dict[str, str], game: str) -> Response:
    """Show the board as text or as a picture, now or after an earlier version

    By `Accept`: text of 80 columns, SVG, or PNG. Without a `theme` an SVG turns dark on a dark screen.
    """
    found = seen_game(game, query.get("key", ""))
    kind = accepted(PLAIN, SVG, PNG)
    at = query.get("at", found.version)
    if at > found.version:
        raise Refused("no-such-version", newest=found.version)
    state = position_at(found, at)
    if state is None:
        raise Refused("not-started")
    told = found.rules.in_language(query.get("language", language()))
    answer = Response(_drawn(found, state, at, told, kind, query), mimetype=kind)
    answer.add_etag()
    answer.headers["Vary"] = "Accept, Accept-Language"
    answer.make_conditional(request)
    return answer


def _drawn(game: Game, state: Any, at: int, told: Words, kind: str, query: dict[str, Any]) -> str | bytes:
    """Draw a position as text, SVG or PNG."""
    if kind == PLAIN:
        return game.rules.linear(state, told) if query["style"] == "linear" else game.rules.draw(state, told)
    # A PNG cannot know what screen it will be on.
    svg = picture(game, at, told, Style(query.get("theme", None if kind == SVG else "light")))
    if kind == SVG:
        return svg
    width = nearest_width(query["width"])
    charge(pixels_of(svg, width), Limit.PIXELS_ADDRESS, Limit.PIXELS_GUEST, Limit.PIXELS_PLAYER)
    leave_queue()
    return inside().draw(svg, width)


@views.call(
    "GET", "/<id:game>/record", access=Permission.READ, query=ViewQuery, gives={200: PLAIN}, also=(HTML,), problems=(406, 409), by_link=True
)
def show_record(query: dict[str, Any], game: str) -> Response:
    """Show the game as a record, which anyone can replay

    As `text/html` it is one page that needs nothing else and steps through the game.
    """
    found = _begun(game, query.get("key", ""))
    if accepted(PLAIN, HTML) == PLAIN:
        return _text(record_for(ports(), found, onlooker()))
    return Response(replay_html(found, language(), names_for(ports(), found, onlooker()), stand_back), mimetype=HTML)


@views.call("GET", "/<id:game>/analysis", access=Permission.READ, query=ViewQuery, gives={200: AnalysisResponse}, by_link=True)
def show_analysis(query: dict[str, Any], game: str) -> dict[str, Any]:
    """Show luck and skill of a finished game

    It is computed after the end. How each decision and each draw changed the chances to win, in thousandths, by playouts from the
    positions of the log: for each seat `luck` + `skill` is exactly `result` - `start`.
    """
    found = seen_game(game, query.get("key", ""))
    status, analysis = find_analysis(ports(), found)
    if analysis is None:
        return {"status": status}
    shares = zip(found.setting.colours, analysis.shares, strict=True)
    return {
        "status": status,
        "playouts": analysis.playouts,
        "error": analysis.error,
        "dealt": analysis.dealt,
        "seats": [{"colour": colour, **msgspec.structs.asdict(share)} for colour, share in shares],
        "moments": [msgspec.structs.asdict(moment) for moment in analysis.moments],
        "turning_points": analysis.turning_points,
    }


@views.call("GET", "/<id:game>/rules", access=Permission.READ, query=GameRulesQuery, gives={200: GameRulesResponse}, by_link=True)
def show_game_rules(query: dict[str, Any], game: str) -> dict[str, Any]:
    """Show the whole rules of this game, with its edition and options"""
    found = seen_game(game, query.get("key", ""))
    return document(found.rules, found.setting, query.get("language", language()))


def _text(text: str) -> Response:
    return Response(text, mimetype=PLAIN)
