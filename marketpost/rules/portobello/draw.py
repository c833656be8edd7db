"""Draws the board as text: the map with stalls and customers on it, and below it who has what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from textwrap import wrap

from marketpost.rules.portobello.board import Board
from marketpost.rules.portobello.options import CustomerSupply, unusual
from marketpost.rules.portobello.state import LORD, State, Tile
from marketpost.rules.portobello.text_layout import COLUMNS, GUEST, LABELS, ROWS, TINY, Box, TextLayout, page
from marketpost.rules.variant import note
from marketpost.rules.words import Words

LETTERS = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}
STALL_STYLES = {"red": "1;97;41", "yellow": "1;30;103", "green": "1;30;42", "blue": "1;97;44"}
GUEST_STYLES = {None: "1", "clerk": "1;30;47", "citizen": "1;30;105", "lord": "1;93;45"}
STROKES = str.maketrans("/\\|", "╱╲│")
FLAT_STROKES = str.maketrans("'-.", "‾─_")
LINE, DISTRICT, BOBBY = "90", "1;36", "1;7"


class Canvas:
    """A page as a flat list of characters with their colours."""

    stride = COLUMNS + 1

    def __init__(self, fancy: bool) -> None:
        self.fancy = fancy
        self.signs = [*" " * COLUMNS, "\n"] * ROWS
        self.styles: dict[int, str] = {}

    def copy(self) -> "Canvas":
        """Return an independent canvas."""
        copied = Canvas.__new__(Canvas)
        copied.fancy, copied.signs, copied.styles = self.fancy, self.signs.copy(), self.styles.copy()
        return copied

    def stamp(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write a text onto the page."""
        at = y * self.stride + x
        self.signs[at : at + len(text)] = text
        if self.fancy:
            self.styles.update(dict.fromkeys(range(at, at + len(text)), style))

    def lines(self) -> list[str]:
        """Return the page as lines of text."""
        if self.fancy:
            return ["".join(self._runs(row * self.stride)).rstrip() for row in range(ROWS)]
        return [line.rstrip() for line in "".join(self.signs).splitlines()]

    def _runs(self, start: int) -> Iterator[str]:
        for style, cells in groupby(range(start, start + COLUMNS), key=lambda at: self.styles.get(at, "")):
            yield _dye("".join(self.signs[at] for at in cells), style)


