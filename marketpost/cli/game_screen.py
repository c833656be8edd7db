"""Lay out a game for a terminal: board, seats, last turns, talk, and what the reader may do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

import click

from marketpost.cli.api_client import Service, Unreachable
from marketpost.cli.game_lines import COLUMNS, STRONG, chip, dye, proposed, scored, title, who_sits
from marketpost.cli.terminal import fancy, safe
from marketpost.client.documents import EntryResponse, GameResponse, MessageResponse, SeatResponse
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.play.log.entries import Tampered
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.rules.ruleset import ruleset
from marketpost.rules.variant import note
from marketpost.rules.words import Words
from marketpost.store.changes import Stored

GAP = 3
SIDE = 36
"""Columns that must be free beside the board; with fewer, everything else stands below it."""
WIDEST_SIDE = 60
LATEST = 8
"""The story of the last turns begins this many submissions back."""


def words_of(service: Service, id: str) -> Words:
    """Return the words of a game's ruleset, in the language of the command."""
    return ruleset(service.client.show_game(id)["rules"]).in_language(service.language)


@dataclass(slots=True)
class TerminalView:
    """A game as its reader may see it: the service's summary, and its log, verified entry by entry."""

    shown: GameResponse
    game: Game
    words: Words
    said: list[MessageResponse] = field(default_factory=list)
    coloured: bool = field(default_factory=fancy)

    def follow(self, entries: Iterable[EntryResponse]) -> None:
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

    def _seat(self, seat: SeatResponse) -> str:
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
    shown = service.client.show_game(id)
    game = Game(id)
    view = TerminalView(shown, game, ruleset(shown["rules"]).in_language(service.language))
    while True:
        page = service.client.list_events(id, after=game.version, limit=200)
        view.follow(page["items"])
        if page["next"] is None:
            break
    view.said = service.client.up_to(200, service.client.list_messages, id)["items"]
    return view
