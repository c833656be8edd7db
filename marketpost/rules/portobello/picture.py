"""Draws the board as a picture: a street map with stalls and people, and below it who has what."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from math import dist
from typing import NamedTuple

from marketpost.rules.portobello.board import Board
from marketpost.rules.portobello.draw import LETTERS
from marketpost.rules.portobello.linear import sentences
from marketpost.rules.portobello.map_layout import HEIGHT, ROAD, SQUARE, MapLayout, plan
from marketpost.rules.portobello.options import CustomerSupply
from marketpost.rules.portobello.state import LORD, Spaces, State
from marketpost.rules.svg import LARGE, SMALL, WIDTH, Point, Sign, Style, place, untouched
from marketpost.rules.words import Words

MARGIN = 24
ROW = 44
TILE = 34
FINGER = 41
"""Radius of the invisible target on a square: 40 pixels across on a phone that is 390 wide."""
POINTS, STALLS, TILES = 300, 430, 470
"""Where the columns of the table end, and where the tiles begin."""
AWNING = "M-20-17h40v7a5 5 0 0 1-10 0a5 5 0 0 1-10 0a5 5 0 0 1-10 0a5 5 0 0 1-10 0z"
HELMET = "M-13-5c0-11 4-19 13-19s13 8 13 19z"
BRIM = "M-17-5h34v4h-34z"
FACE = "M-10-1h20v5a10 10 0 0 1-20 0z"
COAT = "M-20 26c0-10 8-13 20-13s20 3 20 13z"
BADGE = "M0-18l2 4 4 .6-3 3 .8 4.3-3.8-2-3.8 2 .8-4.3-3-3 4-.6z"
HATS = {
    "clerk": "M-11 2c0-10 3-14 11-14s11 4 11 14zM-16 2h32v4h-32z",
    "citizen": "M-17 3c5-3 6-4 8-9 2-5 16-5 18 0 2 5 3 6 8 9-5 4-10 5-17 5s-12-1-17-5zM-9-5c5 3 13 3 18 0l1 3c-6 3-14 3-20 0z",
    "lord": "M-10 1v-19h20v19zM-16 1h32v5h-32z",
}
TICK = "M-7 0l5 6 9-12"
Draw = Callable[[Point, float], Iterator[str]]
"""Draws something at a place, as large as told."""


class DrawnMark(NamedTuple):
    """A tile that lies in a district."""

    colour: str
    tile: int
    is_new: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """The parts that pictures of many positions share; drawn parts are cached, because most of a board stays the same."""

    board: Board
    words: Words
    style: Style
    where: MapLayout


@lru_cache(maxsize=64)
def _sheet(board: Board, words: Words, style: Style) -> _Sheet:
    return _Sheet(board, words, style, plan(board))


def picture(state: State, words: Words, *, before: State | None = None, style: Style = Style()) -> str:
    """Draw a position as SVG."""
    told = [*islice(sentences(state, words), len(state.colours) + 1)]
    sketch = _Sketch(state, before or state, _sheet(state.board, words, style))
    panel, bottom = sketch.panel(told[0])
    return style.document(bottom, words.say("story.title"), " ".join(told), [*sketch.map(), *panel])


class _Sketch:
    """One picture in the making: the position, the position before it, and the sheet."""

    def __init__(self, state: State, before: State, sheet: _Sheet) -> None:
        self.state, self.before, self.sheet, self.words, self.style = state, before, sheet, sheet.words, sheet.style

    def map(self) -> Iterator[str]:
        """Draw the map from the ground up: districts, lanes, squares."""
        state, before, sheet = self.state, self.before, self.sheet
        for number in state.board.districts:
            yield self._district(number)
        for lane, stalls in state.lanes.items():
            yield _lane(sheet, lane, state.colours, stalls, before.lanes[lane])
        for letter, guest in state.squares.items():
            yield _square(sheet, letter, guest, not before.squares[letter])
        for lane in sorted(state.scored):
            yield _tick(sheet, lane)

    def _district(self, number: int) -> str:
        state, before = self.state, self.before
        bobby = ""
        if number == state.bobby:
            bobby = "stands" if number == before.bobby else "came"
        elif number == before.bobby:
            bobby = "left"
        mark = state.marks.get(number)
        told = DrawnMark(state.colours[mark[0]], mark[1], number not in before.marks) if mark else None
        return _district(self.sheet, number, bobby, told)

    def panel(self, now: str) -> tuple[list[str], float]:
        """Draw who has what; return it with its lower edge."""
        letters, under = self._letters(HEIGHT + 4)
        parts, top = self.style.paragraph(now, under, MARGIN)
        parts.append(letters)
        parts.append(_heads(self.style, self.words, top + 46))
        for seat in range(len(self.state.colours)):
            parts.append("".join(self._player(seat, top + 56 + seat * ROW)))
        signs = [*self._guests(), *self._neutral(), *self._legend()]
        waiting, bottom = self.style.flow(signs, top + 72 + ROW * len(self.state.colours), MARGIN, 40)
        return [*parts, waiting], bottom + 16

    def _letters(self, top: float) -> tuple[str, float]:
        """Explain below the map the letters of stalls that do not begin their colour's name in this language."""
        unlike = self.words.unlike({colour: LETTERS[colour] for colour in self.state.colours})
        signs = [self.style.sign(_stall(self.style, (14, 0), 28, colour), self.words.translate(colour)) for colour in unlike]
        return self.style.flow(signs, top, MARGIN, 36) if signs else ("", top + 4)

    def _player(self, seat: int, y: float) -> Iterator[str]:
        style, state, colour = self.style, self.state, self.state.colours[seat]
        middle, line = y + ROW / 2, y + ROW / 2 + 8
        if seat in (state.winners or (state.decider,)):
            yield style.rect(MARGIN - 12, y + 1, WIDTH - 2 * MARGIN + 24, ROW - 2, style.paint("panel", "ink", 2), 8)
        yield _stall(style, (MARGIN + 20, middle), 32, colour)
        yield style.fitted(MARGIN + 48, line, self.words.translate(colour), LARGE - 2, 120, bold=True)
        yield style.text(POINTS, line, str(state.scores[seat]), LARGE, anchor="end", bold=True)
        if change := state.scores[seat] - self.before.scores[seat]:
            yield style.text(POINTS + 5, line - 1, f"{change:+}", SMALL, fill="new", bold=True)
        yield style.text(STALLS, line, str(state.stalls[seat]), LARGE - 4, anchor="end")
        for index, tile in enumerate(sorted(state.tiles[seat], key=lambda tile: not tile.open)):
            yield _tile(style, (TILES + index * (TILE + 8), middle - TILE / 2), colour, tile.number, tile.own, tile.open)

    def _guests(self) -> Iterator[Sign]:
        """Draw the customers still to come, and the one in hand."""
        state, say = self.state, self.words.say
        if state.hand:
            yield _guest(self.style, state.hand, say("board.hand", kind=state.hand))
        if state.options.customers == CustomerSupply.QUEUE:
            for number, kind in enumerate((kind for kind in state.queue if kind != LORD), 1):
                yield _guest(self.style, kind, f"{number}. {self.words.translate(kind)}")
        else:
            for kind, count in state.bag.items():
                yield _guest(self.style, kind, f"{count} × {self.words.translate(kind)}")
        if LORD not in state.squares.values():
            yield _guest(self.style, LORD, self.words.translate(LORD))

    def _neutral(self) -> Iterator[Sign]:
        tiles = " ".join(map(str, self.state.neutral)) or "–"
        yield self.style.sign("", self.words.say("board.neutral", tiles=tiles))

    def _legend(self) -> Iterator[Sign]:
        if self.before is not self.state:
            yield self.style.sign(self.style.rect(2, -10, 20, 20, _new(self.style), 4), self.words.say("picture.new"))


