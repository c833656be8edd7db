"""REST calls for orders ahead: orders for one's own next turn, under conditions on what happens until then."""

from typing import Any

from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import ports, reader, seen_game
from api.http.orders_schemas import AheadResponse
from api.http.problems import language
from api.http.request_schemas import NewOrdersAhead
from marketpost.play.log.game import Game
from marketpost.play.moves.orders_ahead import BranchOutlook, cancel, leave, look, sentences

ahead = Calls("ahead", __name__, url_prefix="/v1/games", description="Orders for my own next turn")


@ahead.call("GET", "/<id:game>/ahead", access=Permission.READ, gives={200: AheadResponse})
def show_ahead(game: str) -> dict[str, Any]:
    """Show my orders ahead, which nobody else sees, and the conditions that this game knows"""
    table = seen_game(game)
    words = table.rules.in_language(language())
    return {"orders": look(ports(), game, reader(), words), "samples": 0, "branches": [], "conditions": sentences(table, words)}


@ahead.call("PUT", "/<id:game>/ahead", access=Permission.PLAY, body=NewOrdersAhead, gives={200: AheadResponse}, problems=(409,))
def leave_ahead(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Set my orders for my next turn, in place of earlier ones

    One branch a line: `if CONDITION: ORDERS`, with `and` between conditions and `not` before one, and `else: ORDERS`. When my next turn
    comes, the first branch whose conditions hold and whose orders are legal is played like a move of mine, and the log says that it was
    ordered ahead. If there is none I am asked as usual and told why. They are used up by that turn, whatever happens. `branches` says how
    each fared in samples of what the others may play until then.
    """
    table = seen_game(game)
    words = table.rules.in_language(language())
    left = leave(ports(), game, reader(), body["orders"], words)
    branches = [_branch(table, each) for each in left.outlooks]
    return {"orders": left.text, "samples": left.samples, "branches": branches, "conditions": sentences(table, words)}


def _branch(game: Game, branch: BranchOutlook) -> dict[str, Any]:
    """Serialize how a branch fared."""
    words = game.rules.in_language(language())
    found = {"text": branch.text, "held": branch.wanted, "legal": branch.legal}
    return found | ({"refusal": branch.refusal.code, "detail": words.explain(branch.refusal)} if branch.refusal else {})


@ahead.call("DELETE", "/<id:game>/ahead", access=Permission.PLAY, gives={204: None})
def cancel_ahead(game: str) -> Response:
    """Take my orders ahead back; orders that were played already stay played"""
    seen_game(game)
    cancel(ports(), game, reader())
    return Response(status=204)
