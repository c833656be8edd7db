"""REST calls for hints: what a bot would play in the present position. The bots' workers find them."""

from typing import Any

from api.http.analysis_schemas import HintsResponse
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import onlooker, ports, reader, seen_game
from api.http.idempotency import OnRepeat, action_id
from api.http.problems import language
from api.http.query_schemas import ViewQuery
from api.http.request_schemas import Nothing
from marketpost.play.log.actions import Hinted
from marketpost.play.log.game import Game
from marketpost.play.moves.hints import HintStatus, ask_hint, hint_status
from marketpost.rules.hint_told import orders_told, why_told

hints = Calls("hints", __name__, url_prefix="/v1/games", description="What a bot would play")


@hints.call(
    "POST",
    "/<id:game>/hints",
    access=Permission.PLAY,
    body=Nothing,
    gives={202: HintsResponse, 200: HintsResponse},
    problems=(409, 503),
    on_repeat=OnRepeat.OWN,
)
def ask_for_hint(body: dict[str, Any], game: str) -> tuple[dict[str, Any], int]:
    """Ask for a hint in the present position, if it is my decision and the game's setting allows it

    A bot looks for the best orders, behind the bots that have to move: 202, and `GET` has the hint when its `status` is `ready`, mostly
    within a second. The log shows the request and the hint to everybody at the table. There is one hint for each position: asked again,
    the answer is the same. Neither entry makes an `If-Match` stale.
    """
    seen_game(game)
    shown = _shown(ask_hint(ports(), game, reader(), action_id()), reader())
    return shown, 200 if shown["status"] == HintStatus.READY else 202


@hints.call("GET", "/<id:game>/hints", access=Permission.READ, query=ViewQuery, gives={200: HintsResponse}, by_link=True)
def list_hints(query: dict[str, Any], game: str) -> dict[str, Any]:
    """Show my hint in the present position, and all hints of the game"""
    return _shown(seen_game(game, query.get("key", "")), onlooker())


def _shown(game: Game, player: str | None) -> dict[str, Any]:
    """Serialize the hints of a game as this player sees them."""
    seat = game.seat_of(player)
    status = hint_status(game, seat)
    items = [_hint(game, version, hint) for version, hint in game.hints.items()]
    mine = [each for each in items if each["current"] and seat is not None and each["colour"] == game.setting.colours[seat]]
    return {"status": status, "hint": mine[0] if mine and status == HintStatus.READY else None, "items": items}


def _hint(game: Game, version: int, hint: Hinted) -> dict[str, Any]:
    """Serialize a hint."""
    words = game.rules.in_language(language())
    return {
        "colour": game.setting.colours[hint.seat],
        "position": hint.position,
        "version": version,
        "current": hint.position == game.position and hint.seat in game.deciders,
        "orders": hint.orders,
        "text": orders_told(game.rules, hint.orders, words),
        "why": why_told(game.rules, hint, words),
        "chance": hint.chance,
        "other": hint.other,
        "less": hint.less,
        "trials": hint.trials,
    }
