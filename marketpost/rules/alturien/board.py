"""The map of a town as data: streets, sites, grey spaces, the middle and the die; `defects` checks a map that somebody typed in."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import fields

from marketpost.rules.board_size import too_large
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.words import fold, lexicon, tokens

BOARDS = Path(__file__).parent / "boards"
WORDS = Path(__file__).parent / "words"
GROUPS = 6
LEAST_GREY = LEAST_PLAIN = 6
LEAST_SITES = 24
LARGEST_TOWN = 120
"""Spaces of a board that somebody types in."""
WAYS_OF_A_CROSSING = 6
"""At one space of such a board: `greedy`, `strong`, a preview and a picture each take less than a second on the largest one."""
MOST_SPACES, MOST_WAYS = 400, 12
"""Of boards in logs, which replay for ever; earlier ones could be that large."""
MOST_TOLD = 20
LONGEST_NAME = 12
MOST_FACES = 20
FARTHEST = 12
"""No face of a die goes farther: ways are counted step by step."""
FACE = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?))?", re.ASCII)
RESERVED = frozenset({"roll"})
"""Words that only records use; a space must not be called so either."""

Way = tuple[str, str]
"""Where a figure ends, and the space it came from or will look at."""


class BoardDocument(Struct, tag_field="rules", tag="alturien"):
    """A town as somebody types it in. Several spaces, and the faces of the die, are separated by spaces."""

    name: str
    streets: Annotated[list[str], Meta(description="The spaces along each.")]
    sites: Annotated[dict[str, str], Meta(description="The sites of each product group.")]
    grey: str
    middle: str
    die: Annotated[str, Meta(description="Its faces, such as `1 2 3 4 5 1-3`.")]


FIELDS = ("rules", *(each.name for each in fields(BoardDocument)))


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A town. Ways along its streets are computed when first asked for and kept with the board."""

    name: str
    document: dict[str, Any]
    neighbours: dict[str, tuple[str, ...]]
    groups: dict[str, tuple[str, ...]]
    group_of: dict[str, str]
    """The product group of every site. Every space but the middle is one, and on a board typed in by hand the middle may be one, too."""
    grey: frozenset[str]
    middle: str
    faces: tuple[str, ...]
    """The die, lowest face first."""
    lengths: dict[str, tuple[int, ...]]
    """The steps that a face allows."""
    reach: int
    """The highest number on the die plus 1."""
    spellings: dict[str, str]
    """A name as it is compared, and as the board writes it."""
    _ends: dict[tuple[str, str, int], tuple[Way, ...]] = field(default_factory=dict, repr=False)
    _landings: dict[tuple[str, str, int], tuple[Way, ...]] = field(default_factory=dict, repr=False)
    _reached: dict[tuple[str, str], tuple[tuple[int, str], ...]] = field(default_factory=dict, repr=False)
    _ways: dict[tuple[str, str, tuple[int, ...]], tuple[Way, ...]] = field(default_factory=dict, repr=False)

    def ends(self, space: str, facing: str, length: int) -> tuple[Way, ...]:
        """Every (end, space before it) of a way of this length that never turns back."""
        key = (space, facing, length)
        if key not in self._ends:
            self._ends[key] = tuple(sorted(self._walk(space, facing, length)))
        return self._ends[key]

    def _walk(self, space: str, facing: str, length: int) -> set[Way]:
        if length == 1:
            return {(facing, space)}
        return {(onward, end) for end, before in self.ends(space, facing, length - 1) for onward in self.onward(end, before)}

    def landings(self, space: str, facing: str, length: int) -> tuple[Way, ...]:
        """Every (end, facing) in which a way of this length may leave a figure."""
        key = (space, facing, length)
        if key not in self._landings:
            found = {(end, look) for end, before in self.ends(*key) for look in self.onward(end, before)}
            self._landings[key] = tuple(sorted(found))
        return self._landings[key]

    def ways(self, space: str, facing: str, lengths: tuple[int, ...]) -> tuple[Way, ...]:
        """Every (end, facing) in which a way of one of these lengths may leave a figure."""
        key = (space, facing, lengths)
        if key not in self._ways:
            self._ways[key] = tuple(sorted({way for length in lengths for way in self.landings(space, facing, length)}))
        return self._ways[key]

    def reached(self, space: str, facing: str) -> tuple[tuple[int, str], ...]:
        """Every (steps, end) up to the reach of the die."""
        key = (space, facing)
        if key not in self._reached:
            found = {(length, end) for length in range(1, self.reach + 1) for end, _ in self.ends(space, facing, length)}
            self._reached[key] = tuple(sorted(found))
        return self._reached[key]

    def onward(self, space: str, before: str) -> Iterator[str]:
        """The neighbours of a space except the one the figure came from."""
        return (near for near in self.neighbours[space] if near != before)

    def is_crossing(self, space: str) -> bool:
        """Whether more than two streets meet here."""
        return len(self.neighbours[space]) > 2


