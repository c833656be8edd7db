"""The board as a picture: a street map with stalls and people on it, and below it who has what."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from math import dist
from typing import NamedTuple

from marketpost.rules.portobello.board import Board
from marketpost.rules.portobello.draw import LETTERS
from marketpost.rules.portobello.linear import sentences
from marketpost.rules.portobello.plan import HEIGHT, ROAD, SQUARE, Plan, plan
from marketpost.rules.portobello.state import LORD, Spaces, State
from marketpost.rules.svg import LARGE, SMALL, WIDTH, Look, Point, Sign, place, untouched
from marketpost.rules.words import Words

MARGIN = 24
ROW = 44
TILE = 34
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


class Mark(NamedTuple):
    """A tile that lies in a district."""

    colour: str
    tile: int
    is_new: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """What pictures of many positions share. What is drawn of it from a few values is remembered: most of a board was seen before."""

    board: Board
    words: Words
    look: Look
    where: Plan


@lru_cache(maxsize=64)
def _sheet(board: Board, words: Words, look: Look) -> _Sheet:
    return _Sheet(board, words, look, plan(board))


def picture(state: State, words: Words, *, before: State | None = None, look: Look = Look()) -> str:
    told = [*islice(sentences(state, words), len(state.colours) + 1)]
    sketch = _Sketch(state, before or state, _sheet(state.board, words, look))
    panel, bottom = sketch.panel(told[0])
    return look.document(bottom, words.say("story.title"), " ".join(told), [*sketch.map(), *panel])


class _Sketch:
    """One picture in the making: a position, what it was before, and what it is drawn on."""

    def __init__(self, state: State, before: State, sheet: _Sheet) -> None:
        self.state, self.before, self.sheet, self.words, self.look = state, before, sheet, sheet.words, sheet.look

    def map(self) -> Iterator[str]:
        """From the ground up: districts, lanes, squares."""
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
        told = Mark(state.colours[mark[0]], mark[1], number not in before.marks) if mark else None
        return _district(self.sheet, number, bobby, told)

    def panel(self, now: str) -> tuple[list[str], float]:
        """Who has what, and how far down that goes."""
        letters, under = self._letters(HEIGHT + 4)
        parts, top = self.look.paragraph(now, under, MARGIN)
        parts.append(letters)
        parts.append(_heads(self.look, self.words, top + 46))
        for seat in range(len(self.state.colours)):
            parts.append("".join(self._player(seat, top + 56 + seat * ROW)))
        signs = [*self._guests(), *self._neutral(), *self._legend()]
        waiting, bottom = self.look.flow(signs, top + 72 + ROW * len(self.state.colours), MARGIN, 40)
        return [*parts, waiting], bottom + 16

    def _letters(self, top: float) -> tuple[str, float]:
        """Below the map: the letters of stalls that are not the first of their colour in this language."""
        unlike = self.words.unlike({colour: LETTERS[colour] for colour in self.state.colours})
        signs = [self.look.sign(_stall(self.look, (14, 0), 28, colour), self.words.tell(colour)) for colour in unlike]
        return self.look.flow(signs, top, MARGIN, 36) if signs else ("", top + 4)

    def _player(self, seat: int, y: float) -> Iterator[str]:
        look, state, colour = self.look, self.state, self.state.colours[seat]
        middle, line = y + ROW / 2, y + ROW / 2 + 8
        if seat in (state.winners or (state.decider,)):
            yield look.rect(MARGIN - 12, y + 1, WIDTH - 2 * MARGIN + 24, ROW - 2, look.paint("panel", "ink", 2), 8)
        yield _stall(look, (MARGIN + 20, middle), 32, colour)
        yield look.fitted(MARGIN + 48, line, self.words.tell(colour), LARGE - 2, 120, bold=True)
        yield look.text(POINTS, line, str(state.scores[seat]), LARGE, anchor="end", bold=True)
        if change := state.scores[seat] - self.before.scores[seat]:
            yield look.text(POINTS + 5, line - 1, f"{change:+}", SMALL, fill="new", bold=True)
        yield look.text(STALLS, line, str(state.stalls[seat]), LARGE - 4, anchor="end")
        for index, tile in enumerate(sorted(state.tiles[seat], key=lambda tile: not tile.open)):
            yield _tile(look, (TILES + index * (TILE + 8), middle - TILE / 2), colour, tile.number, tile.own, tile.open)

    def _guests(self) -> Iterator[Sign]:
        """The customers still to come, and the one in hand."""
        state, say = self.state, self.words.say
        if state.hand:
            yield _guest(self.look, state.hand, say("board.hand", kind=state.hand))
        if state.options.customers == "queue":
            for number, kind in enumerate((kind for kind in state.queue if kind != LORD), 1):
                yield _guest(self.look, kind, f"{number}. {self.words.tell(kind)}")
        else:
            for kind, count in state.bag.items():
                yield _guest(self.look, kind, f"{count} × {self.words.tell(kind)}")
        if LORD not in state.squares.values():
            yield _guest(self.look, LORD, self.words.tell(LORD))

    def _neutral(self) -> Iterator[Sign]:
        tiles = " ".join(map(str, self.state.neutral)) or "–"
        yield self.look.sign("", self.words.say("board.neutral", tiles=tiles))

    def _legend(self) -> Iterator[Sign]:
        if self.before is not self.state:
            yield self.look.sign(self.look.rect(2, -10, 20, 20, _new(self.look), 4), self.words.say("picture.new"))


@lru_cache(maxsize=512)
def _district(sheet: _Sheet, number: int, bobby: str, mark: Mark | None) -> str:
    """The Bobby stands there, came or left in the last turn, or was not there."""
    corners = [sheet.where.squares[letter] for letter in sorted(set("".join(sheet.board.districts[number])))]
    ground = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    parts = [f'<polygon points="{ground}"{sheet.look.paint("block")}/>', *_label(sheet, number, bobby, mark)]
    return place("district", str(number), sheet.words.say("picture.district", district=number), parts)


def _label(sheet: _Sheet, number: int, bobby: str, mark: Mark | None) -> Iterator[str]:
    """Its number, and what stands or lies in it."""
    here: list[Draw] = [partial(_bobby, sheet.look, bobby == "came")] if bobby in ("stands", "came") else []
    if mark:
        here.append(partial(_mark, sheet.look, mark))
    if bobby == "left" and not here:
        here.append(partial(_gone, sheet.look))
    label = sheet.where.districts[number][len(here) == 2]
    (x, y), scale = label.middle, label.scale
    spots = list(_spots(label.form, len(here)))
    size = max(SMALL + 2, 28 * scale) if here else max(SMALL + 4, 38 * scale)
    across, down = spots[0]
    yield sheet.look.text(x + across * scale, y + down * scale + size * 0.36, str(number), size, anchor="middle", bold=True, fill="faint")
    for draw, (across, down) in zip(here, spots[1:], strict=True):
        yield from draw((x + across * scale, y + down * scale), scale)


def _bobby(look: Look, came: bool, at: Point, scale: float) -> Iterator[str]:
    if came:
        yield look.circle(at[0], at[1], 28 * scale, _new(look))
    yield look.path(HELMET + BRIM + COAT, look.paint("bobby"), at, scale)
    yield look.path(FACE, look.paint("road", "bobby", 1.5), at, scale)
    yield look.path(BADGE, look.paint("yellow"), at, scale)


def _gone(look: Look, at: Point, scale: float) -> Iterator[str]:
    """Where the Bobby stood before."""
    yield look.path(HELMET + BRIM + COAT, look.paint(None, "new", 2.5 / scale) + ' stroke-dasharray="5 4"', at, scale)


def _mark(look: Look, mark: Mark, at: Point, scale: float) -> Iterator[str]:
    side = 42 * scale
    x, y = at[0] - side / 2, at[1] - side / 2
    yield look.rect(x, y, side, side, look.paint(mark.colour, "ink", 2), 4)
    told, ink = f"{LETTERS[mark.colour]}{mark.tile}", look.letters_on(mark.colour)
    yield look.text(at[0], at[1] + 8 * scale, told, 23 * scale, anchor="middle", bold=True, fill=ink)
    if mark.is_new:
        yield look.rect(x - 5, y - 5, side + 10, side + 10, _new(look), 6)


def _new(look: Look) -> str:
    """What came in the last turn has a dashed line around it."""
    return look.paint(None, "new", 3) + ' stroke-dasharray="7 4"'


@lru_cache(maxsize=1024)
def _lane(sheet: _Sheet, lane: str, colours: tuple[str, ...], now: Spaces, before: Spaces) -> str:
    look, start, end = sheet.look, *(sheet.where.squares[letter] for letter in lane)
    spots, values, side = sheet.where.spaces[lane], sheet.board.lanes[lane], sheet.where.stall
    parts = [_road(look, start, end)]
    for at, seat, value in zip(spots, now, values, strict=True):
        parts.append(_free(look, at, side, value) if seat is None else _stall(look, at, side, colours[seat], str(value)))
    parts += [_ring(look, at, side + 8) for at, old, new in zip(spots, before, now, strict=True) if old is None and new is not None]
    parts.append(_hit(look, start, end))
    if now[0] is None and now[-1] is None:
        # It may be begun at either end: this half of it is the far one.
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        parts.append(_place_lane(sheet.words, lane[1], lane[0], [_hit(look, middle, end)]))
    return _place_lane(sheet.words, lane[0], lane[1], parts)


def _place_lane(words: Words, start: str, end: str, parts: list[str]) -> str:
    return place("lane", f"{start}-{end}", words.say("picture.lane", lane=f"{start}-{end}"), parts)


def _ring(look: Look, at: Point, side: float) -> str:
    """Around a stall built in the last turn."""
    return look.rect(at[0] - side / 2, at[1] - side / 2 + 1, side, side, _new(look), 7)


@lru_cache(maxsize=256)
def _tick(sheet: _Sheet, lane: str) -> str:
    """A scored lane is ticked at the end where more of it is free."""
    look, where = sheet.look, sheet.where
    ends = [(where.squares[letter], where.spaces[lane][at]) for letter, at in zip(lane, (0, -1), strict=True)]
    start, first = max(ends, key=lambda end: dist(*end))
    far = dist(start, first)
    free = far - where.stall / 2 - SQUARE
    # Where there is no room it goes onto the edge of the square, rather than onto a stall.
    along, size = ((SQUARE + free / 2) / far, 11) if free >= 20 else ((SQUARE - 7) / far, 8)
    at = start[0] + along * (first[0] - start[0]), start[1] + along * (first[1] - start[1])
    sign = look.path(TICK, look.paint(None, "road", 3), at, 0.07 * size)
    return untouched(look.circle(*at, size, look.paint("ink", "road", 1.5)) + sign)


@lru_cache(maxsize=256)
def _square(sheet: _Sheet, letter: str, guest: str | None, was_free: bool) -> str:
    look, (x, y), ground = sheet.look, sheet.where.squares[letter], guest or "road"
    parts = [look.circle(x, y, SQUARE, look.paint(ground, "ink", 3))]
    ink = look.letters_on(ground)
    if guest:
        parts.append(look.text(x, y - 7, letter, 22, anchor="middle", bold=True, fill=ink))
        parts.append(look.path(HATS[guest], look.paint(ink) + ' fill-rule="evenodd"', (x, y + 15), 0.95))
    else:
        parts.append(look.text(x, y + 11, letter, 32, anchor="middle", bold=True, fill=ink))
    if guest and was_free:
        parts.append(look.circle(x, y, SQUARE + 6, _new(look)))
    return place("square", letter, sheet.words.say(f"linear.square-{guest or 'free'}", square=letter), parts)


@lru_cache(maxsize=512)
def _tile(look: Look, at: Point, colour: str, number: int, is_own: bool, is_open: bool) -> str:
    """Its owner's, or neutral; a dashed one lies face down."""
    ground = colour if is_own else "glass"
    paint, ink = (look.paint(ground, "ink", 2), look.letters_on(ground)) if is_open else (_down(look), "faint")
    sign = f"{'' if is_own else 'n'}{number}"
    return look.rect(*at, TILE, TILE, paint, 4) + look.text(at[0] + TILE / 2, at[1] + 24, sign, 20, anchor="middle", bold=is_open, fill=ink)


