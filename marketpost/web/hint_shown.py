"""Show on the game page the hint in the present position, or the button that asks for one."""

from typing import Any

from marketpost.play.log.game import Game
from marketpost.play.moves.hints import HintStatus, hint_status
from marketpost.rules.hint_told import orders_told, why_told
from marketpost.web.page_language import language


def hint_shown(game: Game, seat: int | None) -> dict[str, Any] | None:
    """Return the hint of a seat and where it stands; None where there is none to ask for."""
    status = hint_status(game, seat)
    if seat is None or status == HintStatus.NOT_ALLOWED:
        return None
    words, found = game.rules.in_language(language()), game.hint_for(seat)
    if found is None:
        return {"status": status}
    text = orders_told(game.rules, found.orders, words)
    return {"status": status, "text": text, "line": words.say("hint.line", text=text), "why": why_told(game.rules, found, words)}