def load_board(source: str | dict[str, Any]) -> Board:
    """Load a board by its name, or build one from a document of the same form as the files in `boards/`."""
    if isinstance(source, str):
        return _named(source)
    for defect in _defects(source, MOST_SPACES, MOST_WAYS):
        raise Refused(defect.code, **defect.values)
    return _from_text(json.dumps(source))


def board_names() -> list[str]:
    """List the names of the boards that come with the ruleset."""
    return sorted(path.stem for path in BOARDS.glob("*.json"))


@cache
def _named(name: str) -> Board:
    if name not in board_names():
        raise Refused("unknown-board", board=name, boards=board_names())
    return _from_text((BOARDS / f"{name}.json").read_text("utf-8"))


@lru_cache(maxsize=64)
def _from_text(text: str) -> Board:
    return _build(json.loads(text))


def _build(document: dict[str, Any]) -> Board:
    neighbours = _neighbours(document["streets"])
    groups = {group: tuple(names.split()) for group, names in document["sites"].items()}
    lengths = {face: _lengths(face) for face in document["die"].split()}
    return Board(
        name=document["name"],
        document=document,
        neighbours=neighbours,
        groups=groups,
        group_of={site: group for group, sites in groups.items() for site in sites},
        grey=frozenset(document["grey"].split()),
        middle=document["middle"],
        faces=tuple(sorted(document["die"].split(), key=_lengths)),
        lengths=lengths,
        reach=max(map(max, lengths.values())) + 1,
        spellings={fold(name): name for name in neighbours},
    )


