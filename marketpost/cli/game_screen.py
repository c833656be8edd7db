"""A game as a terminal shows it: the board, who sits there, what happened last and what may be done."""

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
"""Where there is room for so much beside the board, the rest stands there and not below."""
WIDEST_SIDE = 60
LATEST = 8
"""So many submissions back the story of the last turns begins."""
LETTERS = {"black": "K"}
STYLES = {
    "red": "1;97;41",
    "yellow": "1;30;103",
    "green": "1;30;42",
    "blue": "1;97;44",
    "orange": "1;30;48;5;208",
    "fuchsia": "1;97;45",
    "black": "1;97;40",
}
STRONG, FAINT = "1", "90"


def dye(text: str, style: str, coloured: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if coloured and style and text else text


def chip(colour: str, coloured: bool) -> str:
    """A player's colour with its letter, which is enough without the colour."""
    letter = LETTERS.get(colour, colour[0].upper())
    return dye(f" {letter} ", STYLES[colour], True) if coloured and colour in STYLES else f"[{letter}]"


def title(words: Words, game: dict[str, Any]) -> str:
    return words.say("terminal.game", title=ruleset(game["rules"]).title(words), id=game["id"])


def who_sits(words: Words, seat: dict[str, Any]) -> str:
    if seat["bot"]:
        return words.say("terminal.bot", bot=seat["bot"])
    state = "invited" if seat["invited"] else "free" if seat["open"] else "somebody"
    return safe(seat["name"] or words.say(f"terminal.{state}"))


def scored(words: Words, game: dict[str, Any], colour: str) -> str:
    """As the letters tell it; nothing before the game has begun."""
    return words.score(game["scores"][colour]) if game["scores"] else ""


def proposed(words: Words, game: dict[str, Any]) -> list[str]:
    """What somebody has proposed, if anything waits for answers."""
    open_one = game["proposal"]
    if not open_one:
        return []
    who, asked = words.translate(open_one["colour"]), [words.translate(colour) for colour in open_one["asked"]]
    return [say(f"proposed-{open_one['what']}", who=who, colours=asked, id=game["id"])]


def words_of(service: Service, id: str) -> Words:
    return ruleset(service.get(f"games/{id}")["rules"]).in_language(service.language)


@dataclass(slots=True)
class Sight:
    """What this reader sees of a game: what the service says of it, and the log itself, checked link by link."""

    shown: dict[str, Any]
    game: Game
    words: Words
    said: list[dict[str, Any]] = field(default_factory=list)
    coloured: bool = field(default_factory=fancy)

    def follow(self, entries: Iterable[dict[str, Any]]) -> None:
        try:
            follow(self.game, [Stored(each["version"], each["entry"].encode()) for each in entries])
        except Tampered as broken:
            raise Unreachable("tampered", text=str(broken)) from broken

    def title(self) -> str:
        return dye(title(self.words, self.shown), STRONG, self.coloured)

    def variant(self, width: int) -> list[str]:
        """Return the unusual edition and options as a line; empty where a drawn board names them itself."""
        setting = self.game.setting
        told = note(self.words, *self.game.rules.unusual(setting)) if self.game.state is None else []
        return [line for each in told for line in wrap(each, width)]

    def seats(self, width: int) -> list[str]:
        """Everyone in one line, as far as they fit."""
        return list(_rows([self._seat(seat) for seat in self.shown["seats"]], width))

    def _seat(self, seat: dict[str, Any]) -> str:
        colour = seat["colour"]
        mark = ("▶" if self.coloured else ">") if colour in (self.shown["winners"] or self.shown["decides"]) else " "
        you = f" ({self.words.say('terminal.you')})" if colour == self.shown["you"] else ""
        score = dye(scored(self.words, self.shown, colour), STRONG, self.coloured)
        return f"{mark}{chip(colour, self.coloured)} {who_sits(self.words, seat)}{you} {score}".rstrip()

    def board(self) -> list[str]:
        if self.game.state is None:
            return [self.words.say("terminal.begins")]
        return str(self.game.rules.draw(self.game.state, self.words, fancy=self.coloured)).rstrip("\n").split("\n")

    def news(self) -> list[str]:
        """The last turns, a paragraph each."""
        before, last = self.game.played[:-LATEST], self.game.played[-LATEST:]
        if not before:
            before, last = last[:1], last[1:]
        state = self.game.rules.fold([event for played in before for event in played.events]) if before else None
        return self.game.rules.story(state, [event for played in last for event in played.events], self.words) if last else []

    def choices(self) -> list[str]:
        seat = self._seat_to_decide()
        return [] if seat is None else self.game.rules.story.choices(self.game.state, seat, self.words)

    def examples(self) -> list[str]:
        seat = self._seat_to_decide()
        return [] if seat is None else example_orders(self.game.rules, self.game.state, seat, self.words)

    def _seat_to_decide(self) -> int | None:
        """Mine, if it is my decision in the position that is drawn."""
        you, colours = self.shown["you"], self.game.setting.colours
        seat = colours.index(you) if you in colours else None
        return seat if seat in self.game.deciders else None

    def talk(self, most: int = 3) -> list[str]:
        return [f"{safe(each['name'] or '?')}: {safe(' '.join(each['text'].split()))}" for each in self.said[-most:]]

    def notes(self, width: int) -> list[str]:
        """Everything but the board."""
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
    return len(click.unstyle(line))


def beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Two columns, the left one as wide as a board."""
    rows = max(len(left), len(right))
    padded = [*left, *[""] * (rows - len(left))], [*right, *[""] * (rows - len(right))]
    return [f"{one}{' ' * (COLUMNS + GAP - length(one))}{other}".rstrip() for one, other in zip(*padded, strict=True)]


def side_of(columns: int) -> int:
    """How wide the column beside the board is; 0 where there is no room for one."""
    room = columns - COLUMNS - GAP
    return min(room, WIDEST_SIDE) if room >= SIDE else 0


def whole(sight: Sight, columns: int) -> list[str]:
    """All of it, one below the other, or side by side where there is room."""
    if side := side_of(columns):
        return beside(sight.board(), [sight.title(), *sight.variant(side), "", *sight.seats(side), *sight.notes(side)])
    width = min(columns, COLUMNS)
    return [sight.title(), *sight.variant(width), *sight.seats(width), "", *sight.board(), *sight.notes(width)]


def look_at(service: Service, id: str) -> Sight:
    """Read the whole game: its log is the truth, and so it is what we draw."""
    shown = service.get(f"games/{id}")
    game = Game(id)
    sight = Sight(shown, game, ruleset(shown["rules"]).in_language(service.language))
    while True:
        page = service.get(f"games/{id}/events?after={game.version}&limit=200")
        sight.follow(page["items"])
        if page["next"] is None:
            break
    sight.said = service.pages(f"games/{id}/messages", 200)["items"]
    return sight
