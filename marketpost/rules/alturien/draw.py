"""Draws the board as text: plain signs for mail, arrows and colours (`fancy`) for terminals."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap

from marketpost.rules.alturien.board import Board
from marketpost.rules.alturien.linear import now
from marketpost.rules.alturien.options import unusual
from marketpost.rules.alturien.state import NOBODY, State
from marketpost.rules.variant import note
from marketpost.rules.words import Words

COLUMNS = 80
CELL = 6
MARGIN = 2
GRID_NAME = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
LETTERS = {"yellow": "Y", "green": "G", "blue": "B", "orange": "O", "fuchsia": "F", "black": "K"}
STYLES = {"yellow": "30;103", "green": "30;42", "blue": "97;44", "orange": "30;48;5;208", "fuchsia": "97;45", "black": "97;40"}
FIGURE_STYLE = "1;7"
ALIGNMENTS = "<>>><"
KINDS = {"duke": "D", "marquis": "M", "count": "C", "thief": "T"}
Place = tuple[int, int]
"""Column and row."""
EAST, WEST, SOUTH, NORTH = (1, 0), (-1, 0), (0, 1), (0, -1)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that stand for the things of the game."""

    arrows: dict[Place, str]
    across: str
    down: str
    free: str
    fancy: bool

    def dye(self, text: str, style: str) -> str:
        """Colour a text as its owner's, where colours are shown."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.fancy and style else text


PLAIN = Glyphs({EAST: ">", WEST: "<", SOUTH: "v", NORTH: "^"}, "-", "|", ".", fancy=False)
FANCY = Glyphs({EAST: "→", WEST: "←", SOUTH: "↓", NORTH: "↑"}, "─", "│", "·", fancy=True)


def draw(state: State, words: Words, *, fancy: bool = False) -> str:
    """Draw the board and below it who has what."""
    glyphs = FANCY if fancy else PLAIN
    places = grid(state.board)
    board = _draw_grid(state, places, glyphs) if places else _list_streets(state, words, glyphs)
    letters = _letters(state.board, state.colours, words)
    parts = [board, letters, _players(state, words, glyphs), _status(state, words), _legend(state.board, words, fancy, state.over)]
    return "\n\n".join("\n".join(line.rstrip() for line in part).rstrip() for part in parts) + "\n"


@lru_cache(maxsize=256)
def grid(board: Board) -> dict[str, Place]:
    """Compute the row and column of each space; nothing for a board that is no grid or too wide for the page."""
    names = {space: GRID_NAME.fullmatch(space) for space in board.neighbours}
    places = {space: (ord(found.group(1)) - ord("a"), int(found.group(2))) for space, found in names.items() if found}
    if len(places) < len(names) or not all(_adjoin(places[one], places[other]) for one, near in board.neighbours.items() for other in near):
        return {}
    first = min(column for column, _ in places.values())
    places = {space: (column - first, row) for space, (column, row) in places.items()}
    return places if MARGIN + CELL * (1 + max(column for column, _ in places.values())) <= COLUMNS else {}


def _adjoin(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _draw_grid(state: State, places: dict[str, Place], glyphs: Glyphs) -> list[str]:
    """Draw the streets with shops and figures on them."""
    lines = [line.copy() for line in _streets(state.board, glyphs.fancy)]
    first = min(row for _, row in places.values())
    for site in state.owners:
        column, row = places[site]
        lines[1 + 2 * (row - first)][1 + column] = _site_cell(state, site, glyphs)
    for space in state.spaces:
        column, row = places[space]
        lines[2 + 2 * (row - first)][1 + column] = _figure_cell(state, space, places, glyphs)
    return ["".join(line) for line in lines]


def _streets(board: Board, fancy: bool) -> list[list[str]]:
    """Draw the cells of each line without shops and figures."""
    glyphs, nobody, places = FANCY if fancy else PLAIN, State(board=board), grid(board)
    at = {place: space for space, place in places.items()}
    columns = range(max(column for column, _ in at) + 1)
    names = {column: space[0] for space, (column, _) in places.items()}
    lines = [[" " * MARGIN, *(names.get(column, "").center(CELL) for column in columns)]]
    for row in range(min(row for _, row in at), max(row for _, row in at) + 1):
        lines.append([f"{row:>{MARGIN}}", *(_site_cell(nobody, at.get((column, row)), glyphs) for column in columns)])
        lines.append([" " * MARGIN, *(_figure_cell(nobody, at.get((column, row)), places, glyphs) for column in columns)])
    return lines


def _site_cell(state: State, space: str | None, glyphs: Glyphs) -> str:
    """`-cY2--`: a cloth shop of yellow with two houses, on a street that goes both ways; `[cY2]` if it is grey, `(cY2)` in the middle."""
    if space is None:
        return " " * CELL
    ways = _ways(state.board, space)
    left, right = (glyphs.across if way in ways else " " for way in (WEST, EAST))
    if space in state.board.grey:
        return f"[{_site(state, space, glyphs)}]{right}"
    if is_site_in_the_middle(state.board, space):
        return f"({_site(state, space, glyphs)}){right}"
    return f"{left}{_site(state, space, glyphs)}{right}{right}"


def is_site_in_the_middle(board: Board, space: str) -> bool:
    """Whether the middle space of this board is a site, as on maps typed in by hand."""
    return space == board.middle and space in board.group_of


def _ways(board: Board, space: str) -> set[Place]:
    """Compute in which directions streets leave a space."""
    places = grid(board)
    return {_direction(places[space], places[near]) for near in board.neighbours[space]}


def _direction(start: Place, end: Place) -> Place:
    return end[0] - start[0], end[1] - start[1]


def _site(state: State, space: str, glyphs: Glyphs) -> str:
    if space not in state.board.group_of:
        return "(+)"
    group = group_letters(state.board)[state.board.group_of[space]]
    if space not in state.owners:
        return f"{group}{glyphs.free}{glyphs.free}"
    colour = state.colours[state.owners[space]]
    return glyphs.dye(f"{group}{LETTERS[colour]}{state.houses[space]}", STYLES[colour])


def group_letters(board: Board) -> dict[str, str]:
    """Choose a small letter for each product group, from its name where possible."""
    letters: dict[str, str] = {}
    for group in board.groups:
        tried = [*group.lower(), *"abcdefghijklmnopqrstuvwxyz"]
        letters[group] = next(letter for letter in tried if letter.isascii() and letter.isalpha() and letter not in letters.values())
    return letters


def _figure_cell(state: State, space: str | None, places: dict[str, Place], glyphs: Glyphs) -> str:
    """Draw the figures below a space, or the street that goes down from it."""
    if space is None:
        return " " * CELL
    if space in state.spaces:
        figures = [_figure(state, figure, places, glyphs) for figure, at in enumerate(state.spaces) if at == space]
        return " " + "".join(glyphs.dye(figure, FIGURE_STYLE) for figure in figures) + " " * (CELL - 1 - 2 * len(figures))
    return (glyphs.down if SOUTH in _ways(state.board, space) else " ").center(CELL - 1) + " "


def _figure(state: State, figure: int, places: dict[str, Place], glyphs: Glyphs) -> str:
    kind, facing = KINDS[state.kinds[figure]], state.facings[figure]
    if not facing:
        return f"{kind}?"
    return kind + glyphs.arrows[_direction(places[state.spaces[figure]], places[facing])]


def _list_streets(state: State, words: Words, glyphs: Glyphs) -> list[str]:
    lines: list[str] = []
    for number, street in enumerate(state.board.document["streets"], 1):
        spaces = ", ".join(_listed(state, space, glyphs) for space in street.split())
        lines += _fill(f"{words.say('board.street')} {number}: {spaces}", glyphs)
    return lines


def _listed(state: State, space: str, glyphs: Glyphs) -> str:
    """`[p1 cY2 D>q1]`: name, shop and figures of a space."""
    figures = [
        glyphs.dye(f"{KINDS[kind]}>{facing or '?'}", FIGURE_STYLE)
        for kind, at, facing in zip(state.kinds, state.spaces, state.facings, strict=True)
        if at == space
    ]
    text = " ".join([space, _site(state, space, glyphs), *figures])
    if is_site_in_the_middle(state.board, space):
        return f"({text})"
    return f"[{text}]" if space in state.board.grey else text


def _fill(text: str, glyphs: Glyphs) -> list[str]:
    return [text] if glyphs.fancy else wrap(text, COLUMNS, subsequent_indent="  ")


def _players(state: State, words: Words, glyphs: Glyphs) -> list[str]:
    """Draw who has what as a table."""
    heads = ["", *(words.say(f"board.{name}") for name in ("money", "prestige", "stock", "cards"))]
    rows = [_player(state, words, seat) for seat in range(len(state.colours))]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    signs = [_sign(state, seat) for seat in range(len(state.colours))]
    lines = ["     " + _table_row(heads, widths)]
    for sign, colour, row in zip(signs, state.colours, rows, strict=True):
        lines.append(f"{sign} {glyphs.dye(LETTERS[colour], STYLES[colour])}  {_table_row(row, widths)}")
    return lines


def _sign(state: State, seat: int) -> str:
    chosen = state.winners if state.over else (state.decider,)
    return ">" if seat in chosen else " "


def _player(state: State, words: Words, seat: int) -> list[str]:
    cards = words.translate(state.cards[seat]) if state.cards[seat] else "-"
    return [words.translate(state.colours[seat]), *map(str, (state.money[seat], state.prestige[seat], state.stock[seat])), cards]


def _table_row(cells: list[str], widths: list[int]) -> str:
    """Align names and cards to the left, numbers to the right."""
    fitted = zip(ALIGNMENTS, cells, widths, strict=True)
    return "   ".join(f"{cell:{alignment}{width}}" for alignment, cell, width in fitted)


def _status(state: State, words: Words) -> list[str]:
    cards = [f"{words.translate(group)} {_holder(state, words, group)}" for group in state.board.groups]
    sentences = [now(state, words), *([words.say("now.last-round")] if state.last_round and not state.over else [])]
    if state.guard != NOBODY:
        sentences.append(words.say("now.guard", who=state.colours[state.guard]))
    if not state.thief_is_out:
        sentences.append(words.say("now.harbour"))
    held = wrap(words.say("board.supremacy", cards=cards), COLUMNS, subsequent_indent="  ")
    variant = [line for told in note(words, "", unusual(state.options)) for line in wrap(told, COLUMNS)]
    return [*wrap(" ".join(sentences), COLUMNS), *held, *variant]


def _holder(state: State, words: Words, group: str) -> str:
    return words.translate(state.colours[state.supremacy[group]]) if group in state.supremacy else "-"


def _letters(board: Board, colours: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """Explain below the streets the letters that do not begin the word they stand for in this language."""
    letters = group_letters(board) | KINDS | words.unlike({colour: LETTERS[colour] for colour in colours})
    return tuple(_rows_of(f"{letter} {words.translate(thing)}" for thing, letter in letters.items()))


def _legend(board: Board, words: Words, fancy: bool, over: bool) -> tuple[str, ...]:
    glyphs, drawn, letters = FANCY if fancy else PLAIN, bool(grid(board)), group_letters(board)
    first = next(iter(letters.values()))
    arrow = glyphs.arrows[EAST] if drawn else ">b1"
    signs = [
        f"{first}Y2 {words.say('board.shop')}",
        f"{first}{glyphs.free * 2} {words.say('board.free')}",
        f"[ ] {words.say('board.grey')}",
    ]
    middle = "( )" if is_site_in_the_middle(board, board.middle) else "(+)"
    signs += [f"{middle} {words.say('board.middle')}", *([f"D{arrow} {words.say('board.looks')}"] if drawn else [])]
    signs.append(f"> {words.say('board.won' if over else 'board.decides')}")
    return tuple(_rows_of(signs))


def _rows_of(signs: Iterable[str]) -> Iterator[str]:
    """Wrap signs to the width of the page without breaking one."""
    line = ""
    for sign in signs:
        if line and len(line) + 3 + len(sign) > COLUMNS:
            yield line
            line = ""
        line += ("   " if line else "") + sign
    yield line