@lru_cache(maxsize=256)
def _guest(look: Look, kind: str, text: str) -> Sign:
    hat = look.path(HATS[kind], look.paint(look.letters_on(kind)) + ' fill-rule="evenodd"', (15, 3), 0.75)
    return look.sign(look.circle(15, 0, 15, look.paint(kind, "ink", 2)) + hat, text)


@lru_cache(maxsize=64)
def _heads(look: Look, words: Words, y: float) -> str:
    closed = look.rect(TILES + 122, y - 15, 16, 16, _down(look), 3)
    return "".join(
        [
            look.head(POINTS, y, words.say("board.score"), 120, anchor="end"),
            look.head(STALLS, y, words.say("board.stalls"), 110, anchor="end"),
            look.head(TILES, y, words.say("board.open"), 116),
            closed + look.head(TILES + 143, y, words.say("board.closed"), WIDTH - TILES - 143 - MARGIN / 2),
        ]
    )


def _down(look: Look) -> str:
    return look.paint(None, "faint", 1.5) + ' stroke-dasharray="4 3"'


@lru_cache(maxsize=256)
def _road(look: Look, start: Point, end: Point) -> str:
    return look.line(start, end, look.paint(None, "kerb", 25)) + look.line(start, end, look.paint(None, "road", 20))


