"""REST calls for standing orders: a player's decisions in advance, for moments outside the own turn."""

from typing import Any

from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import ports, reader, seen_game
from api.http.orders_schemas import StandingResponse
from api.http.problems import language
from api.http.request_schemas import StandingOrders
from marketpost.play.log.game import Game
from marketpost.play.moves.standing_orders import cancel, cautions, leave, look

standing = Calls("standing", __name__, url_prefix="/v1/games", description="Orders for decisions outside my own turn")


@standing.call("GET", "/<id:game>/standing", access=Permission.READ, gives={200: StandingResponse}, problems=(409,))
def show_standing(game: str) -> dict[str, Any]:
    """Show my standing orders, which nobody else sees"""
    return _left(seen_game(game), look(ports(), game, reader()))


@standing.call("PUT", "/<id:game>/standing", access=Permission.PLAY, body=StandingOrders, gives={200: StandingResponse}, problems=(409,))
def leave_orders(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Set my standing orders, in place of earlier ones

    When I must decide outside my own turn, the first of them that is legal is played, again and again until the decision is made. I am
    asked only if none is legal. They are judged like other moves, and the log says that they were standing orders. `warnings` names effects
    that are probably unwanted.
    """
    return _left(seen_game(game), leave(ports(), game, reader(), body["orders"]))


def _left(game: Game, orders: str) -> dict[str, Any]:
    """Serialize standing orders, with cautions about unwanted effects."""
    words = game.rules.in_language(language())
    found = cautions(ports(), game.id, reader(), words)
    return {"orders": orders, "warnings": [{"code": each.code, "detail": words.caution(each), "values": each.values} for each in found]}


@standing.call("DELETE", "/<id:game>/standing", access=Permission.PLAY, gives={204: None}, problems=(409,))
def cancel_orders(game: str) -> Response:
    """Delete my standing orders"""
    seen_game(game)
    cancel(ports(), game, reader())
    return Response(status=204)
