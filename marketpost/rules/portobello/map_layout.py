"""Computes where things stand on the picture. The result depends on the board alone and is computed once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import acos, ceil, cos, dist, hypot, pi, sin

from marketpost.rules.portobello.board import Board
from marketpost.rules.svg import WIDTH, Point

HEIGHT = 720
EDGE = 42
SQUARE = 33
"""The radius of a square."""
STALL, LEAST_STALL = 42, 20
LEAST_PITCH = 45
"""Below this distance between the spaces of a lane, a layout counts as crowded."""
ROOM = 66
"""Below this distance between its middle and its lanes, a district counts as crowded."""
ROAD = 50
"""How broad a lane is to the finger."""
HOPS = (26.0, 13.0, 6.0)
ROUNDS = 14
LOYALTY = 0.002
"""What it costs a square to leave its place, against what room is worth."""
DIRECTIONS = tuple((cos(turn * pi / 4), sin(turn * pi / 4)) for turn in range(8))
LABELS: dict[int, dict[str, Point]] = {
    1: {"stack": (52, 84), "row": (88, 54)},
    2: {"stack": (98, 84), "row": (138, 54), "column": (52, 134)},
}
"""Forms of a district's label for so many things that stand or lie in it: its number above them or beside them, or all in a column."""
SCALES = (1.15, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
GRID = 8
KERB = 15
"""Half of a lane as it is drawn."""

Places = dict[str, Point]
Rows = dict[str, tuple[Point, ...]]
Obstacle = tuple[float, float, float]
"""Its middle, and how far it reaches up, down and to both sides."""
Side = tuple[float, float, float]
"""A lane as a line: the direction that leads away from it into the district, and how far the origin is from it."""


@dataclass(frozen=True, slots=True)
class Label:
    """The free room of a district for its number, the Bobby and a tile: size and form."""

    middle: Point
    scale: float
    form: str


@dataclass(frozen=True, slots=True, eq=False)
class MapLayout:
    """The positions of everything on the picture of a board."""

    squares: Places
    spaces: Rows
    stall: float
    districts: dict[int, tuple[Label, Label]]
    """Each one's label for one thing in it, and for two."""


@lru_cache(maxsize=256)
def plan(board: Board) -> MapLayout:
    """Compute the layout of a board."""
    squares = _improved(board, _stretched(board))
    spaces, stall = _largest(board, squares)
    return MapLayout(squares, spaces, stall, _labels(board, squares, spaces, stall))


def _largest(board: Board, squares: Places) -> tuple[Rows, float]:
    """Choose the largest stalls that do not overlap."""
    for stall in range(STALL, LEAST_STALL, -1):
        spaces = {lane: tuple(_row(board, squares, lane, stall)) for lane in board.lanes}
        if not _crowded(squares, spaces, stall):
            return spaces, stall
    return {lane: tuple(_row(board, squares, lane, LEAST_STALL)) for lane in board.lanes}, LEAST_STALL


def _crowded(squares: Places, spaces: Rows, stall: float) -> bool:
    rows = sorted(space for row in spaces.values() for space in row)
    near_square = any(dist(square, space) < SQUARE + stall / 2 for square in squares.values() for space in rows)
    return near_square or any(abs(x - a) < stall + 1 and abs(y - b) < stall + 1 for (x, y), (a, b) in combinations(rows, 2))


def _stretched(board: Board) -> Places:
    """Stretch the squares over the whole picture, as the board places them."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*board.squares.values(), strict=True))
    across, down = (WIDTH - 2 * EDGE) / (right - left), (HEIGHT - 2 * EDGE) / (bottom - top)
    return {letter: (EDGE + (x - left) * across, EDGE + (y - top) * down) for letter, (x, y) in board.squares.items()}


def _improved(board: Board, wanted: Places) -> Places:
    """Move each square in turn to where its lanes have more room, in ever smaller steps."""
    places = dict(wanted)
    for hop, _ in product(HOPS, range(ROUNDS)):
        before = dict(places)
        for letter in places:
            places[letter] = _best(board, places, wanted, letter, hop)
        if places == before and hop == HOPS[-1]:
            break
    return places


def _best(board: Board, places: Places, wanted: Places, letter: str, hop: float) -> Point:
    here = places[letter]
    best, found = _strain(board, places, wanted, letter), here
    for x, y in DIRECTIONS:
        there = here[0] + hop * x, here[1] + hop * y
        if not (EDGE <= there[0] <= WIDTH - EDGE and EDGE <= there[1] <= HEIGHT - EDGE):
            continue
        moved = {**places, letter: there}
        if (strain := _strain(board, moved, wanted, letter)) < best and not _tangled(board, places, moved, letter):
            best, found = strain, there
    return found


def _strain(board: Board, places: Places, wanted: Places, letter: str) -> float:
    """Measure how much room the lanes and districts around a square lack."""
    total = LOYALTY * dist(places[letter], wanted[letter]) ** 2
    for lane in _around(board, letter):
        total += max(0, LEAST_PITCH - _pitch(board, places, lane)) ** 3
    for lanes in board.districts.values():
        if letter in "".join(lanes):
            total += max(0, ROOM - _radius(places, lanes)) ** 3 / 4
    return total


def _radius(places: Places, lanes: tuple[str, ...]) -> float:
    """Compute the radius of the circle that fits into a district."""
    return abs(_area(places, lanes)) / sum(dist(places[lane[0]], places[lane[1]]) for lane in lanes)


def _around(board: Board, letter: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lane for lanes in board.districts.values() if letter in "".join(lanes) for lane in lanes))


def _pitch(board: Board, places: Places, lane: str) -> float:
    """Compute the room for each space of a lane between ends that keep clear of neighbouring lanes."""
    (a, b), (c, d) = places[lane[0]], places[lane[1]]
    length = hypot(c - a, d - b)
    free = length - sum(_clear(board, places, lane, end) for end in lane)
    # Stalls stand upright, so that side by side they need more of a lane that runs aslant.
    return free * max(abs(c - a), abs(d - b)) / length / len(board.lanes[lane])


def _clear(board: Board, places: Places, lane: str, end: str) -> float:
    """Compute how far from its end square a lane is free of its neighbours' stalls."""
    narrow = min(_angle(places, end, lane.replace(end, ""), other) for other in _beside(board, lane, end))
    return max(SQUARE + 3, STALL * 0.92 / (2 * sin(narrow / 2)) - STALL / 2) if narrow > 0.1 else WIDTH


def _beside(board: Board, lane: str, end: str) -> tuple[str, ...]:
    """List the other squares of the districts on either side of a lane."""
    return tuple(letter for number in board.borders[lane] for letter in sorted(set("".join(board.districts[number])) - set(lane)))


def _angle(places: Places, apex: str, one: str, other: str) -> float:
    (x, y), (a, b), (c, d) = places[apex], places[one], places[other]
    lengths = hypot(a - x, b - y) * hypot(c - x, d - y)
    return acos(max(-1, min(1, ((a - x) * (c - x) + (b - y) * (d - y)) / lengths))) if lengths else 0


def _tangled(board: Board, before: Places, after: Places, letter: str) -> bool:
    """Whether a step turns a district inside out, lets lanes cross, or brings a square too close to a lane."""
    turned = any(_area(before, lanes) * _area(after, lanes) <= 0 for lanes in board.districts.values() if letter in "".join(lanes))
    others = ((lane, other) for lane in board.lanes for other in after if other not in lane and letter in (*lane, other))
    return turned or any(_near(after, lane, other) < min(SQUARE + ROAD / 2, _near(before, lane, other)) for lane, other in others)


def _area(places: Places, lanes: tuple[str, ...]) -> float:
    (a, b), (c, d), (e, f) = (places[letter] for letter in sorted(set("".join(lanes))))
    return (c - a) * (f - b) - (e - a) * (d - b)


def _near(places: Places, lane: str, other: str) -> float:
    """Compute the distance from a square to the nearest point of a lane."""
    (x, y), (a, b), (c, d) = places[other], places[lane[0]], places[lane[1]]
    length = (c - a) ** 2 + (d - b) ** 2
    along = max(0, min(1, ((x - a) * (c - a) + (y - b) * (d - b)) / length)) if length else 0
    return hypot(x - a - along * (c - a), y - b - along * (d - b))


def _row(board: Board, places: Places, lane: str, stall: float) -> Iterator[Point]:
    """Place the spaces of a lane side by side in the middle of its free part."""
    start, end = places[lane[0]], places[lane[1]]
    length, count = dist(start, end), len(board.lanes[lane])
    first, last = (_clear(board, places, lane, each) for each in lane)
    aslant = length / max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    pitch = (stall + 2) * aslant
    if first + last > length - count * pitch:
        # The lanes beside it may have few stalls: then it is enough to keep clear of the squares.
        first = last = SQUARE + 1
    pitch = max(pitch, min((length - first - last) / count, pitch + 4))
    begin = first + (length - first - last - pitch * count) / 2
    for number in range(count):
        along = (begin + pitch * (number + 0.5)) / length
        yield start[0] + along * (end[0] - start[0]), start[1] + along * (end[1] - start[1])


def _labels(board: Board, squares: Places, spaces: Rows, stall: float) -> dict[int, tuple[Label, Label]]:
    blocked: list[Obstacle] = [(x, y, SQUARE + 7) for x, y in squares.values()]
    blocked += [(x, y, stall / 2 + 4) for row in spaces.values() for x, y in row]
    return {
        number: (_label(squares, lanes, blocked, LABELS[1]), _label(squares, lanes, blocked, LABELS[2]))
        for number, lanes in board.districts.items()
    }


def _label(squares: Places, lanes: tuple[str, ...], blocked: list[Obstacle], forms: dict[str, Point]) -> Label:
    """Find the largest free room between the lanes, nearest to the middle."""
    corners = [squares[letter] for letter in sorted(set("".join(lanes)))]
    middle = _middle(corners)
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*corners, strict=True))
    spots = [(x, y) for x in range(ceil(left), int(right), GRID) for y in range(ceil(top), int(bottom), GRID)]
    spots.sort(key=lambda spot: dist(spot, middle))
    sides = list(_sides(corners, middle))
    for scale, (form, (width, height)) in product(SCALES, forms.items()):
        half = width * scale / 2, height * scale / 2
        for spot in spots:
            if _fits(spot, half, sides, blocked):
                return Label(spot, scale, form)
    return Label(middle, SCALES[-1], "stack")


def _middle(corners: list[Point]) -> Point:
    """Compute the centre of the circle that touches three lanes."""
    a, b, c = corners
    lengths = dist(b, c), dist(c, a), dist(a, b)
    x, y = (sum(length * corner[axis] for length, corner in zip(lengths, corners, strict=True)) / sum(lengths) for axis in (0, 1))
    return x, y


def _sides(corners: list[Point], middle: Point) -> Iterator[Side]:
    for (a, b), (c, d) in combinations(corners, 2):
        length = hypot(c - a, d - b) or 1
        x, y = (b - d) / length, (c - a) / length
        inward = 1 if (middle[0] - a) * x + (middle[1] - b) * y > 0 else -1
        yield inward * x, inward * y, inward * (a * x + b * y)


def _fits(spot: Point, half: Point, sides: list[Side], blocked: list[Obstacle]) -> bool:
    if any(spot[0] * x + spot[1] * y - far < KERB + abs(x) * half[0] + abs(y) * half[1] for x, y, far in sides):
        return False
    return all(abs(spot[0] - x) >= half[0] + reach or abs(spot[1] - y) >= half[1] + reach for x, y, reach in blocked)