def _neighbours(streets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Compute which spaces are next to each other along a street."""
    found: dict[str, dict[str, None]] = {}
    for street in streets:
        names = street.split()
        for one, other in pairwise(names):
            found.setdefault(one, {})[other] = None
            found.setdefault(other, {})[one] = None
    return {name: tuple(sorted(near)) for name, near in found.items()}


def _lengths(face: str) -> tuple[int, ...]:
    low, _, high = face.partition("-")
    return tuple(range(int(low), int(high or low) + 1))


def defects(document: object) -> list[Refusal]:
    """List at most twenty reasons why a document is no board; the map is checked only when every field has the right form."""
    if not isinstance(document, dict):
        return [Refusal("board-no-object")]
    return too_large(document) or _defects(document, LARGEST_TOWN, WAYS_OF_A_CROSSING)


def _defects(document: Mapping[str, Any], most_spaces: int, most_ways: int) -> list[Refusal]:
    looks = (_misshapen, partial(_misnamed, most_spaces), partial(_wrong_map, most_ways))
    return next(filter(None, (list(islice(look(document), MOST_TOLD)) for look in looks)), [])


def _misshapen(document: Mapping[str, Any]) -> Iterator[Refusal]:
    for missing in (name for name in FIELDS if name not in document):
        yield Refusal("board-field-missing", values={"field": missing})
    if not set(FIELDS) <= document.keys():
        return
    if not _is_board_name(document["name"]):
        yield Refusal("board-name")
    if document["rules"] != "alturien":
        yield Refusal("board-rules", values={"rules": "alturien"})
    if not _is_texts(document["streets"]):
        yield Refusal("board-streets")
    if not (isinstance(document["sites"], dict) and _is_texts(list(document["sites"].values()))):
        yield Refusal("board-sites")
    for name in ("grey", "middle", "die"):
        if not isinstance(document[name], str):
            yield Refusal("board-text", values={"field": name})


def _is_board_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= 60 and name.isascii() and name.replace("-", "a").replace("_", "a").isalnum()


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _misnamed(most_spaces: int, document: Mapping[str, Any]) -> Iterator[Refusal]:
    """Check names and faces before anything is built from them."""
    spaces = {name for street in document["streets"] for name in street.split()}
    if len(spaces) > most_spaces:
        yield Refusal("board-many-spaces", values={"count": len(spaces), "most": most_spaces})
        return
    for name in sorted(spaces):
        if not (name.isalnum() and len(name) <= LONGEST_NAME and tokens(name) == [name]):
            yield Refusal("board-space-name", values={"space": name[:40]})
        elif fold(name) in lexicon(WORDS) or fold(name) in RESERVED:
            yield Refusal("board-space-order-word", values={"space": name})
    for name in _alike(spaces):
        yield Refusal("board-space-alike", values={"space": name[:40]})
    for street in document["streets"]:
        yield from _wrong_street(street.split())
    yield from _wrong_die(document["die"].split())


def _alike(names: Iterable[str]) -> Iterator[str]:
    """Yield names that a player could not tell apart in an order."""
    seen: set[str] = set()
    for name in sorted(names):
        if fold(name) in seen:
            yield name
        seen.add(fold(name))


def _wrong_street(names: list[str]) -> Iterator[Refusal]:
    if len(names) < 2:
        yield Refusal("board-street-short", values={"street": " ".join(names)[:40]})
    for one, other in pairwise(names):
        if one == other:
            yield Refusal("board-street-stutters", values={"space": one[:40]})


def _wrong_die(faces: list[str]) -> Iterator[Refusal]:
    if not 0 < len(faces) <= MOST_FACES:
        yield Refusal("board-die", values={"most": MOST_FACES})
    for face in faces:
        if not _is_face(face):
            yield Refusal("board-face", values={"face": face[:20], "most": FARTHEST})


def _is_face(face: str) -> bool:
    found = FACE.fullmatch(face)
    if not found:
        return False
    low, high = int(found.group(1)), int(found.group(2) or found.group(1))
    return (low < high or not found.group(2)) and high <= FARTHEST


def _wrong_map(most_ways: int, document: Mapping[str, Any]) -> Iterator[Refusal]:
    neighbours = _neighbours(document["streets"])
    for space, near in neighbours.items():
        if len(near) < 2:
            yield Refusal("board-dead-end", values={"space": space})
        if len(near) > most_ways:
            yield Refusal("board-busy-crossing", values={"space": space, "most": most_ways})
    if not _connected(neighbours):
        yield Refusal("board-apart")
    yield from _wrong_sites(document, neighbours)
    yield from _wrong_middle_and_grey(document, neighbours)


def _connected(neighbours: Mapping[str, tuple[str, ...]]) -> bool:
    reached = set(list(neighbours)[:1])
    waiting = list(reached)
    while waiting:
        for near in neighbours[waiting.pop()]:
            if near not in reached:
                reached.add(near)
                waiting.append(near)
    return len(reached) == len(neighbours)


def _wrong_sites(document: Mapping[str, Any], neighbours: Mapping[str, object]) -> Iterator[Refusal]:
    groups = {group: names.split() for group, names in document["sites"].items()}
    sites = [site for names in groups.values() for site in names]
    if len(groups) != GROUPS:
        yield Refusal("board-groups", values={"count": len(groups)})
    for group, names in groups.items():
        if not names or not group.isalnum():
            yield Refusal("board-group", values={"group": group[:40]})
    for site in dict.fromkeys(sites):
        if site not in neighbours:
            yield Refusal("board-site-unknown", values={"site": site[:40]})
        if sites.count(site) > 1:
            yield Refusal("board-site-twice", values={"site": site[:40]})
    for space in neighbours:
        if space not in sites and space != document["middle"]:
            yield Refusal("board-site-missing", values={"space": space})
    if len(set(sites)) < LEAST_SITES:
        yield Refusal("board-few-sites", values={"count": len(set(sites)), "least": LEAST_SITES})


def _wrong_middle_and_grey(document: Mapping[str, Any], neighbours: Mapping[str, object]) -> Iterator[Refusal]:
    middle, grey = document["middle"], document["grey"].split()
    if middle not in neighbours:
        yield Refusal("board-middle", values={"space": middle[:40]})
    if middle in grey:
        yield Refusal("board-middle-grey", values={"space": middle[:40]})
    for space in dict.fromkeys(grey):
        if space not in neighbours:
            yield Refusal("board-grey-unknown", values={"space": space[:40]})
    if len(set(grey)) < LEAST_GREY:
        yield Refusal("board-few-grey", values={"count": len(set(grey)), "least": LEAST_GREY})
    plain = set(neighbours) - set(grey) - {middle}
    if len(plain) < LEAST_PLAIN:
        yield Refusal("board-few-plain", values={"count": len(plain), "least": LEAST_PLAIN})