def _district(sheet: _Sheet, number: int, bobby: str, mark: DrawnMark | None) -> str:
    """Say whether the Bobby stands in a district, came or left in the last turn, or was not there."""
    corners = [sheet.where.squares[letter] for letter in sorted(set("".join(sheet.board.districts[number])))]
    ground = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    parts = [f'<polygon points="{ground}"{sheet.style.paint("block")}/>', *_label(sheet, number, bobby, mark)]
    return place("district", str(number), sheet.words.say("picture.district", district=number), parts)


def _label(sheet: _Sheet, number: int, bobby: str, mark: DrawnMark | None) -> Iterator[str]:
    """Draw a district's number and what stands or lies in it."""
    here: list[Draw] = [partial(_bobby, sheet.style, bobby == "came")] if bobby in ("stands", "came") else []
    if mark:
        here.append(partial(_mark, sheet.style, mark))
    if bobby == "left" and not here:
        here.append(partial(_gone, sheet.style))
    label = sheet.where.districts[number][len(here) == 2]
    (x, y), scale = label.middle, label.scale
    spots = list(_spots(label.form, len(here)))
    size = max(SMALL + 2, 28 * scale) if here else max(SMALL + 4, 38 * scale)
    across, down = spots[0]
    yield sheet.style.text(x + across * scale, y + down * scale + size * 0.36, str(number), size, anchor="middle", bold=True, fill="faint")
    for draw, (across, down) in zip(here, spots[1:], strict=True):
        yield from draw((x + across * scale, y + down * scale), scale)


