"""Lay out a game for a terminal: board, seats, last turns, talk, and what the reader may do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import click

from marketpost.cli.api_client import Service, Unreachable
from marketpost.cli.command_language import say
from marketpost.cli.terminal import fancy, safe
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.play.log.entries import Tampered
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.rules.ruleset import ruleset
from marketpost.rules.variant import note
from marketpost.rules.words import Words
from marketpost.store.changes import Stored

COLUMNS = 80
GAP = 3
SIDE = 36
"""Columns that must be free beside the board; with fewer, everything else stands below it."""
WIDEST_SIDE = 60
LATEST = 8
"""The story of the last turns begins this many submissions back."""
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


def title(words: Words, game: dict[str, Any]) -> str:
    """Return the ruleset's title with the game's id."""
    return words.say("terminal.game", title=ruleset(game["rules"]).title(words), id=game["id"])


def who_sits(words: Words, seat: dict[str, Any]) -> str:
    """Return the name in a seat: a player, a bot, or that it is free or waits for an answer."""
    if seat["bot"]:
        return words.say("terminal.bot", bot=seat["bot"])
    state = "invited" if seat["invited"] else "free" if seat["open"] else "somebody"
    return safe(seat["name"] or words.say(f"terminal.{state}"))


def scored(words: Words, game: dict[str, Any], colour: str) -> str:
    """Return the score of a colour as letters write it; empty before the game begins."""
    return words.score(game["scores"][colour]) if game["scores"] else ""


def proposed(words: Words, game: dict[str, Any]) -> list[str]:
    """Return the sentence for the open proposal, or nothing."""
    open_one = game["proposal"]
    if not open_one:
        return []
    who, asked = words.translate(open_one["colour"]), [words.translate(colour) for colour in open_one["asked"]]
    return [say(f"proposed-{open_one['what']}", who=who, colours=asked, id=game["id"])]


def words_of(service: Service, id: str) -> Words:
    """Return the words of a game's ruleset, in the language of the command."""
    return ruleset(service.get(f"games/{id}")["rules"]).in_language(service.language)


@dataclass(slots=True)
class TerminalView:
    """A game as its reader may see it: the service's summary, and its log, verified entry by entry."""

    shown: dict[str, Any]
    game: Game
    words: Words
    said: list[dict[str, Any]] = field(default_factory=list)
    coloured: bool = field(default_factory=fancy)

    def follow(self, entries: Iterable[dict[str, Any]]) -> None:
        """Apply further log entries; `Unreachable` if their hashes do not match."""
        try:
            follow(self.game, [Stored(each["version"], each["entry"].encode()) for each in entries])
        except Tampered as broken:
            raise Unreachable("tampered", text=str(broken)) from broken

    def title(self) -> str:
        """Return the title line."""
        return dye(title(self.words, self.shown), STRONG, self.coloured)

    def variant(self, width: int) -> list[str]:
        """Return the unusual edition and options as a line; empty where a drawn board names them itself."""
        setting = self.game.setting
        told = note(self.words, *self.game.rules.unusual(setting)) if self.game.state is None else []
        return [line for each in told for line in wrap(each, width)]

    def seats(self, width: int) -> list[str]:
        """Show all seats, in one line if they fit."""
        return list(_rows([self._seat(seat) for seat in self.shown["seats"]], width))

    def _seat(self, seat: dict[str, Any]) -> str:
        colour = seat["colour"]
        mark = ("▶" if self.coloured else ">") if colour in (self.shown["winners"] or self.shown["decides"]) else " "
        you = f" ({self.words.say('terminal.you')})" if colour == self.shown["you"] else ""
        score = dye(scored(self.words, self.shown, colour), STRONG, self.coloured)
        return f"{mark}{chip(colour, self.coloured)} {who_sits(self.words, seat)}{you} {score}".rstrip()

    def board(self) -> list[str]:
        """Draw the board, or say that the game has not begun."""
        if self.game.state is None:
            return [self.words.say("terminal.begins")]
        return str(self.game.rules.draw(self.game.state, self.words, fancy=self.coloured)).rstrip("\n").split("\n")

    def news(self) -> list[str]:
        """Return the story of the last turns, a paragraph each."""
        before, last = self.game.played[:-LATEST], self.game.played[-LATEST:]
        if not before:
            before, last = last[:1], last[1:]
        state = self.game.rules.fold([event for played in before for event in played.events]) if before else None
        return self.game.rules.story(state, [event for played in last for event in played.events], self.words) if last else []

    def choices(self) -> list[str]:
        """Say what the reader may decide; empty if others decide."""
        seat = self._seat_to_decide()
        return [] if seat is None else self.game.rules.story.choices(self.game.state, seat, self.words)

    def examples(self) -> list[str]:
        """Return example orders for the reader's decision; empty if others decide."""
        seat = self._seat_to_decide()
        return [] if seat is None else example_orders(self.game.rules, self.game.state, seat, self.words)

    def _seat_to_decide(self) -> int | None:
        """Return the reader's seat, if the drawn position waits for its decision."""
        you, colours = self.shown["you"], self.game.setting.colours
        seat = colours.index(you) if you in colours else None
        return seat if seat in self.game.deciders else None

    def talk(self, most: int = 3) -> list[str]:
        """Return the last messages of the table's talk."""
        return [f"{safe(each['name'] or '?')}: {safe(' '.join(each['text'].split()))}" for each in self.said[-most:]]

    def notes(self, width: int) -> list[str]:
        """Lay out everything but the title, the seats and the board."""
        parts = [
            ("last", self.news()[-3:]),
            ("said", self.talk()),
            ("proposed", proposed(self.words, self.shown)),
            ("may", self.choices()),
            ("example", self.examples()),
        ]
        return [line for head, told in parts if told for line in ["", self._head(head), *bullets(told, width)]]

    def _head(self, name: str) -> str:
        return dye(self.words.say(f"terminal.{name}").upper(), STRONG, self.coloured)