@lru_cache(maxsize=256)
def _hit(look: Look, start: Point, end: Point) -> str:
    """Unseen, and broad enough for a finger."""
    return look.line(start, end, f' class="hit" stroke="none" stroke-width="{ROAD}" pointer-events="stroke"')


@lru_cache(maxsize=256)
def _free(look: Look, at: Point, side: float, value: int) -> str:
    x, y = at
    box = look.rect(x - side / 2 + 3, y - side / 2 + 3, side - 6, side - 6, look.paint("road", "kerb", 1.5), 5)
    return box + look.text(x, y + side * 0.18, str(value), side * 0.52, anchor="middle", fill="faint")


@lru_cache(maxsize=1024)
def _stall(look: Look, at: Point, side: float, colour: str, value: str = "") -> str:
    x, y = at
    drawn = look.rect(x - side / 2, y - side / 2 + 2, side, side - 2, look.paint(colour, "ink", 1.5), 4)
    drawn += look.path(AWNING, look.paint("road", "ink", 1.5), (x, y - side * 0.1), side / 40)
    return drawn + look.text(
        x, y + side * 0.36, LETTERS[colour] + value, side * 0.54, anchor="middle", bold=True, fill=look.letters_on(colour)
    )


def _spots(form: str, things: int) -> Iterator[Point]:
    """Where a district's number and so many things stand around the middle of its label."""
    step, gap = 50, 24
    if form == "stack":
        yield 0, -30 if things else 0
        yield from ((step * (number - (things - 1) / 2), 16) for number in range(things))
        return
    start = -(gap + (things - 1) * step) / 2 - 12 if things else 0
    for number in range(things + 1):
        along = start + bool(number) * (gap + 18 + (number - 1) * step)
        yield (along, 0) if form == "row" else (0, along)
