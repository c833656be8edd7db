"""Computes where things stand on the page. The result depends on the board alone and is computed once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from math import hypot

from marketpost.rules.portobello.board import Board

Cell = tuple[int, int]
Place = tuple[float, float]
Span = tuple[int, int, int]

COLUMNS, ROWS = 80, 34
SQUARE, SPACE, GUEST = 5, 4, 8
"""How wide things are drawn: `<<A>>`, `[R2]`, and the longest customer of the four languages."""
LABELS: dict[tuple[int, int], tuple[Span, ...]] = {
    (5, 3): ((0, 1, 5), (0, 0, 5), (0, 2, 5)),
    (8, 2): ((0, 0, 3), (0, 1, 8), (3, 0, 5)),
    (14, 1): ((0, 0, 3), (3, 0, 6), (9, 0, 5)),
    (3, 1): ((0, 0, 3),),
}
"""Shapes of a district's label, and in each the place of its number, the Bobby and the mark: column, row, width.
The last is for districts too small for more than their number."""
TINY = (3, 1)
STEPS, NEAREST = 80, 24
"""At so many points of a lane a space may stand, and so many of them are tried for each."""
STEP = 0.7
"""The least way in rows from one space to the next, so that their order is seen."""
ON_LINE = ((0, 0),)
NEAR_LINE = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
BESIDE_LINE = (*NEAR_LINE, (-2, 0), (2, 0), (-1, -1), (1, 1), (1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the page that belongs to one thing."""

    x: int
    y: int
    width: int
    height: int = 1
    align: str = "^"

    def cells(self, margin: int = 0) -> frozenset[Cell]:
        """List the cells of the rectangle."""
        return _patch(self.x - margin, self.y, self.width + 2 * margin, self.height)

    def on_page(self) -> bool:
        """Whether the rectangle lies on the page."""
        return self.x >= 0 and self.x + self.width <= COLUMNS and self.y >= 0 and self.y + self.height <= ROWS


@lru_cache(maxsize=4096)
def _patch(x: int, y: int, width: int, height: int) -> frozenset[Cell]:
    return frozenset(product(range(x, x + width), range(y, y + height)))


def _cells(boxes: Iterable[Box]) -> set[Cell]:
    return set(chain.from_iterable(box.cells() for box in boxes))


@dataclass(frozen=True, slots=True, eq=False)
class TextLayout:
    """The positions of everything on the page."""

    squares: dict[str, Box]
    guests: dict[str, Box]
    spaces: dict[str, tuple[Box, ...]]
    districts: dict[int, Box]
    lines: dict[str, dict[Cell, str]]
    flat: frozenset[str]
    """Lanes that run along a row, where an empty space lets the line through."""

    @property
    def crowded(self) -> tuple[str, ...]:
        """List the lanes without room for their spaces on the map; they are listed below it."""
        return tuple(lane for lane in self.lines if lane not in self.spaces)


@lru_cache(maxsize=256)
def page(board: Board) -> TextLayout:
    """Compute the page of a board."""
    squares = _squares(board)
    ends = {lane: (_centre(squares[lane[0]]), _centre(squares[lane[1]])) for lane in board.lanes}
    lines = {lane: _line(*both) for lane, both in ends.items()}
    guests = _guests(squares, lines)
    taken = _cells(squares.values()) | _cells(guests.values())
    spaces = _spaces(board, ends, lines, taken)
    taken |= _cells(chain.from_iterable(spaces.values()))
    districts = _districts(board, squares, taken, set(chain.from_iterable(lines.values())))
    taken |= _cells(districts.values())
    return TextLayout(
        squares,
        guests,
        spaces,
        districts,
        {lane: {cell: sign for cell, sign in line.items() if cell not in taken} for lane, line in lines.items()},
        frozenset(lane for lane, ((x, y), (to_x, to_y)) in ends.items() if abs(to_x - x) > 5 * abs(to_y - y)),
    )


