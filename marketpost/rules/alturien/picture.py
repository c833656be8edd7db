"""Draws the town as a picture: streets with shops and figures, and below them who has what."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat
from math import atan2, cos, sin
from typing import NamedTuple

from marketpost.rules.alturien.board import Board
from marketpost.rules.alturien.draw import KINDS, LETTERS, grid, group_letters
from marketpost.rules.alturien.linear import now, sentences
from marketpost.rules.alturien.state import THIEF, VALUES, State
from marketpost.rules.svg import LARGE, NORMAL, SMALL, WIDTH, Point, Sign, Style, place, untouched
from marketpost.rules.words import Words, capital

MARGIN = 24
LEFT, TOP, RIGHT = 26, 34, 6
"""Room for the names of the rows and columns."""
WIDEST, HIGH = 96, 106
"""A tile at most, and how high."""
A_ROW = 10
"""Tiles side by side where streets are listed."""
NAME = 24
"""Room above a listed tile for the name of its space."""
ROW = 42
MONEY, PRESTIGE, STOCK, CARDS = 245, 340, 454, 472
"""Where the columns of the table end, and where the cards begin."""
HOUSE = "M-23 13v-20l23-9 23 9v20z"
SHIELD = "M-10-12h20v11c0 7-4 11-10 14-6-3-10-7-10-14z"
ICONS = {
    "cloth": "M-10-8l5-3c2 3 8 3 10 0l5 3-3 6-3-1v13h-8v-13l-3 1z",
    "spice": "M0-11c6 4 8 9 6 14-1 4-4 6-6 8-2-2-5-4-6-8-2-5 0-10 6-14zM-1-6v14h2v-14z",
    "pottery": "M-5-11h10v3l-2 2c5 2 7 6 5 10-1 4-3 6-4 7h-8c-1-1-3-3-4-7-2-4 0-8 5-10l-2-2z",
    "fish": "M-12-1c4-7 11-8 16-2l7-5v14l-7-5c-5 6-12 5-16-2zM-7-3v3h3v-3z",
    "wine": "M-7-11h14c1 8-1 12-6 13v6h5v3h-12v-3h5v-6c-5-1-7-5-6-13z",
    "jewels": "M-6-9h12l6 7-12 13-12-13zM-6-2l6 8 6-8z",
}


Shop = tuple[str, int]
"""A colour and its houses."""


class Figure(NamedTuple):
    """A figure on a space, marked if it came or left in the last turn."""

    kind: str
    facing: str
    news: str


@dataclass(frozen=True, slots=True, eq=False)
class Town:
    """The geometry of a board: where every space stands."""

    tiles: tuple[tuple[str, Point], ...]
    """Each space and its tile's left upper corner; where streets are listed, a crossing comes more than once."""
    width: float
    bottom: float
    named: bool
    """Whether each tile bears its name, because no row and column tells it."""
    heads: tuple[tuple[str, Point], ...]
    roads: tuple[tuple[Point, Point], ...]


def town(board: Board) -> Town:
    """Compute the geometry of a board."""
    places = grid(board)
    return _as_grid(board, places) if places else _as_list(board)


def _as_grid(board: Board, places: dict[str, tuple[int, int]]) -> Town:
    columns = 1 + max(column for column, _ in places.values())
    first, last = min(row for _, row in places.values()), max(row for _, row in places.values())
    width = min(WIDEST, (WIDTH - LEFT - RIGHT) / columns)
    left = LEFT + (WIDTH - LEFT - RIGHT - width * columns) / 2
    corners = {space: (left + column * width, TOP + (row - first) * HIGH) for space, (column, row) in places.items()}
    heads = {space[0]: (corners[space][0] + width / 2, TOP - 10.0) for space in places}
    sides = {str(row): (left - 12, TOP + (row - first + 0.5) * HIGH + 8) for _, row in places.values()}
    centres = {space: (x + width / 2, y + HIGH / 2) for space, (x, y) in corners.items()}
    roads = tuple((centres[one], centres[other]) for one, near in board.neighbours.items() for other in near if one < other)
    return Town(tuple(corners.items()), width, TOP + (last - first + 1) * HIGH, False, (*heads.items(), *sides.items()), roads)


def _as_list(board: Board) -> Town:
    width, y = (WIDTH - LEFT - RIGHT) / A_ROW, 10.0
    tiles: list[tuple[str, Point]] = []
    heads: list[tuple[str, Point]] = []
    roads: list[tuple[Point, Point]] = []
    for number, street in enumerate(board.document["streets"], 1):
        spaces = street.split()
        heads.append((str(number), (LEFT / 2, y + NAME + HIGH / 2 + 8)))
        for start in range(0, len(spaces), A_ROW):
            here = spaces[start : start + A_ROW]
            tiles += [(space, (LEFT + index * width, y + NAME)) for index, space in enumerate(here)]
            middle = y + NAME + HIGH / 2
            roads.append(((LEFT + width / 2, middle), (LEFT + (len(here) - 0.5) * width, middle)))
            y += HIGH + NAME
        y += 6
    return Town(tuple(tiles), width, y, True, tuple(heads), tuple(roads))


