"""Render a game as one self-contained HTML file: every position and sentence, with buttons to step through them."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from marketpost.play.log.game import Game
from marketpost.rules.svg import Style, stylesheet
from marketpost.rules.words import Words

TEMPLATES = Path(str(files("marketpost.templates"))) / "replay"
WORDS = Path(__file__).parents[1] / "words"
PIECE = re.compile(r"(?=<(?:g|text|rect|circle|path|line|polygon)[ >])")
"""Where a picture is cut into pieces: two pictures of one game share most of them."""


class ReplayStep(msgspec.Struct):
    """One step of the replay: its sentences, the scores, and how its picture differs from the one before."""

    told: list[str]
    scores: list[str]
    edits: list[list[int]]
    """How to make this picture from the one before, from the back to the front: place, number removed, pieces inserted."""


def replay_html(game: Game, language: str, names: Mapping[str, str] | None = None, between: Callable[[], None] = lambda: None) -> str:
    """Render the whole game; `names` is the name of each colour's player, as `play.moves.game_view.names` returns it.

    It takes long: `between` is called after each step, so that others may be served.
    """
    words = game.rules.in_language(language)
    pieces: dict[str, int] = {}
    pictures: list[list[int]] = []
    steps = []
    for step in _steps(game, words, pieces, pictures):
        steps.append(step)
        between()
    say, known = Words(language, WORDS).say, list(pieces)
    data = {"where": say("replay.where", number="#", count=len(steps)), "pieces": known, "steps": steps}
    template = _environment().get_template("page.html")
    return template.render(
        language=language,
        title=game.rules.title(words),
        say=say,
        players=[_player(words, colour, (names or {}).get(colour, "")) for colour in game.setting.colours],
        scores=steps[-1].scores,
        steps=[step.told for step in steps],
        board="".join(known[piece] for piece in pictures[-1]),
        data=_inside_script(data),
        script=_part("replay.js"),
        style=_part("replay.css") + stylesheet(".board"),
    )


def _steps(game: Game, words: Words, pieces: dict[str, int], pictures: list[list[int]]) -> Iterator[ReplayStep]:
    """Yield a step for each entry of the log that changed the board; its pieces are added to `pieces` and `pictures`."""
    rules = game.rules
    state: Any = rules.blank()
    before: Any = None
    for _, played in groupby(game.history, key=lambda each: each[0]):
        events = [event for _, each in played for event in each.events]
        told = rules.story(state.copy(), events, words)
        for event in events:
            event.apply(state)
        drawn = rules.picture(state, words, before=before, style=Style("light", "map"))
        pictures.append([pieces.setdefault(piece, len(pieces)) for piece in PIECE.split(drawn) if piece])
        yield ReplayStep(told, list(rules.scores(state)), _edits(pictures[-2] if pictures[1:] else [], pictures[-1]))
        before = state.copy()


def _edits(old: list[int], new: list[int]) -> list[list[int]]:
    """Compute the edits that turn one list of pieces into another."""
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [[start, end - start, *new[first:last]] for what, start, end, first, last in reversed(changes) if what != "equal"]


def _player(words: Words, colour: str, name: str) -> str:
    return f"{name} ({words.translate(colour)})" if name else words.translate(colour)


def _inside_script(data: object) -> str:
    """Encode data for a script element without `<`, so that no name or word can end the element."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")


def _environment() -> Environment:
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters["hash"] = _hash
    return environment