def _squares(board: Board) -> dict[str, Box]:
    """Stretch the squares over the whole page and move them apart where needed."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*board.squares.values(), strict=True))
    boxes: dict[str, Box] = {}
    taken: set[Cell] = set()
    for letter, (x, y) in board.squares.items():
        column = 3 + (x - left) * (COLUMNS - 7) / (right - left)
        row = 1 + (y - top) * (ROWS - 3) / (bottom - top)
        boxes[letter] = _nearest(Box(round(column) - SQUARE // 2, round(row), SQUARE), taken)
        taken |= _patch(boxes[letter].x - 2, boxes[letter].y - 1, SQUARE + 4, 3)
    return boxes


def _centre(box: Box) -> Place:
    return box.x + box.width / 2, box.y + box.height / 2


def _nearest(wanted: Box, taken: set[Cell]) -> Box:
    """Find the free place nearest to the preferred one."""
    if wanted.on_page() and not wanted.cells() & taken:
        return wanted
    room = product(range(COLUMNS - wanted.width + 1), range(ROWS - wanted.height + 1))
    boxes = (Box(x, y, wanted.width, wanted.height) for x, y in room)
    return min((box for box in boxes if not box.cells() & taken), key=lambda box: hypot((box.x - wanted.x) / 2, box.y - wanted.y))


def _line(start: Place, end: Place) -> dict[Cell, str]:
    """Draw a straight line in characters: one a row where it is steep, one a column where it is flat."""
    if abs(end[0] - start[0]) > 1.3 * abs(end[1] - start[1]):
        return dict(_flat(*sorted((start, end))))
    return dict(_steep(*sorted((start, end), key=lambda place: place[1])))


def _steep(top: Place, bottom: Place) -> Iterator[tuple[Cell, str]]:
    slope = (bottom[0] - top[0]) / (bottom[1] - top[1])
    leaning = "\\" if slope > 0 else "/"
    for row in range(int(top[1]), int(bottom[1]) + 1):
        here, below = (int(top[0] + slope * (middle - top[1])) for middle in (row + 0.5, row + 1.5))
        yield (here, row), leaning if here != below or abs(slope) > 0.6 else "|"


def _flat(left: Place, right: Place) -> Iterator[tuple[Cell, str]]:
    slope = (right[1] - left[1]) / (right[0] - left[0])
    for column in range(int(left[0]), int(right[0]) + 1):
        height = left[1] + slope * (column + 0.5 - left[0])
        yield (column, int(height)), "'-."[int(height % 1 * 3)]


def _guests(squares: dict[str, Box], lines: dict[str, dict[Cell, str]]) -> dict[str, Box]:
    """Choose beside each square a strip for its customer that hides least of the lanes."""
    taken = _cells(squares.values())
    streets = set(chain.from_iterable(lines.values()))
    guests: dict[str, Box] = {}
    for letter, square in squares.items():
        free = [(cost, box) for cost, box in _beside(square) if box.on_page() and not box.cells(1) & taken - square.cells()]
        best = min(free, key=lambda found: found[0] + 2 * len(found[1].cells() & streets), default=None)
        guests[letter] = best[1] if best else _nearest(Box(square.x - 2, square.y + 1, GUEST), taken)
        taken |= guests[letter].cells()
    return guests


def _beside(square: Box) -> Iterator[tuple[float, Box]]:
    middle = square.x + (SQUARE - GUEST) // 2
    for shift in range(-3, 5):
        cost = abs(shift - 0.5)
        yield cost, Box(middle + shift, square.y + 1, GUEST)
        yield cost + 0.5, Box(middle + shift, square.y - 1, GUEST)
    yield 3, Box(square.x + SQUARE + 1, square.y, GUEST, align="<")
    yield 3, Box(square.x - GUEST - 1, square.y, GUEST, align=">")


Stop = tuple[float, Box, float]
"""Where a space may stand: how far along its lane, in rows, and how bad that would be."""
Row = tuple[Box, ...]
Way = tuple[float, float, Row]
"""A choice of stops: what it costs, how far along the lane it has come, and its boxes."""


def _spaces(board: Board, ends: dict[str, tuple[Place, Place]], lines: dict[str, dict[Cell, str]], taken: set[Cell]) -> dict[str, Row]:
    """Place the spaces of each lane evenly along it; lanes without enough room are left out."""
    room = {lane: _length(*ends[lane]) / len(values) for lane, values in board.lanes.items()}
    spaces: dict[str, Row] = {}
    # The narrowest lanes choose first; a second and third round lets each make use of what the others have left.
    for lane in sorted(room, key=room.__getitem__) * 3:
        before = spaces.pop(lane, ())
        others = taken | _cells(chain.from_iterable(spaces.values()))
        streets = set(chain.from_iterable(line for other, line in lines.items() if other != lane))
        if row := _first_row(*ends[lane], len(board.lanes[lane]), others, streets) or before:
            spaces[lane] = row
    return spaces


def _first_row(start: Place, end: Place, count: int, taken: set[Cell], streets: set[Cell]) -> Row:
    """Place spaces on the line with gaps, else closer together, else beside the line."""
    for shifts, gap in ((ON_LINE, 1), (ON_LINE, 0), (NEAR_LINE, 1), (BESIDE_LINE, 0)):
        stops = list(_stops(start, end, shifts, taken, streets))
        if stops and (row := _even_row(stops, count, gap)):
            return row
    return ()


def _stops(start: Place, end: Place, shifts: tuple[Cell, ...], taken: set[Cell], streets: set[Cell]) -> Iterator[Stop]:
    seen: set[Box] = set()
    for (across, down), step in product(shifts, range(STEPS + 1)):
        x, y = (a + step / STEPS * (b - a) for a, b in zip(start, end, strict=True))
        box = Box(round(x - SPACE / 2) + across, int(y) + down, SPACE)
        if box in seen or not box.on_page() or box.cells() & taken:
            continue
        seen.add(box)
        cost = abs(across) + 2 * abs(down) + len(box.cells(1) & taken) + 0.4 * len(box.cells() & streets)
        yield _along(start, end, _centre(box)), box, cost


def _length(start: Place, end: Place) -> float:
    """Compute a length in rows; a column is half as wide as a row is high."""
    return hypot((end[0] - start[0]) / 2, end[1] - start[1])


def _along(start: Place, end: Place, place: Place) -> float:
    """Compute how far a place is along the way from start to end."""
    across, down = (place[0] - start[0]) / 2 * (end[0] - start[0]) / 2, (place[1] - start[1]) * (end[1] - start[1])
    return (across + down) / _length(start, end)


def _even_row(stops: list[Stop], count: int, gap: int) -> Row:
    """Choose the most even stops, in order and apart from each other; none if there is no such choice."""
    first, last = min(stops, key=_far)[0], max(stops, key=_far)[0]
    ways: list[Way] = [(0.0, first - 1, ())]
    for number in range(count):
        ideal = first + (last - first) * (number + 0.5) / count
        near = sorted(stops, key=lambda stop: abs(stop[0] - ideal))[:NEAREST]
        ways = [way for far, box, cost in near if (way := _cheapest(ways, (far, box, cost + (far - ideal) ** 2), gap))]
    return min(ways, key=lambda way: way[0])[2] if ways else ()


def _far(stop: Stop) -> float:
    return stop[0]


def _cheapest(ways: list[Way], stop: Stop, gap: int) -> Way | None:
    """Find the best way to continue to this stop."""
    far, box, cost = stop
    apart = [way for way in ways if way[1] + STEP < far and not any(box.cells(gap) & before.cells() for before in way[2])]
    if not apart:
        return None
    so_far, _, row = min(apart, key=lambda way: way[0])
    return so_far + cost, far, (*row, box)


def _districts(board: Board, squares: dict[str, Box], taken: set[Cell], streets: set[Cell]) -> dict[int, Box]:
    """Place each district's label in the middle of the room between its lanes."""
    room = _room(taken | streets)
    labels: dict[int, Box] = {}
    for number, lanes in board.districts.items():
        corners = [_centre(squares[letter]) for letter in sorted(set("".join(lanes)))]
        labels[number] = _label(corners, room, taken | _cells(labels.values()))
    return labels