def bullets(paragraphs: Sequence[str], width: int) -> list[str]:
    """Wrap paragraphs as list items."""
    return [line for each in paragraphs for line in wrap(each, width, initial_indent="* ", subsequent_indent="  ")]


def _rows(parts: Iterable[str], width: int) -> Iterable[str]:
    line = ""
    for part in parts:
        if line and length(line) + GAP + length(part) > width:
            yield line
            line = ""
        line += ("   " if line else "") + part
    yield line


def length(line: str) -> int:
    """Return the width of a line without its colour codes."""
    return len(click.unstyle(line))


def beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Lay out two columns, the left one as wide as a board."""
    rows = max(len(left), len(right))
    padded = [*left, *[""] * (rows - len(left))], [*right, *[""] * (rows - len(right))]
    return [f"{one}{' ' * (COLUMNS + GAP - length(one))}{other}".rstrip() for one, other in zip(*padded, strict=True)]


def side_of(columns: int) -> int:
    """Compute the width of the column beside the board; 0 if there is no room for one."""
    room = columns - COLUMNS - GAP
    return min(room, WIDEST_SIDE) if room >= SIDE else 0


def lay_out(view: TerminalView, columns: int) -> list[str]:
    """Lay out the whole game: side by side where there is room, else one part below the other."""
    if side := side_of(columns):
        return beside(view.board(), [view.title(), *view.variant(side), "", *view.seats(side), *view.notes(side)])
    width = min(columns, COLUMNS)
    return [view.title(), *view.variant(width), *view.seats(width), "", *view.board(), *view.notes(width)]


def read_game(service: Service, id: str) -> TerminalView:
    """Read a game from the service, with its whole log and talk. The board is drawn from the log."""
    shown = service.get(f"games/{id}")
    game = Game(id)
    view = TerminalView(shown, game, ruleset(shown["rules"]).in_language(service.language))
    while True:
        page = service.get(f"games/{id}/events?after={game.version}&limit=200")
        view.follow(page["items"])
        if page["next"] is None:
            break
    view.said = service.pages(f"games/{id}/messages", 200)["items"]
    return view
