"""Boards of both games at the start, in the middle and at the end, by day and by night, small and large, in print and to other eyes."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any

from PIL import Image

from marketpost.pictures.png import png
from marketpost.rules.pictures import pictured
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from marketpost.rules.svg import WIDTH, Style
from tests.games import play_to_the_end
from tests.rules.alturien.positions import LOOPS
from tests.rules.alturien.test_movement import RING
from tests.rules.portobello.test_draw import CUSTOM

PHONE, POSTER = 360, 1200
SEED = 5
NO_GREEN = (0.625, 0.375, 0, 0, 0.7, 0.3, 0, 0, 0, 0.3, 0.7, 0)
"""About what somebody sees who lacks the green cones."""


@cache
def game(name: str, players: int, board: int | str = "") -> tuple[Ruleset[Any], list[Played]]:
    rules = ruleset(name)
    options = {"expansion": "on"} if name == "alturien" and players == max(rules.players) else {}
    chosen = {"loops": LOOPS, "ring": RING, **CUSTOM}.get(board) if board else rules.boards()[0]
    _, played = play_to_the_end(rules, Setting(rules.colours[:players], chosen, None, options), SEED, ["greedy"] * players)
    return rules, played


def drawn(
    name: str, players: int, part: float, *, theme: str = "light", width: int = WIDTH, language: str = "en", board: str = ""
) -> bytes:
    """`part` of a game has been played: 0 is its start, 1 its end."""
    rules, played = game(name, players, board)
    moves = played[: max(1, round(part * len(played)))]
    return png(pictured(rules, moves, rules.in_language(language), Style(theme)), width)


def grey(data: bytes) -> bytes:
    return _saved(Image.open(BytesIO(data)).convert("L"))


def without_green(data: bytes) -> bytes:
    return _saved(Image.open(BytesIO(data)).convert("RGB").convert("RGB", NO_GREEN).quantize(32, dither=Image.Dither.NONE))


def _saved(image: Image.Image) -> bytes:
    stored = BytesIO()
    image.save(stored, "PNG", optimize=True)
    return stored.getvalue()


def pictures() -> Iterator[tuple[str, bytes]]:
    for name, most in (("portobello", 4), ("alturien", 6)):
        yield f"{name}-start.png", drawn(name, 2, 0)
        yield f"{name}-middle.png", drawn(name, 4, 0.6)
        yield f"{name}-middle-dark.png", drawn(name, 4, 0.6, theme="dark", language="de")
        yield f"{name}-end.png", drawn(name, most, 1, language="fr")
        yield f"{name}-phone.png", drawn(name, 3, 0.8, width=PHONE, language="it")
        yield f"{name}-phone-dark.png", drawn(name, most, 0.9, width=PHONE, theme="dark")
        yield f"{name}-print.png", grey(drawn(name, most, 0.8))
        yield f"{name}-without-green.png", without_green(drawn(name, most, 0.8))
    yield "portobello-poster.png", drawn("portobello", 4, 0.9, width=POSTER)
    for board in ("turned", "in a corner"):
        yield f"portobello-{board.replace(' ', '-')}.png", drawn("portobello", 3, 0.8, board=board)
    for board in ("loops", "ring"):
        yield f"alturien-{board}.png", drawn("alturien", 3, 0.8, board=board)