def _label(corners: list[Place], room: dict[Cell, int], taken: set[Cell]) -> Box:
    x, y = (sum(axis) / 3 for axis in zip(*corners, strict=True))
    for width, height in LABELS:
        inside = [box for box in _boxes_inside(corners, width, height) if not box.cells() & taken and _clearance(box, room) > 0]
        if inside:
            return max(inside, key=lambda box: (min(_clearance(box, room), 4), -hypot((_centre(box)[0] - x) / 2, _centre(box)[1] - y)))
    return _nearest(Box(round(x - TINY[0] / 2), int(y), *TINY), taken)


def _boxes_inside(corners: list[Place], width: int, height: int) -> Iterator[Box]:
    (left, right), (top, bottom) = ((int(min(axis)), int(max(axis))) for axis in zip(*corners, strict=True))
    for x, y in product(range(left, right - width + 2), range(top, bottom - height + 2)):
        box = Box(x, y, width, height)
        if all(_inside(corner, corners) for corner in product((x, x + width), (y, y + height))):
            yield box


def _inside(place: Place, corners: list[Place]) -> bool:
    a, b, c = corners
    turns = [(q[0] - p[0]) * (place[1] - p[1]) - (q[1] - p[1]) * (place[0] - p[0]) for p, q in ((a, b), (b, c), (c, a))]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


def _clearance(box: Box, room: dict[Cell, int]) -> int:
    return min(room[cell] for cell in box.cells())


def _room(taken: set[Cell]) -> dict[Cell, int]:
    """Compute how far every cell is from anything drawn, in columns; a row counts two."""
    room = {(x, y): 0 if (x, y) in taken else 99 for y in range(ROWS) for x in range(COLUMNS)}
    forward = list(room)
    for cells, sign in ((forward, -1), (forward[::-1], 1)):
        for x, y in cells:
            near = ((x + sign, y, 1), (x, y + sign, 2), (x + sign, y + sign, 2), (x - sign, y + sign, 2))
            room[x, y] = min(room[x, y], *(room.get((a, b), 99) + far for a, b, far in near))
    return room
