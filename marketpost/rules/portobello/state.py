"""A position of Portobello Market. The fold that builds it owns it; all others work on a copy."""

from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from marketpost.rules.portobello.board import Board, load_board
from marketpost.rules.portobello.options import BobbyPlacer, Options

COLOURS = ("red", "yellow", "green", "blue")
STALLS = {2: 30, 3: 20, 4: 16}
OWN_TILES = (2, 3, 4)
NEUTRAL_TILES = (3, 3, 2, 2, 1, 1, 1, 1)
KINDS = ("citizen", "clerk")
EACH_KIND = 5
LORD = "lord"
USUAL = Options()
CLASSIC = load_board("portobello-classic")


T = TypeVar("T")
Spaces = tuple[int | None, ...]
"""Who has a stall on each space of a lane, from the first letter's end."""


class Tile(msgspec.Struct, frozen=True, gc=False):
    """An action tile: its number, whether it is the player's own or neutral, and whether it is face up."""

    number: int
    own: bool
    open: bool


def put(row: tuple[T, ...], place: int, new: T) -> tuple[T, ...]:
    """Return a row with one element replaced."""
    changed = list(row)
    changed[place] = new
    return tuple(changed)


def next_space(spaces: Spaces, *, at_first: bool) -> int:
    """Find the next space of a lane that is not full: beside the last stall; on an empty lane the first one or the last one."""
    if spaces[0] is not None:
        return spaces.index(None)
    if spaces[-1] is not None:
        return len(spaces) - 1 - spaces[::-1].index(None)
    return 0 if at_first else len(spaces) - 1


@dataclass(slots=True)
class State:
    """All that is on the table."""

    colours: tuple[str, ...] = ()
    edition: str = "de"
    options: Options = USUAL
    board: Board = CLASSIC
    turn: int = 0
    active: int = 0
    scores: list[int] = field(default_factory=list)
    bobby: int = 0
    """The district it stands in; 0 while it stands aside."""
    squares: dict[str, str | None] = field(default_factory=dict)
    lanes: dict[str, Spaces] = field(default_factory=dict)
    """By lane; values that many positions share, so that a copy costs little. So are the tiles."""
    scored: set[str] = field(default_factory=set)
    tiles: list[tuple[Tile, ...]] = field(default_factory=list)
    neutral: list[int] = field(default_factory=list)
    stalls: list[int] = field(default_factory=list)
    marks: dict[int, tuple[int, int]] = field(default_factory=dict)
    """District to the seat that marked it and the number of its tile."""
    bag: dict[str, int] = field(default_factory=dict)
    queue: list[str] = field(default_factory=list)
    hand: str | None = None
    chosen: int = 0
    """The number of the tile chosen this turn; 0 before the choice."""
    used: int = 0
    wandered: bool = False
    """Whether the Bobby has moved this turn, which forbids to mark."""
    marked: bool = False
    busy: bool = False
    """Whether anyone before the active player took an action or marked in this round."""
    drawn: int = 0
    """How many outcomes of chance this game has seen."""
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    @property
    def decider(self) -> int:
        """The seat that must decide now: the active one, or before turn 1 the one that places the Bobby."""
        if self.turn:
            return self.active
        return {BobbyPlacer.FIRST: 0, BobbyPlacer.LEFT: 1, BobbyPlacer.RIGHT: len(self.colours) - 1}[self.options.bobby_placer]

    @property
    def customers_left(self) -> int:
        """How many customers are left in the bag."""
        return sum(self.bag.values())

    def copy(self) -> "State":
        """Return an independent position; what never changes in a game is shared. All fields in order: `replace` is three times as slow."""
        return State(
            self.colours, self.edition, self.options, self.board, self.turn, self.active, self.scores.copy(), self.bobby,
            self.squares.copy(), self.lanes.copy(), self.scored.copy(), self.tiles.copy(), self.neutral.copy(), self.stalls.copy(),
            self.marks.copy(), self.bag.copy(), self.queue.copy(), self.hand, self.chosen, self.used, self.wandered, self.marked,
            self.busy, self.drawn, self.winners,
        )  # fmt: skip

    def next_space(self, lane: str, start: str | None) -> int:
        """Find the next space of a lane that is not full: beside the last stall, or on an empty lane at the named end."""
        return next_space(self.lanes[lane], at_first=start == lane[0])

    def is_empty(self, lane: str) -> bool:
        """Whether no stall stands in this lane."""
        spaces = self.lanes[lane]
        return spaces[0] is None and spaces[-1] is None

    def free_squares(self) -> list[str]:
        """List the squares without a customer."""
        return [square for square, guest in self.squares.items() if guest is None]