def _dye(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if style else text


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that stand for the things of the game."""

    square: str
    stall: str
    scored: str
    mark: str
    decides: str


PLAIN = Glyphs(square="<<{}>>", stall="[{}{}]", scored="={}{}=", mark="{} x{}", decides=">")
FANCY = Glyphs(square="[ {} ]", stall=" {}{} ", scored=" {}{}✓", mark=" {}×{} ", decides="▶")


def draw(state: State, words: Words, *, fancy: bool = False) -> str:
    """Draw the board and below it who has what."""
    glyphs = FANCY if fancy else PLAIN
    canvas = _printed(state.board, fancy).copy()
    _put_guests(canvas, state, words, glyphs)
    _put_stalls(canvas, state, glyphs)
    _put_labels(canvas, state, glyphs)
    notes = [
        *_left_out(state, glyphs),
        *_letters(state.colours, words),
        "",
        *_players(state, words, glyphs),
        *_status(state, words),
        "",
        *_legend(words, glyphs, state.over),
    ]
    return "\n".join([*canvas.lines(), *notes]) + "\n"


@lru_cache(maxsize=256)
def _printed(board: Board, fancy: bool) -> Canvas:
    """Draw what is printed on the board: lanes, values and district numbers."""
    canvas, where = Canvas(fancy), page(board)
    for lane in where.lines:
        _put_lane(canvas, where, lane, board.lanes[lane])
    for number, box in where.districts.items():
        _put_label(canvas, box, 0, f"#{number}", DISTRICT)
    return canvas


def _put_lane(canvas: Canvas, where: TextLayout, lane: str, values: tuple[int, ...]) -> None:
    flat = lane in where.flat
    strokes = (FLAT_STROKES if flat else STROKES) if canvas.fancy else {}
    for (x, y), sign in where.lines[lane].items():
        canvas.stamp(x, y, sign.translate(strokes), LINE)
    for box, value in zip(where.spaces.get(lane, ()), values, strict=False):
        canvas.stamp(box.x, box.y, ("-" if flat else " ").translate(strokes), LINE)
        canvas.stamp(box.x + 1, box.y, f"({value})")


def _put_guests(canvas: Canvas, state: State, words: Words, glyphs: Glyphs) -> None:
    where = page(state.board)
    for letter, guest in state.squares.items():
        square, strip = where.squares[letter], where.guests[letter]
        name = _guest(words, guest)
        canvas.stamp(square.x, square.y, glyphs.square.format(letter), GUEST_STYLES[guest])
        canvas.stamp(strip.x + _indent(name, strip), strip.y, name, GUEST_STYLES[guest] if guest else LINE)


def _guest(words: Words, guest: str | None) -> str:
    name = words.translate(guest) if guest else words.say("board.free")
    return (name.upper() if guest else name)[:GUEST]


def _indent(text: str, strip: Box) -> int:
    room = strip.width - len(text)
    return {"<": 0, "^": room // 2, ">": room}[strip.align]


def _put_stalls(canvas: Canvas, state: State, glyphs: Glyphs) -> None:
    where = page(state.board)
    for lane, boxes in where.spaces.items():
        for box, seat, stall in zip(boxes, state.lanes[lane], _lane(state, lane, glyphs), strict=True):
            if seat is not None:
                canvas.stamp(box.x, box.y, stall, STALL_STYLES[state.colours[seat]])


def _lane(state: State, lane: str, glyphs: Glyphs) -> list[str]:
    """Write the spaces of a lane."""
    form = glyphs.scored if lane in state.scored else glyphs.stall
    return [
        f"({value})" if seat is None else form.format(LETTERS[state.colours[seat]], value)
        for seat, value in zip(state.lanes[lane], state.board.lanes[lane], strict=True)
    ]


def _put_labels(canvas: Canvas, state: State, glyphs: Glyphs) -> None:
    where = page(state.board)
    if state.bobby:
        _put_label(canvas, where.districts[state.bobby], 1, "BOBBY", BOBBY)
    for number, (seat, _) in state.marks.items():
        _put_label(canvas, where.districts[number], 2, _mark(state, number, glyphs), STALL_STYLES[state.colours[seat]])


def _put_label(canvas: Canvas, box: Box, part: int, text: str, style: str) -> None:
    spans = LABELS[box.width, box.height]
    if part < len(spans):
        x, y, width = spans[part]
        canvas.stamp(box.x + x + (width - len(text)) // 2, box.y + y, text, style)


def _mark(state: State, number: int, glyphs: Glyphs) -> str:
    seat, tile = state.marks[number]
    return glyphs.mark.format(LETTERS[state.colours[seat]], tile)


def _left_out(state: State, glyphs: Glyphs) -> Iterator[str]:
    """List what has no room on the map: lanes between close squares, Bobby and marks in tiny districts."""
    where = page(state.board)
    for lane in where.crowded:
        yield f"{lane}: {' '.join(_lane(state, lane, glyphs))}"
    for number in (number for number, box in where.districts.items() if (box.width, box.height) == TINY):
        if number == state.bobby:
            yield f"#{number}: BOBBY"
        if number in state.marks:
            yield f"#{number}: {_mark(state, number, glyphs).strip()}"


def _letters(colours: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """Explain below the map the letters of stalls that do not begin their colour's name in this language."""
    told = [f"{letter} {words.translate(colour)}" for colour, letter in words.unlike({each: LETTERS[each] for each in colours}).items()]
    return ("", *_fill(told, "   ")) if told else ()


def _players(state: State, words: Words, glyphs: Glyphs) -> Iterator[str]:
    """Draw a table of the players in seat order, each with the letter of their stalls."""
    names = [words.translate(colour) for colour in state.colours]
    rows = [["", *_heads(words)], *([name, *_possessions(state, seat)] for seat, name in enumerate(names))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for seat, row in enumerate(rows, -1):
        cells = (f"{cell:{'>' if cell.isdigit() and at < 3 else '<'}{widths[at]}}" for at, cell in enumerate(row))
        yield f"{_tag(state, seat, glyphs)}{'   '.join(cells)}".rstrip()


def _heads(words: Words) -> tuple[str, ...]:
    return tuple(words.say(f"board.{head}") for head in ("score", "stalls", "open", "closed"))


def _tag(state: State, seat: int, glyphs: Glyphs) -> str:
    if seat < 0:
        return " " * 5
    marker = glyphs.decides if seat in (state.winners or (state.decider,)) else " "
    colour = state.colours[seat]
    return marker + _dye(f" {LETTERS[colour]} ", STALL_STYLES[colour] if glyphs is FANCY else "") + " "


def _possessions(state: State, seat: int) -> Iterator[str]:
    yield str(state.scores[seat])
    yield str(state.stalls[seat])
    yield _tiles(state.tiles[seat], True)
    yield _tiles(state.tiles[seat], False)


def _tiles(tiles: Sequence[Tile], shown: bool) -> str:
    return " ".join(f"{'' if tile.own else 'n'}{tile.number}" for tile in tiles if tile.open is shown) or "-"


def _status(state: State, words: Words) -> Iterator[str]:
    yield from _fill([_now(state, words), *_in_hand(state, words)])
    yield from _fill([_waiting(state, words), words.say("board.neutral", tiles=" ".join(map(str, state.neutral)) or "-")])
    yield from chain.from_iterable(wrap(line, COLUMNS) for line in note(words, *unusual(state.edition, state.options)))


def _now(state: State, words: Words) -> str:
    """Say who must do what, or how the game ended."""
    if state.over:
        return words.say("board.winners", count=len(state.winners), who=[state.colours[seat] for seat in state.winners])
    who = state.colours[state.decider]
    if not state.turn:
        return words.say("board.placing", who=who)
    if not state.chosen:
        return words.say("board.choosing", who=who, turn=state.turn)
    return words.say("board.acting", who=who, turn=state.turn, tile=state.chosen, used=state.used)


def _in_hand(state: State, words: Words) -> Iterator[str]:
    if state.hand:
        yield words.say("board.hand", kind=state.hand)


def _waiting(state: State, words: Words) -> str:
    lord = [] if LORD in state.squares.values() else [LORD]
    if state.options.customers == CustomerSupply.QUEUE:
        return words.say("board.queue", kinds=[kind for kind in state.queue if kind != LORD] + lord)
    bag = [f"{count} × {words.translate(kind)}" for kind, count in state.bag.items() if count]
    return words.say("board.bag", customers=bag) + (" " + words.say("board.aside", kind=LORD) if lord else "")


def _legend(words: Words, glyphs: Glyphs, over: bool) -> tuple[str, ...]:
    signs = {
        "square": glyphs.square.format("A"),
        "space": "(2)",
        "stall": glyphs.stall.format("R", 2),
        "scored": glyphs.scored.format("R", 2),
        "district": "#4",
        "mark": glyphs.mark.format("R", 4),
        "won" if over else "decides": glyphs.decides,
        "neutral-tile": "n3",
    }
    return tuple(_fill([f"{sign.strip()} {words.say(f'board.legend-{key}')}" for key, sign in signs.items()], "   "))


def _fill(parts: list[str], gap: str = "  ") -> Iterator[str]:
    """Put parts side by side as far as they fit; only a part longer than a line is broken."""
    line = ""
    for part in chain.from_iterable(wrap(part, COLUMNS) if len(part) > COLUMNS else [part] for part in parts):
        if line and len(line + gap + part) > COLUMNS:
            yield line
            line = ""
        line += gap * bool(line) + part
    yield line