def _ground(where: Town, style: Style) -> str:
    """Draw what no move changes: blocks, roads, names of rows and columns."""
    parts = [] if where.named else [_block(where, style)]
    parts += [style.line(start, end, style.paint(None, "kerb", 22)) for start, end in where.roads]
    parts += [style.text(x, y, name, LARGE - 4, anchor="middle", bold=True, fill="faint") for name, (x, y) in where.heads]
    return "".join(parts)


def _block(where: Town, style: Style) -> str:
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*(corner for _, corner in where.tiles), strict=True))
    around = 8.0
    width, height = right - left + where.width, bottom - top + HIGH
    return style.rect(left + around, top + around, width - 2 * around, height - 2 * around, style.paint("block"), 10)


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """The parts that pictures of many positions share."""

    board: Board
    words: Words
    style: Style
    where: Town


def _street(sheet: _Sheet, space: str, corner: Point, shop: Shop | None, is_new: bool) -> str:
    board, style, where, (x, y) = sheet.board, sheet.style, sheet.where, (corner[0] + 2, corner[1] + 2)
    parts = [*_tile(board, style, where, space, (x, y))]
    if shop:
        parts += _shop(style, shop, (x + (where.width - 4) / 2, y + 43))
    if is_new:
        parts.append(style.rect(x + (where.width - 4) / 2 - 25, y + 26, 50, 34, _new(style), 5))
    return place("street", space, _title(board, sheet.words, space, shop), parts)


def _title(board: Board, words: Words, space: str, shop: Shop | None) -> str:
    middle = [words.say("linear.middle", space=space)] if space == board.middle else []
    return " ".join([*middle, *([_site_title(board, words, space, shop)] if space in board.group_of else [])])


def _site_title(board: Board, words: Words, space: str, shop: Shop | None) -> str:
    if shop is None:
        return words.say("picture.free", site=space, group=board.group_of[space])
    key = "linear.grey-shop" if space in board.grey else "linear.shop"
    return f"{words.translate(shop[0])}: {words.say(key, site=space, group=board.group_of[space], count=shop[1])}"


def _tile(board: Board, style: Style, where: Town, space: str, at: Point) -> Iterator[str]:
    (x, y), is_grey = at, space in board.grey
    side = where.width - 4
    middle = x + side / 2
    yield style.rect(x, y, side, HIGH - 4, style.paint("grey", "ink", 2) if is_grey else style.paint("road", "kerb", 2), 7)
    if where.named:
        yield style.fitted(middle, y - 6, space, SMALL, side, anchor="middle", fill="faint")
    if space not in board.group_of:
        yield style.circle(middle, y + 26, 17, style.paint(None, "ink", 2.5))
        yield style.path("M-9 0h18M0-9v18", style.paint(None, "ink", 3), (middle, y + 26))
        return
    if space == board.middle:
        yield style.rect(x + 4, y + 4, side - 8, HIGH - 12, style.paint(None, "ink", 2.5), 5)
    yield _group(board, style, board.group_of[space], (middle, y + 15), 0.95, "on-light" if is_grey else "faint")


def _group(board: Board, style: Style, group: str, at: Point, scale: float, ink: str) -> str:
    """Draw a product's sign, or its letter where there is no sign."""
    if group in ICONS:
        return style.path(ICONS[group], style.paint(ink) + ' fill-rule="evenodd"', at, scale)
    return style.text(at[0], at[1] + 7, group_letters(board)[group], NORMAL, anchor="middle", bold=True, fill=ink)


def _shop(style: Style, shop: Shop, at: Point) -> Iterator[str]:
    colour, houses = shop
    yield style.path(HOUSE, style.paint(colour, "ink", 1.5), at)
    yield style.text(at[0], at[1] + 9, f"{LETTERS[colour]}{houses}", 20, anchor="middle", bold=True, fill=style.letters_on(colour))


def _new(style: Style) -> str:
    """Draw a dashed line around what came in the last turn."""
    return style.paint(None, "new", 3) + ' stroke-dasharray="6 4"'


def picture(state: State, words: Words, *, before: State | None = None, style: Style = Style()) -> str:
    """Draw a position as SVG."""
    told = [*islice(sentences(state, words), len(state.colours) + 1)]
    sketch = _Sketch(state, before or state, _Sheet(state.board, words, style, town(state.board)))
    panel, bottom = sketch.panel()
    return style.document(bottom, words.say("story.title"), " ".join(told), [*sketch.map(), *panel])


