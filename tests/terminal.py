"""Pictures of terminals in which `show` and `watch` really run, into gallery/pictures, to be looked at: python -m tests.terminal"""

import os
from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape

import pyte
from pyte.screens import Char

from tests.cli.terminal import Terminal
from tests.gallery import PICTURES
from tests.running.live import MARKETPOST
from tests.served import served
from tests.service import Person, Service, service

CELL, LINE, SIZE = 8.4, 17, 14
PALETTES = {
    "dark": ("#1e1e1e", "#d4d4d4", ["#000000", "#cd3131", "#0dbc79", "#c5b20d", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5"]),
    "light": ("#ffffff", "#333333", ["#000000", "#cd3131", "#00a35c", "#b5a200", "#0451a5", "#bc05bc", "#0598bc", "#bfbfbf"]),
}
BRIGHT = ["#767676", "#f14c4c", "#23d18b", "#f5e943", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]
NAMES = ["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"]


def svg(screen: pyte.Screen, theme: str) -> str:
    """Every run of signs at its own place, so that columns stay columns in any font."""
    ground, _, _ = PALETTES[theme]
    width, height = screen.columns * CELL + 16, screen.lines * LINE + 16
    runs = "".join(_run(row, column, cells, theme) for row in range(screen.lines) for column, cells in _runs(screen, row))
    style = f"font-family: 'DejaVu Sans Mono', 'Menlo', 'Consolas', monospace; font-size: {SIZE}px; white-space: pre"
    frame = f'<rect width="100%" height="100%" rx="6" fill="{ground}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" style="{style}">{frame}\n{runs}</svg>\n'


def _runs(screen: pyte.Screen, row: int) -> Iterator[tuple[int, list[Char]]]:
    cells = list(enumerate(screen.buffer[row][column] for column in range(screen.columns)))
    for _, run in groupby(cells, key=lambda cell: (cell[1].fg, cell[1].bg, cell[1].bold, cell[1].reverse, _odd(cell[1].data) and cell[0])):
        found = list(run)
        yield found[0][0], [cell for _, cell in found]


def _odd(sign: str) -> bool:
    """Signs that fonts may lack and then take from another, of another width."""
    return ord(sign[:1] or " ") > 0x2000


def _run(row: int, column: int, cells: list[Char], theme: str) -> str:
    text, first = "".join(cell.data for cell in cells), cells[0]
    ground, ink, _ = PALETTES[theme]
    fore, back = _colour(first.fg, ink, theme), _colour(first.bg, ground, theme)
    fore, back = (back, fore) if first.reverse else (fore, back)
    x, y, width = 8 + column * CELL, 8 + row * LINE, len(cells) * CELL
    box = f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{LINE}" fill="{back}"/>' if back != ground else ""
    if not text.strip():
        return box
    bold = ' font-weight="bold"' if first.bold else ""
    fitted = f'textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'{box}<text x="{x:.1f}" y="{y + 13}" fill="{fore}"{bold} {fitted} xml:space="preserve">{escape(text)}</text>\n'


def _colour(name: str, default: str, theme: str) -> str:
    name = name.replace("bfight", "bright")  # as pyte calls the background of code 105
    if name == "default":
        return default
    if name.removeprefix("bright") in NAMES:
        return (BRIGHT if name.startswith("bright") else PALETTES[theme][2])[NAMES.index(name.removeprefix("bright"))]
    return f"#{name}"


def take(url: str, ann: Person, name: str, command: list[str], columns: int, lines: int, theme: str) -> None:
    environment = {**os.environ, "MARKETPOST_URL": url, "MARKETPOST_TOKEN": ann.token, "NO_COLOR": ""}
    with Terminal([str(MARKETPOST), *command], environment, columns, lines) as terminal:
        if command[0] == "watch":
            terminal.until("q ends")
        else:
            terminal.ends()
        picture = svg(terminal.screen, theme)
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / f"terminal-{name}.svg").write_text(picture, "utf-8")


def play(house: Service, ann: Person, rules: str, turns: int) -> str:
    """A game some turns old, with Ann to decide."""
    seats = [{"me": True}, {"bot": "greedy"}, {"bot": "greedy"}]
    game = str(ann.post("/v1/games", {"rules": rules, "seats": seats}).json["id"])
    for _ in range(turns):
        house.turn_of(ann, game)
        ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=30"})
    house.turn_of(ann, game)
    ann.post(f"/v1/games/{game}/messages", {"text": "Good luck, you two!"})
    return game


def main() -> None:
    with service() as house, served(house.app) as url:
        ann = house.person("ann")
        for rules, turns in (("portobello", 5), ("alturien", 12)):
            game = play(house, ann, rules, turns)
            for command in ("show", "watch"):
                take(url, ann, f"{command}-{rules}-80x24", [command, game], 80, 24, "dark")
                take(url, ann, f"{command}-{rules}-80x50", [command, game], 80, 50, "light")
                take(url, ann, f"{command}-{rules}-140x50", [command, game], 140, 50, "dark")
        take(url, ann, "games", ["games"], 120, 8, "light")
        take(url, ann, "refused", ["move", game, "if 9: a1; pass", "--language", "en"], 80, 8, "dark")


if __name__ == "__main__":
    main()
