"""Check whether text in a message is orders of its game."""

from contextlib import suppress

from marketpost.play.log.game import Game
from marketpost.rules.refusal import Refused


def is_order(game: Game | None, text: str) -> bool:
    """Whether the text is orders for now: all of it can be parsed, and every place it names is on the board."""
    return game is not None and can_be_read(game, text) and all(_on_board(game, line) for line in text.splitlines())


def _on_board(game: Game, line: str) -> bool:
    """Whether everything that a line of orders names is on the board."""
    return game.state is None or not can_be_read(game, line) or game.rules.on_board(game.state, line)


def can_be_read(game: Game, text: str) -> bool:
    """Whether the ruleset can parse the text as orders."""
    with suppress(Refused):
        game.rules.parse(text)
        return True
    return False


def unreadable(game: Game | None, text: str) -> str:
    """Return the first part of the text that is no order."""
    try:
        if game:
            game.rules.parse(text)
    except Refused as refused:
        return str(refused.refusal.values.get("text", ""))
    return ""