def _bobby(style: Style, came: bool, at: Point, scale: float) -> Iterator[str]:
    if came:
        yield style.circle(at[0], at[1], 28 * scale, _new(style))
    yield style.path(HELMET + BRIM + COAT, style.paint("bobby"), at, scale)
    yield style.path(FACE, style.paint("road", "bobby", 1.5), at, scale)
    yield style.path(BADGE, style.paint("yellow"), at, scale)


def _gone(style: Style, at: Point, scale: float) -> Iterator[str]:
    """Mark where the Bobby stood before."""
    yield style.path(HELMET + BRIM + COAT, style.paint(None, "new", 2.5 / scale) + ' stroke-dasharray="5 4"', at, scale)


def _mark(style: Style, mark: DrawnMark, at: Point, scale: float) -> Iterator[str]:
    side = 42 * scale
    x, y = at[0] - side / 2, at[1] - side / 2
    yield style.rect(x, y, side, side, style.paint(mark.colour, "ink", 2), 4)
    told, ink = f"{LETTERS[mark.colour]}{mark.tile}", style.letters_on(mark.colour)
    yield style.text(at[0], at[1] + 8 * scale, told, 23 * scale, anchor="middle", bold=True, fill=ink)
    if mark.is_new:
        yield style.rect(x - 5, y - 5, side + 10, side + 10, _new(style), 6)


def _new(style: Style) -> str:
    """Draw a dashed line around what came in the last turn."""
    return style.paint(None, "new", 3) + ' stroke-dasharray="7 4"'


def _lane(sheet: _Sheet, lane: str, colours: tuple[str, ...], now: Spaces, before: Spaces) -> str:
    style, start, end = sheet.style, *(sheet.where.squares[letter] for letter in lane)
    spots, values, side = sheet.where.spaces[lane], sheet.board.lanes[lane], sheet.where.stall
    parts = [_road(style, start, end)]
    for at, seat, value in zip(spots, now, values, strict=True):
        parts.append(_free(style, at, side, value) if seat is None else _stall(style, at, side, colours[seat], str(value)))
    parts += [_ring(style, at, side + 8) for at, old, new in zip(spots, before, now, strict=True) if old is None and new is not None]
    parts.append(_hit(style, start, end))
    if now[0] is None and now[-1] is None:
        # It may be begun at either end: this half of it is the far one.
        parts.append(_place_lane(sheet.words, lane[1], lane[0], [_hit(style, *_far_half(start, end))]))
    return _place_lane(sheet.words, lane[0], lane[1], parts)


def _far_half(start: Point, end: Point) -> tuple[Point, Point]:
    """Compute where the far half of a lane begins and where the target on its square hides it."""
    (x, y), (to_x, to_y) = start, end
    seen = max(0.75, 1 - FINGER / dist(start, end))
    return ((x + to_x) / 2, (y + to_y) / 2), (x + seen * (to_x - x), y + seen * (to_y - y))


def _place_lane(words: Words, start: str, end: str, parts: list[str]) -> str:
    return place("lane", f"{start}-{end}", words.say("picture.lane", lane=f"{start}-{end}"), parts)


def _ring(style: Style, at: Point, side: float) -> str:
    """Draw a ring around a stall built in the last turn."""
    return style.rect(at[0] - side / 2, at[1] - side / 2 + 1, side, side, _new(style), 7)


def _tick(sheet: _Sheet, lane: str) -> str:
    """Tick a scored lane at the end where more room is free."""
    style, where = sheet.style, sheet.where
    ends = [(where.squares[letter], where.spaces[lane][at]) for letter, at in zip(lane, (0, -1), strict=True)]
    start, first = max(ends, key=lambda end: dist(*end))
    far = dist(start, first)
    free = far - where.stall / 2 - SQUARE
    # Where there is no room it goes onto the edge of the square, rather than onto a stall.
    along, size = ((SQUARE + free / 2) / far, 11) if free >= 20 else ((SQUARE - 7) / far, 8)
    at = start[0] + along * (first[0] - start[0]), start[1] + along * (first[1] - start[1])
    sign = style.path(TICK, style.paint(None, "road", 3), at, 0.07 * size)
    return untouched(style.circle(*at, size, style.paint("ink", "road", 1.5)) + sign)


