"""The map as data: squares joined by lanes that enclose districts; `defects` checks a map that somebody typed in."""

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, islice
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import fields

from marketpost.rules.board_size import too_large
from marketpost.rules.refusal import Refusal, Refused

SQUARES = "ABCDEFGHIJK"
WIDTH, HEIGHT = 80, 33
MOST_TOLD = 20
BOARDS = Path(__file__).parent / "boards"

Point = tuple[int, int]


class BoardDocument(Struct, tag_field="rules", tag="portobello"):
    """A market as somebody types it in."""

    name: str
    squares: Annotated[
        dict[str, Annotated[list[int], Meta(min_length=2, max_length=2)]], Meta(description="The column and the line of each, from A to K.")
    ]
    lanes: Annotated[dict[str, list[int]], Meta(description="The values of its spaces, by its two squares, such as `AB`.")]
    districts: Annotated[dict[str, str], Meta(description="The three squares around it, such as `ABE`, by its number.")]


FIELDS = {"rules", *(field.name for field in fields(BoardDocument))}


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A market: its squares, lanes and districts."""

    name: str
    squares: dict[str, Point]
    lanes: dict[str, tuple[int, ...]]
    districts: dict[int, tuple[str, ...]]
    borders: dict[str, tuple[int, ...]]
    """The one or two districts on either side of a lane."""
    neighbours: dict[int, dict[int, str]]
    """District to neighbouring district, and the lane between them."""
    lanes_at: dict[str, tuple[str, ...]]
    elsewhere: dict[int, tuple[int, ...]]
    """District to all the others."""
    farthest: dict[int, int]
    """How many lanes the Bobby crosses at most on its shortest way from here to any district."""


def lane_name(one: str, other: str) -> str:
    """Write the name of a lane: its two squares in alphabetical order."""
    return min(one, other) + max(one, other)


def load_board(source: str | dict[str, Any]) -> Board:
    """Load a board by its name, or build one from a document of the same form as the files in `boards/`."""
    if isinstance(source, str):
        return _named(source)
    return _from_text(json.dumps(source, sort_keys=True))


def board_names() -> list[str]:
    """List the names of the boards that come with the ruleset."""
    return sorted(path.stem for path in BOARDS.glob("*.json"))


@cache
def _named(name: str) -> Board:
    if name not in board_names():
        raise Refused("unknown-board", board=name, boards=board_names())
    return _from_text((BOARDS / f"{name}.json").read_text("utf-8"))


@lru_cache(maxsize=256)  # boards typed in by hand must not fill the memory
def _from_text(text: str) -> Board:
    document = json.loads(text)
    for defect in _defects(document):
        raise Refused(defect.code, 0, **defect.values)
    return _build(document)


def _build(document: dict[str, Any]) -> Board:
    lanes = {name: tuple(values) for name, values in document["lanes"].items()}
    districts = {int(number): _around(corners) for number, corners in document["districts"].items()}
    borders = {lane: tuple(n for n, around in districts.items() if lane in around) for lane in lanes}
    neighbours: dict[int, dict[int, str]] = {number: {} for number in sorted(districts)}
    for lane, sides in borders.items():
        if len(sides) == 2:
            neighbours[sides[0]][sides[1]] = neighbours[sides[1]][sides[0]] = lane
    return Board(
        name=document["name"],
        squares={letter: (place[0], place[1]) for letter, place in sorted(document["squares"].items())},
        lanes=lanes,
        districts=districts,
        borders=borders,
        neighbours=neighbours,
        lanes_at={letter: tuple(lane for lane in lanes if letter in lane) for letter in SQUARES},
        elsewhere={number: tuple(other for other in neighbours if other != number) for number in neighbours},
        farthest={number: _lanes_to_farthest(neighbours, number) for number in neighbours},
    )


def _lanes_to_farthest(neighbours: dict[int, dict[int, str]], start: int) -> int:
    reached, lanes = {start}, 0
    while len(reached) < len(neighbours):
        reached |= {near for district in reached for near in neighbours[district]}
        lanes += 1
    return lanes


def _around(corners: str) -> tuple[str, ...]:
    return tuple(lane_name(one, other) for one, other in combinations(corners, 2))


def defects(document: object) -> list[Refusal]:
    """List at most twenty reasons why a document is no board; the map is checked only when every field has the right form."""
    if not isinstance(document, dict):
        return [Refusal("board-no-object")]
    return too_large(document) or _defects(document)


def _defects(document: dict[str, Any]) -> list[Refusal]:
    return list(islice(_misshapen(document), MOST_TOLD)) or list(islice(_wrong_map(document), MOST_TOLD))


def _misshapen(document: dict[str, Any]) -> Iterator[Refusal]:
    for field in sorted(FIELDS - document.keys()):
        yield Refusal("board-field-missing", values={"field": field})
    for extra in sorted(map(str, document.keys() - FIELDS - {"note"})):
        yield Refusal("board-field-unknown", values={"field": extra[:40]})
    if not document.keys() >= FIELDS:
        return
    if not _is_name(document["name"]):
        yield Refusal("board-name")
    if document["rules"] != "portobello":
        yield Refusal("board-rules", values={"rules": "portobello"})
    yield from _misshapen_squares(document["squares"])
    yield from _misshapen_lanes(document["lanes"])
    yield from _misshapen_districts(document["districts"])


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= 60 and name.isascii() and name.replace("-", "a").replace("_", "a").isalnum()


def _misshapen_squares(squares: object) -> Iterator[Refusal]:
    if not isinstance(squares, dict) or set(squares) != set(SQUARES):
        yield Refusal("board-squares")
        return
    for letter, place in squares.items():
        if not (_numbers(place) and len(place) == 2 and 0 <= place[0] < WIDTH and 0 <= place[1] < HEIGHT):
            yield Refusal("board-square-place", values={"square": letter})


def _misshapen_lanes(lanes: object) -> Iterator[Refusal]:
    if not isinstance(lanes, dict):
        yield Refusal("board-lanes")
        return
    for name, values in lanes.items():
        if not (len(name) == 2 and name[0] in SQUARES and name[1] in SQUARES and name[0] < name[1]):
            yield Refusal("board-lane-name", values={"lane": name[:20]})
        if not (_numbers(values) and 2 <= len(values) <= 6):
            yield Refusal("board-lane-spaces", values={"lane": name[:20]})
        elif not all(1 <= value <= 3 for value in values):
            yield Refusal("board-lane-values", values={"lane": name[:20]})


def _misshapen_districts(districts: object) -> Iterator[Refusal]:
    if not isinstance(districts, dict) or set(districts) != {str(n) for n in range(1, len(districts) + 1)}:
        yield Refusal("board-districts-numbered")
        return
    for number, corners in districts.items():
        if not (isinstance(corners, str) and len(set(corners)) == len(corners) == 3 and set(corners) <= set(SQUARES)):
            yield Refusal("board-district-corners", values={"district": number})


def _numbers(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is int for each in value)


def _wrong_map(document: dict[str, Any]) -> Iterator[Refusal]:
    squares, lanes = document["squares"], document["lanes"]
    districts = {int(number): _around(corners) for number, corners in document["districts"].items()}
    missing = [(n, lane) for n, around in districts.items() for lane in around if lane not in lanes]
    for number, lane in missing:
        yield Refusal("board-district-lane-missing", values={"district": number, "lane": lane})
    if len(districts) < 8:
        yield Refusal("board-few-districts", values={"count": len(districts)})
    for one, other in combinations(sorted(districts), 2):
        if len(set(districts[one]) & set(districts[other])) > 1:
            yield Refusal("board-districts-share", values={"districts": [one, other]})
    sides = Counter(lane for around in districts.values() for lane in around)
    for lane in lanes:
        if sides[lane] not in (1, 2):
            yield Refusal("board-lane-sides", values={"lane": lane, "count": sides[lane]})
    if not _connected(districts, _shared_lanes(districts)):
        yield Refusal("board-districts-apart")
    if len(squares) - len(lanes) + len(districts) != 1:
        yield Refusal("board-sum", values={"squares": len(squares), "lanes": len(lanes), "districts": len(districts)})
    if not _one_ring([lane for lane in lanes if sides[lane] == 1]):
        yield Refusal("board-rim")
    for one, other in combinations(sorted(lanes), 2):
        if _cross(one, other, squares):
            yield Refusal("board-lanes-cross", values={"lanes": [one, other]})
    if (spaces := sum(map(len, lanes.values()))) < 64:
        yield Refusal("board-few-spaces", values={"count": spaces})


def _shared_lanes(districts: dict[int, tuple[str, ...]]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in combinations(districts, 2) if set(districts[a]) & set(districts[b])]


def _connected(nodes: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> bool:
    links: dict[Any, set[Any]] = {node: set() for node in nodes}
    for one, other in edges:
        links[one].add(other)
        links[other].add(one)
    reached = set(list(links)[:1])
    queue = deque(reached)
    while queue:
        for near in links[queue.popleft()] - reached:
            reached.add(near)
            queue.append(near)
    return len(reached) == len(links)


def _one_ring(rim: list[str]) -> bool:
    ends = Counter(letter for lane in rim for letter in lane)
    return bool(rim) and set(ends.values()) == {2} and _connected(ends, [(lane[0], lane[1]) for lane in rim])


def _cross(one: str, other: str, squares: dict[str, Point]) -> bool:
    """Whether two straight lines meet anywhere but at a square they share."""
    a, b, c, d = (squares[letter] for letter in one + other)
    shared = set(one) & set(other)
    if shared:
        apex = squares[min(shared)]
        tips = [place for letter, place in zip(one + other, (a, b, c, d), strict=True) if letter not in shared]
        return (_turn(apex, tips[0], tips[1]) == 0 and _dot(apex, tips[0], tips[1]) > 0) or a == b or c == d
    turns = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if all(turns):
        return turns[0] != turns[1] and turns[2] != turns[3]
    return any(
        turn == 0 and _between(place, start, end)
        for turn, place, start, end in zip(turns, (c, d, a, b), (a, a, c, c), (b, b, d, d), strict=True)
    )


def _turn(a: Point, b: Point, c: Point) -> int:
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (area > 0) - (area < 0)


def _dot(apex: Point, a: Point, b: Point) -> int:
    return (a[0] - apex[0]) * (b[0] - apex[0]) + (a[1] - apex[1]) * (b[1] - apex[1])


def _between(place: Point, start: Point, end: Point) -> bool:
    return all(min(s, e) <= p <= max(s, e) for p, s, e in zip(place, start, end, strict=True))