class _Sketch:
    """One picture in the making: the position, the position before it, and the sheet."""

    def __init__(self, state: State, before: State, sheet: _Sheet) -> None:
        self.state, self.before, self.sheet = state, before, sheet
        self.words, self.style, self.where = sheet.words, sheet.style, sheet.where

    def map(self) -> Iterator[str]:
        """Draw the streets with everything on them."""
        yield _ground(self.where, self.style)
        for space, corner in self.where.tiles:
            yield self._street(space, corner)
        standing = self._standing()
        for space, corner in self.where.tiles:
            yield _figures(self.sheet, space, corner, tuple(standing[space])) if space in standing else ""

    def _street(self, space: str, corner: Point) -> str:
        state, before = self.state, self.before
        owner, houses = state.owners.get(space), state.houses.get(space, 0)
        is_new = houses != before.houses.get(space, 0) or owner != before.owners.get(space)
        shop = None if owner is None else (state.colours[owner], houses)
        return _street(self.sheet, space, corner, shop, is_new)

    def _standing(self) -> dict[str, list[Figure]]:
        """List the figures on a space, or those that left it in the last turn if it is empty."""
        state, before, found = self.state, self.before, defaultdict[str, list[Figure]](list)
        for kind, space, facing, stood in zip(state.kinds, state.spaces, state.facings, chain(before.spaces, repeat("")), strict=False):
            found[space].append(Figure(kind, facing, "" if stood == space else "came"))
        for kind, stood in zip(before.kinds, before.spaces, strict=True):
            if stood not in state.spaces:
                found[stood].append(Figure(kind, "", "left"))
        return found

    def panel(self) -> tuple[list[str], float]:
        """Draw who has what; return it with its lower edge."""
        state, say = self.state, self.words.say
        said = [now(state, self.words), *([say("now.last-round")] if state.last_round and not state.over else [])]
        told = " ".join(said)
        letters, under = self.style.flow(_letters(state.board, state.colours, self.style, self.words), self.where.bottom + 6, MARGIN, 38)
        parts, top = self.style.paragraph(capital(told), under + 2, MARGIN)
        parts.append(letters)
        parts.append(_heads(self.style, self.words, top + 46))
        for seat in range(len(state.colours)):
            parts.append("".join(self._player(seat, top + 56 + seat * ROW)))
        signs = _legend(self.style, self.words, state.thief_is_out, self.before is not state)
        legend, bottom = self.style.flow(signs, top + 66 + ROW * len(state.colours), MARGIN, 38)
        return [*parts, legend], bottom + 12

    def _player(self, seat: int, y: float) -> Iterator[str]:
        style, state, colour = self.style, self.state, self.state.colours[seat]
        middle, line = y + ROW / 2, y + ROW / 2 + 8
        if seat in (state.winners or (state.decider,)):
            yield style.rect(MARGIN - 12, y + 1, WIDTH - 2 * MARGIN + 24, ROW - 2, style.paint("panel", "ink", 2), 8)
        yield _house(style, colour, (MARGIN + 18, middle + 1))
        yield style.fitted(MARGIN + 46, line, self.words.translate(colour), LARGE - 4, 110, bold=True)
        yield style.text(MONEY, line, str(state.money[seat]), LARGE, anchor="end", bold=True)
        if change := state.money[seat] - self.before.money[seat]:
            yield style.text(MONEY + 5, line - 1, f"{change:+}", SMALL, fill="new", bold=True)
        yield style.text(PRESTIGE, line, str(state.prestige[seat]), LARGE, anchor="end", bold=True)
        yield style.text(STOCK, line, str(state.stock[seat]), LARGE - 4, anchor="end")
        yield from self._holdings(seat, CARDS + 12, middle)

    def _holdings(self, seat: int, x: float, y: float) -> Iterator[str]:
        """Draw a player's supremacy signs, the guard's shield and the names of cards."""
        state, style = self.state, self.style
        if seat == state.guard:
            yield style.path(SHIELD, style.paint("bobby", "ink", 1.5), (x, y), 1.1)
            x += 30
        for group in (group for group, holder in state.supremacy.items() if holder == seat):
            yield _group(state.board, style, group, (x, y), 0.95, "ink")
            x += 28
        if state.cards[seat]:
            yield style.fitted(x - 10, y + 7, self.words.translate(state.cards[seat]), SMALL, WIDTH - MARGIN / 2 - x + 4)


def _heads(style: Style, words: Words, y: float) -> str:
    ends = (("money", MONEY, 92), ("prestige", PRESTIGE, 92), ("stock", STOCK, 108))
    heads = [style.head(x, y, words.say(f"board.{key}"), room, anchor="end") for key, x, room in ends]
    return "".join([*heads, style.head(CARDS, y, words.say("picture.cards"), WIDTH - CARDS - MARGIN / 2)])


