"""Standing orders in a mail: lines that are no orders for now but wishes for later."""

from collections.abc import Iterable
from contextlib import suppress

from play.game import Game
from rules.refusal import Refused
from rules.words import COMMON, fold, lexicon, tokens


def is_order(game: Game | None, text: str) -> bool:
    if game is None:
        return False
    with suppress(Refused):
        game.rules.parse(text)
        return True
    return False


def unreadable(game: Game | None, text: str) -> str:
    """The first part of it that is no order."""
    try:
        if game:
            game.rules.parse(text)
    except Refused as refused:
        return str(refused.refusal.values.get("text", ""))
    return ""


def wish(game: Game | None, text: str) -> str:
    """The standing orders that this text is, without the word that may call them; empty if it is none.

    What can be read and yet not be left is one, too: its writer is told why.
    """
    standing = game.rules.standing if game else None
    if game is None or standing is None:
        return ""
    bare = _uncalled(text)
    try:
        standing.read(game.rules.blank() if game.state is None else game.state, bare)
    except Refused as refused:
        return "" if refused.code == "unreadable-order" else bare
    return bare


def _uncalled(text: str) -> str:
    """`standing thief >f4` without its first word."""
    first = next(iter(tokens(text)), "")
    if lexicon(COMMON, "commands").get(fold(first)) != ("standing",):
        return text
    return text.strip()[len(first) :].lstrip(" :,-")


def part(game: Game | None, lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Orders for now, and standing orders."""
    orders: list[str] = []
    left: list[str] = []
    for line in lines:
        found = "" if is_order(game, line) else wish(game, line)
        (left if found else orders).append(found or line)
    return orders, left


def cut_off(game: Game | None, lines: Iterable[str]) -> list[str]:
    """Lines that a mail program broke behind a comma: the rest of the list would be read as orders for now."""
    return [line for line in lines if line.rstrip().endswith(",") and part(game, [line.rstrip(" ,")])[1]]