def _square(sheet: _Sheet, letter: str, guest: str | None, was_free: bool) -> str:
    style, (x, y), ground = sheet.style, sheet.where.squares[letter], guest or "road"
    parts = [style.circle(x, y, SQUARE, style.paint(ground, "ink", 3))]
    ink = style.letters_on(ground)
    if guest:
        parts.append(style.text(x, y - 7, letter, 22, anchor="middle", bold=True, fill=ink))
        parts.append(style.path(HATS[guest], style.paint(ink) + ' fill-rule="evenodd"', (x, y + 15), 0.95))
    else:
        parts.append(style.text(x, y + 11, letter, 32, anchor="middle", bold=True, fill=ink))
    if guest and was_free:
        parts.append(style.circle(x, y, SQUARE + 6, _new(style)))
    parts.append(style.circle(x, y, FINGER, ' class="hit" fill="none" stroke="none" pointer-events="all"'))
    return place("square", letter, sheet.words.say(f"linear.square-{guest or 'free'}", square=letter), parts)


def _tile(style: Style, at: Point, colour: str, number: int, is_own: bool, is_open: bool) -> str:
    """Draw a tile: its owner's or a neutral one; dashed if it lies face down."""
    ground = colour if is_own else "glass"
    paint, ink = (style.paint(ground, "ink", 2), style.letters_on(ground)) if is_open else (_down(style), "faint")
    sign = f"{'' if is_own else 'n'}{number}"
    return style.rect(*at, TILE, TILE, paint, 4) + style.text(
        at[0] + TILE / 2, at[1] + 24, sign, 20, anchor="middle", bold=is_open, fill=ink
    )


def _guest(style: Style, kind: str, text: str) -> Sign:
    hat = style.path(HATS[kind], style.paint(style.letters_on(kind)) + ' fill-rule="evenodd"', (15, 3), 0.75)
    return style.sign(style.circle(15, 0, 15, style.paint(kind, "ink", 2)) + hat, text)


def _heads(style: Style, words: Words, y: float) -> str:
    closed = style.rect(TILES + 114, y - 15, 16, 16, _down(style), 3)
    return "".join(
        [
            style.head(POINTS, y, words.say("board.score"), 120, anchor="end"),
            style.head(STALLS, y, words.say("board.stalls"), 110, anchor="end"),
            style.head(TILES, y, words.say("board.open"), 108),
            closed + style.head(TILES + 135, y, words.say("board.closed"), WIDTH - TILES - 135 - MARGIN / 2),
        ]
    )


def _down(style: Style) -> str:
    return style.paint(None, "faint", 1.5) + ' stroke-dasharray="4 3"'


def _road(style: Style, start: Point, end: Point) -> str:
    return style.line(start, end, style.paint(None, "kerb", 25)) + style.line(start, end, style.paint(None, "road", 20))


def _hit(style: Style, start: Point, end: Point) -> str:
    """Draw an invisible target, broad enough for a finger."""
    return style.line(start, end, f' class="hit" stroke="none" stroke-width="{ROAD}" pointer-events="stroke"')


def _free(style: Style, at: Point, side: float, value: int) -> str:
    x, y = at
    box = style.rect(x - side / 2 + 3, y - side / 2 + 3, side - 6, side - 6, style.paint("road", "kerb", 1.5), 5)
    return box + style.text(x, y + side * 0.18, str(value), side * 0.52, anchor="middle", fill="faint")


def _stall(style: Style, at: Point, side: float, colour: str, value: str = "") -> str:
    x, y = at
    drawn = style.rect(x - side / 2, y - side / 2 + 2, side, side - 2, style.paint(colour, "ink", 1.5), 4)
    drawn += style.path(AWNING, style.paint("road", "ink", 1.5), (x, y - side * 0.1), side / 40)
    return drawn + style.text(
        x, y + side * 0.36, LETTERS[colour] + value, side * 0.54, anchor="middle", bold=True, fill=style.letters_on(colour)
    )


def _spots(form: str, things: int) -> Iterator[Point]:
    """Compute where a district's number and its things stand around the middle of its label."""
    step, gap = 50, 24
    if form == "stack":
        yield 0, -30 if things else 0
        yield from ((step * (number - (things - 1) / 2), 16) for number in range(things))
        return
    start = -(gap + (things - 1) * step) / 2 - 12 if things else 0
    for number in range(things + 1):
        along = start + bool(number) * (gap + 18 + (number - 1) * step)
        yield (along, 0) if form == "row" else (0, along)
