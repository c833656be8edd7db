"""Parts of a game in a line of a terminal: colours, seats, scores, the open proposal. Imported fast: nothing here needs a log."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from marketpost.cli.command_language import say
from marketpost.cli.terminal import fancy, safe
from marketpost.rules.bots import bot_told
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import Words

COLUMNS = 80
LETTERS = {"black": "K"}
"""The letter of a colour, where it is not its first."""
STYLES = {
    "red": "1;97;41",
    "yellow": "1;30;103",
    "green": "1;30;42",
    "blue": "1;97;44",
    "orange": "1;30;48;5;208",
    "fuchsia": "1;97;45",
    "black": "1;97;40",
}
"""ANSI codes of the players' colours."""
STRONG, FAINT = "1", "90"


def dye(text: str, style: str, coloured: bool) -> str:
    """Wrap a text in an ANSI colour, if colours are wanted."""
    return f"\x1b[{style}m{text}\x1b[0m" if coloured and style and text else text


def chip(colour: str, coloured: bool) -> str:
    """Show a player's colour with its letter; the letter alone is enough."""
    letter = LETTERS.get(colour, colour[0].upper())
    return dye(f" {letter} ", STYLES[colour], True) if coloured and colour in STYLES else f"[{letter}]"


def title(words: Words, game: Mapping[str, Any]) -> str:
    """Return the ruleset's title with the game's id, behind the name that its host gave it."""
    return called(game, words.say("terminal.game", title=ruleset(game["rules"]).title(words), id=game["id"]))


def called(game: Mapping[str, Any], title: str) -> str:
    """Put the name of a game, if it has one, before a title."""
    return f"{safe(game['name'])} · {title}" if game.get("name") else title


def who_sits(words: Words, seat: Mapping[str, Any]) -> str:
    """Return the name in a seat: a player, a bot, or that it is free or waits for an answer."""
    if seat["bot"]:
        return words.say("terminal.bot", bot=bot_told(words, seat["bot"]))
    state = "invited" if seat["invited"] else "free" if seat["open"] else "somebody"
    name = safe(seat["name"] or words.say(f"terminal.{state}"))
    return words.say("terminal.bot-account", name=name) if seat.get("bot_account") else name


def scored(words: Words, game: Mapping[str, Any], colour: str) -> str:
    """Return the score of a colour as letters write it; empty before the game begins."""
    return words.score(game["scores"][colour]) if game["scores"] else ""


def proposed(words: Words, game: Mapping[str, Any]) -> list[str]:
    """Return the sentence for the open proposal, or nothing."""
    open_one = game["proposal"]
    if not open_one:
        return []
    who, asked = words.translate(open_one["colour"]), [words.translate(colour) for colour in open_one["asked"]]
    return [say(f"proposed-{open_one['what']}", who=who, colours=asked, id=game["id"])]


def sitting(words: Words, game: Mapping[str, Any]) -> str:
    """Return who sits where, with the scores."""
    seats = (f"{chip(seat['colour'], fancy())} {who_sits(words, seat)} {scored(words, game, seat['colour'])}" for seat in game["seats"])
    return ", ".join(map(str.rstrip, seats))


def columns(shown: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lay out rows in columns as wide as their widest cell; colour codes take no room."""
    widths = [max(len(click.unstyle(cell)) for cell in column) for column in zip(*shown, strict=True)]
    for row in shown:
        yield "  ".join(cell + " " * (width - len(click.unstyle(cell))) for cell, width in zip(row, widths, strict=True)).rstrip()
