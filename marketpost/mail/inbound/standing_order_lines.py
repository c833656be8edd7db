"""Find standing orders in a message: lines that are left for later, not played now."""

from collections.abc import Iterable

from marketpost.mail.inbound.order_lines import can_be_read, is_order
from marketpost.play.log.game import Game
from marketpost.rules.refusal import Refused
from marketpost.rules.words import COMMON, fold, lexicon, tokens


def standing_order(game: Game | None, text: str) -> str:
    """Return the standing orders that a text is, without the word `standing`; empty if it is none.

    All of it must be readable. One that may not be left, or can never be played on this board, still counts, and its writer is told why. A
    text that reads as an order for now counts only with the word `standing`.
    """
    standing = game.rules.standing if game else None
    if game is None or standing is None:
        return ""
    bare = _uncalled(text)
    if bare == text and can_be_read(game, text):
        return ""
    try:
        standing.read(game.rules.blank() if game.state is None else game.state, bare)
    except Refused as refused:
        return "" if refused.code == "unreadable-order" else bare
    return bare


def _uncalled(text: str) -> str:
    """Remove the first word from `standing thief >f4`."""
    first = next(iter(tokens(text)), "")
    if lexicon(COMMON, "commands").get(fold(first)) != ("standing",):
        return text
    return text.strip()[len(first) :].lstrip(" :,-")


def part(game: Game | None, lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split lines into orders for now and standing orders."""
    orders: list[str] = []
    left: list[str] = []
    for line in lines:
        found = "" if is_order(game, line) else standing_order(game, line)
        (left if found else orders).append(found or line)
    return orders, left


def cut_off(game: Game | None, lines: Iterable[str]) -> list[str]:
    """Return lines that a mail program broke after a comma: the rest of the list would be read as orders for now."""
    return [line for line in lines if line.rstrip().endswith(",") and part(game, [line.rstrip(" ,")])[1]]