def _letters(board: Board, colours: tuple[str, ...], style: Style, words: Words) -> tuple[Sign, ...]:
    """Explain below the streets the signs, and the letters that do not begin their word in this language."""
    groups = [style.sign(_group(board, style, group, (12, 0), 0.95, "ink"), words.translate(group)) for group in board.groups]
    values = {kind: f" ({VALUES[kind]})" if kind in VALUES else "" for kind in KINDS}
    kinds = [style.sign("".join(_pawn(style, kind, (13, 0), 13, None)), words.translate(kind) + value) for kind, value in values.items()]
    unlike = words.unlike({colour: LETTERS[colour] for colour in colours})
    return (*groups, *kinds, *(style.sign(_house(style, colour, (14, 1), 0.62), words.translate(colour)) for colour in unlike))


def _legend(style: Style, words: Words, thief_is_out: bool, has_news: bool) -> tuple[Sign, ...]:
    guard = style.sign(style.path(SHIELD, style.paint("bobby", "ink", 1.5), (12, 0)), words.say("picture.guard"))
    grey = style.sign(style.rect(1, -11, 22, 22, style.paint("grey", "ink", 2), 4), words.say("board.grey"))
    harbour = () if thief_is_out else (style.sign("", words.say("now.harbour")),)
    new = (style.sign(style.rect(2, -10, 20, 20, _new(style), 4), words.say("picture.new")),) if has_news else ()
    return (guard, grey, *harbour, *new)


def _house(style: Style, colour: str, at: Point, scale: float = 0.8) -> str:
    """Draw a shop of a player."""
    x, y, size = at[0], at[1] + 10 * scale, 22.5 * scale
    sign = style.text(x, y, LETTERS[colour], size, anchor="middle", bold=True, fill=style.letters_on(colour))
    return style.path(HOUSE, style.paint(colour, "ink", 1.5), at, scale) + sign


def _figures(sheet: _Sheet, space: str, corner: Point, figures: tuple[Figure, ...]) -> str:
    """Draw figures side by side on a space."""
    style, where = sheet.style, sheet.where
    x, y = corner[0] + where.width / 2, corner[1] + HIGH - (34 if where.named else 26)
    size = 11 if len(figures) > 1 else 13 if where.named else 15
    parts: list[str] = []
    for index, figure in enumerate(figures):
        if figure.news == "left":
            parts += _gone(style, figure.kind, (x, y))
            continue
        spot = x + (index - (len(figures) - 1) / 2) * 23, y
        parts += _figure(sheet, figure.kind, spot, size, _direction(where, space, figure.facing))
        if figure.news == "came":
            parts.append(style.circle(*spot, 20, _new(style)))
    return untouched(*parts)


def _gone(style: Style, kind: str, at: Point) -> Iterator[str]:
    """Mark the space that a figure left."""
    yield style.circle(*at, 14, _new(style))
    yield style.text(at[0], at[1] + 6, KINDS[kind], 17, anchor="middle", bold=True, fill="new")


def _direction(where: Town, space: str, facing: str) -> float | str | None:
    """Describe a facing: an angle on a grid, a name in a list."""
    if not facing or where.named:
        return facing or None
    corners = dict(where.tiles)
    return atan2(corners[facing][1] - corners[space][1], corners[facing][0] - corners[space][0])


def _figure(sheet: _Sheet, kind: str, at: Point, size: float, direction: float | str | None) -> Iterator[str]:
    yield from _pawn(sheet.style, kind, at, size, direction if isinstance(direction, float) else None)
    if isinstance(direction, str):
        yield sheet.style.fitted(at[0], at[1] + size + 14, f">{direction}", 16, (sheet.where.width - 4) - 4, anchor="middle", bold=True)


def _pawn(style: Style, kind: str, at: Point, size: float, angle: float | None) -> Iterator[str]:
    """Draw a round customer or the square thief, with a nose that shows its facing."""
    x, y = at
    body = "red" if kind == THIEF else "bobby"
    if angle is not None:
        tip, wide = size + 11, size * 0.85
        ahead, across = (cos(angle), sin(angle)), (-sin(angle), cos(angle))
        corners = [(tip, 0.0), (size * 0.5, wide), (size * 0.5, -wide)]
        nose = "L".join(f"{a * ahead[0] + b * across[0]:.1f} {a * ahead[1] + b * across[1]:.1f}" for a, b in corners)
        yield style.path(f"M{nose}z", style.paint(body, "road", 1.5), at)
    if kind == THIEF:
        yield style.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8, style.paint(body, "road", 1.5), 3)
    else:
        yield style.circle(x, y, size, style.paint(body, "road", 1.5))
    yield style.text(x, y + size * 0.42, KINDS[kind], size * 1.2, anchor="middle", bold=True, fill=style.letters_on(body))
