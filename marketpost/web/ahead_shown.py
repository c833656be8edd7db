"""Show on the game page a player's orders ahead, and the form to leave them."""

from typing import Any

from api.http.context import ports
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.orders_ahead import LONGEST, LeftAhead, look, sentences
from marketpost.web.page_language import language, say


def ahead_shown(game: Game, player: str, written: str = "") -> dict[str, Any]:
    """Return the player's orders ahead and the conditions of the game; `written` are orders that were refused and stay in the form."""
    if not player or game.status != GameStatus.RUNNING:
        return {"ahead": None}
    words = game.rules.in_language(language())
    left = look(ports(), game.id, player, words)
    return {"ahead": {"left": left, "written": written or left, "known": sentences(game, words), "longest": LONGEST}}


def tried(left: LeftAhead) -> str:
    """Say how each branch fared in samples of what the others may play until the turn."""
    if not left.samples:
        return say("ahead.left")
    lines = [
        say("ahead.branch", number=number, held=each.wanted, legal=each.legal, samples=left.samples)
        for number, each in enumerate(left.outlooks, 1)
    ]
    return " ".join([say("ahead.left"), *lines])
