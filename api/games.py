"""REST calls that open, list and show games, and join, leave, resign or return to them."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

from flask import Response, current_app, request, url_for

from api.http.auth import Permission
from api.http.blueprint import Calls, Lines, answer, answer_lines
from api.http.context import is_admin, onlooker, ports, reader, seen_game, speak
from api.http.idempotency import action_id, derived, key
from api.http.pagination import page, read_cursor, write_cursor
from api.http.query_schemas import ExportQuery, GameHeaders, GamesQuery, ViewQuery
from api.http.request_limits import charge_calls
from api.http.request_parser import wrong_fields
from api.http.request_schemas import Join, NewGame, Nothing, Word
from api.http.response_schemas import ExportedGameResponse, GamePage, GameResponse
from api.http.serialize import detail, summary
from api.profiles import shown
from api.seats import plan
from marketpost.play.clock.timeouts import come_back
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import record_for
from marketpost.play.people.profile import shown_player
from marketpost.play.table.lobby import due, find_games, has_room, is_offered, own_games, takes_part
from marketpost.play.table.opening import open_table
from marketpost.play.table.seating import contribute, join, leave, resign
from marketpost.play.table.undo import undo
from marketpost.rules.ruleset import Ruleset, ruleset

games = Calls("games", __name__, url_prefix="/v1/games", description="Games and their seats")
LOCATION = {"Location": "Where the game is."}
"""Response headers of calls that make a game."""
ETAG = {"ETag": 'The version of the game and a digest of what you are shown, such as `"17.3f0c2a9b8d7e6f51"`; good for `If-Match` too.'}
"""Response headers of calls that show a game."""


@games.call("POST", "", access=Permission.PLAY, body=NewGame, gives={201: GameResponse}, tells=LOCATION | ETAG)
def open_game(body: dict[str, Any]) -> Any:
    """Open a game

    Each seat is one of `{"me": true}`, `{"email": …}`, `{"player": …}`, `{"bot": "greedy"}` and `{"open": true}`. Invited players have to
    join. The game begins when all seats are filled. With a `clock`, each decision has a time limit.
    """
    rules = ruleset(body["rules"])
    speak(rules)
    check_board(rules, body.get("board"))
    return made(open_as_asked(new_game_id(), reader(), body))


def open_as_asked(id: str, host: str, body: dict[str, Any]) -> Game:
    """Open the game that a request body describes."""
    seats = plan(ports(), host, body["seats"], join_later=body["join_later"])
    setting: dict[str, Any] = {name: body[name] for name in ("board", "edition", "options", "hints", "name") if name in body}
    shuffled = body["order"] == "random"
    return open_table(ports(), id, host, body["rules"], seats, setting, body["public"], body.get("clock"), shuffled=shuffled)


def check_board(rules: Ruleset[Any], board: object) -> None:
    """Refuse a board typed in by hand with a list of all its defects."""
    defects = rules.defects(board) if isinstance(board, dict) else []
    if defects:
        raise wrong_fields([("board", defect) for defect in defects])


def new_game_id() -> str:
    """Return the id of a new game. With an idempotency key it is derived from the key, so that a repeated request finds the first game."""
    return derived("game", request.path, reader(), key())[:20] if key() else secrets.token_hex(10)


def made(game: Game) -> Response:
    """Build the response for a new game."""
    shown = detail(ports(), game, reader())
    return answer(shown, 201, {"Location": url_for("games.show_game", game=game.id), "ETag": etag(game, shown)})


def etag(game: Game, shown: dict[str, Any]) -> str:
    """Return the ETag of a document: the version of the game, which `If-Match` needs, and a digest of what this reader is shown."""
    digest = hashlib.sha256(current_app.json.dumps(shown).encode()).hexdigest()
    return f'"{game.version}.{digest[:16]}"'


@games.call("GET", "", access=Permission.READ, query=GamesQuery, gives={200: GamePage})
def list_games(query: dict[str, Any]) -> dict[str, Any]:
    """List public games and my own, newest first

    With `my_turn` or `sort=deadline` only my own that are not over. A page may be short, even empty, and not the last: go on while `next`
    is not null.
    """
    if query["my_turn"] or query["sort"] == "deadline":
        return _unfinished(query)
    mine = f"player:{reader()}"
    lists = [mine] if query["mine"] else ["all"] if is_admin() else ["public", mine]
    found, place = find_games(ports(), lists, _wanted(query), read_cursor(query.get("cursor")), query["limit"])
    return {"items": [summary(ports(), game, reader()) for game in found], "next": write_cursor(place) if place else None}


def _unfinished(query: dict[str, Any]) -> dict[str, Any]:
    """List my games that are not over, or those that wait for a decision of mine."""
    me, fits = reader(), _wanted(query)
    by_deadline = query["sort"] == "deadline"

    def place(game: Game) -> tuple[float, str]:
        return due(game, me) if by_deadline else -game.created, game.id

    mine = [game for game in own_games(ports(), me) if fits(game) and (game.seat_of(me) in game.deciders or not query["my_turn"])]
    found = page(sorted(mine, key=place), place, query)
    return found | {"items": [summary(ports(), game, reader()) for game in found["items"]]}


def _wanted(query: dict[str, Any]) -> Callable[[Game], bool]:
    """Return the filter for the games that the query asks for and the reader may see."""
    me, admin = reader(), is_admin()

    def fits(game: Game) -> bool:
        visible = takes_part(game, me) if query["mine"] else admin or (game.may_see(me) and is_offered(ports(), game, me))
        is_wanted = query.get("status") in (None, game.status) and query.get("rules") in (None, game.rules.name)
        return visible and is_wanted and (has_room(game) or not query["open"])

    return fits


@games.call("GET", "/export", access=Permission.READ, query=ExportQuery, gives={200: Lines(ExportedGameResponse)}, problems=(404, 429))
def export_games(query: dict[str, Any]) -> Response:
    """Export many games as records, one JSON document in each line

    Finished games of a player, or those with these ids, as far as they have begun and I may see them; others are left out. Each counts as
    a call. `GET /v1/players/{player}/games` lists the ids of all finished games, in pages.
    """
    me, admin, stores = reader(), is_admin(), ports()
    ids = query.get("ids") or _finished_ids(query.get("player", me), query["limit"])
    charge_calls(max(0, len(ids) - 1))
    found = (game for id in ids if (game := stores.sound_game(id)) and game.state is not None and (admin or game.may_see(me)))
    return answer_lines(summary(stores, game, me) | {"record": record_for(stores, game, me)} for game in found)


def _finished_ids(player: str, most: int) -> list[str]:
    """List the newest finished games of a player whom the reader may see."""
    shown(shown_player, player)
    return [id for _, id in ports().index.page(f"played:{player}", None, most)]


@games.call(
    "GET",
    "/<id:game>",
    access=Permission.READ,
    query=ViewQuery,
    headers=GameHeaders,
    gives={200: GameResponse, 304: None},
    tells=ETAG,
    by_link=True,
)
def show_game(query: dict[str, Any], headers: dict[str, str], game: str) -> Any:
    """Show one game: the position as I may see it, who decides, and some legal steps"""
    found = seen_game(game, query.get("key", ""))
    known = [tag.strip().removeprefix("W/") for tag in headers.get("if_none_match", "").split(",")]
    shown = detail(ports(), found, onlooker())
    tag = etag(found, shown)
    if tag in known or "*" in known:
        return Response(status=304, headers={"ETag": tag})
    return shown, 200, {"ETag": tag}


@games.call("POST", "/<id:game>/join", access=Permission.PLAY, body=Join, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def join_game(body: dict[str, Any], game: str) -> Any:
    """Join: take the seat I am invited to or that is offered to me, or the first free one

    In a private game, a player who was not invited needs the key of a link to a seat.
    """
    seen_game(game, body.get("key", ""), LinkKind.SEAT)
    return changed(join(ports(), game, reader(), action_id(), body.get("word", "")))


@games.call("POST", "/<id:game>/word", access=Permission.PLAY, body=Word, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def contribute_word(body: dict[str, Any], game: str) -> Any:
    """Contribute a word of my own to chance, in place of the one that my seat has, until the game begins

    All draws come from the server's secret, to which it is bound by `seal` since the game was opened, and from the words of all seats.
    """
    seen_game(game)
    return changed(contribute(ports(), game, reader(), body["word"], action_id()))


@games.call("POST", "/<id:game>/leave", access=Permission.PLAY, body=Nothing, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def leave_game(body: dict[str, Any], game: str) -> Any:
    """Leave my seat, before the game begins"""
    return _changed(leave, game)


@games.call("POST", "/<id:game>/resign", access=Permission.PLAY, body=Nothing, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def resign_game(body: dict[str, Any], game: str) -> Any:
    """Resign: a bot plays on in my seat"""
    return _changed(resign, game)


@games.call("POST", "/<id:game>/return", access=Permission.PLAY, body=Nothing, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def return_to_game(body: dict[str, Any], game: str) -> Any:
    """Return to my seat, which a bot took when my time ran out, from the next decision on"""
    return _changed(come_back, game)


@games.call("POST", "/<id:game>/undo", access=Permission.PLAY, body=Nothing, gives={200: GameResponse}, problems=(409, 503), tells=ETAG)
def undo_orders(body: dict[str, Any], game: str) -> Any:
    """Undo my last orders

    Free while the turn is still mine and chance has shown nothing since. Later all others are asked: then the answer has a `proposal`. Bots
    agree to everything. The log shows it; nothing is deleted, and chance comes out the same again.
    """
    return _changed(undo, game)


def _changed(verb: Callable[..., Game], id: str) -> tuple[dict[str, Any], int, dict[str, str]]:
    seen_game(id)
    return changed(verb(ports(), id, reader(), action_id()))


def changed(game: Game) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Build the response for a changed game."""
    shown = detail(ports(), game, reader())
    return shown, 200, {"ETag": etag(game, shown)}
