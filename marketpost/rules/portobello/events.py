"""The events of a game, in the past tense. `apply` asks nothing, draws nothing and never fails, so a log replays for ever."""

from typing import Any

import msgspec

from marketpost.rules.portobello.board import load_board
from marketpost.rules.portobello.options import Options
from marketpost.rules.portobello.state import EACH_KIND, KINDS, LORD, NEUTRAL_TILES, OWN_TILES, STALLS, State, Tile, put


class BaseEvent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event, written as a short array: its name, then its fields."""


class GameStarted(BaseEvent, tag="started", frozen=True, array_like=True, gc=False):
    """The game was opened with these colours, this board and these options."""

    colours: tuple[str, ...]
    board: str | dict[str, Any]
    """The name of a board of ours, or a whole board typed in by hand."""
    edition: str
    options: Options
    queue: tuple[str, ...] = ()

    def apply(self, state: State) -> None:
        players = len(self.colours)
        state.colours, state.edition, state.options = self.colours, self.edition, self.options
        state.board = load_board(self.board)
        state.scores = [state.options.start_score] * players
        state.squares = dict.fromkeys(state.board.squares)
        state.lanes = {lane: (None,) * len(values) for lane, values in state.board.lanes.items()}
        state.tiles = [tuple(Tile(number, True, True) for number in OWN_TILES)] * players
        state.neutral = list(NEUTRAL_TILES)
        state.stalls = [STALLS[players]] * players
        state.bag = dict.fromkeys(KINDS, EACH_KIND)
        state.queue = list(self.queue)
        state.drawn = len(self.queue)


class BobbyPlaced(BaseEvent, tag="bobby-placed", frozen=True, array_like=True, gc=False):
    """The Bobby was placed before turn 1."""

    seat: int
    district: int

    def apply(self, state: State) -> None:
        state.bobby = self.district
        state.turn = 1


class TileChosen(BaseEvent, tag="tile", frozen=True, array_like=True, gc=False):
    """The active player chose an action tile."""

    seat: int
    number: int

    def apply(self, state: State) -> None:
        state.chosen = self.number


class StallBuilt(BaseEvent, tag="stall", frozen=True, array_like=True, gc=False):
    """A stall was built on a lane."""

    seat: int
    lane: str
    space: int
    """Counted from 0 at the first letter's end."""

    def apply(self, state: State) -> None:
        state.lanes[self.lane] = put(state.lanes[self.lane], self.space, self.seat)
        state.stalls[self.seat] -= 1
        state.used += 1


class CustomerDrawn(BaseEvent, tag="drawn", frozen=True, array_like=True, gc=False):
    """A customer was drawn from the bag."""

    seat: int
    kind: str

    def apply(self, state: State) -> None:
        state.hand = self.kind
        state.bag[self.kind] -= 1
        if state.queue:
            del state.queue[0]
        else:
            state.drawn += 1


class CustomerPlaced(BaseEvent, tag="placed", frozen=True, array_like=True, gc=False):
    """The drawn customer was placed on a square."""

    seat: int
    kind: str
    square: str

    def apply(self, state: State) -> None:
        state.squares[self.square] = self.kind
        state.hand = None
        state.used += 1


class LordPlaced(BaseEvent, tag="lord", frozen=True, array_like=True, gc=False):
    """The lord was placed on the last free square."""

    seat: int
    square: str
    action: bool
    """False where the lord comes by itself and costs nothing."""

    def apply(self, state: State) -> None:
        state.squares[self.square] = LORD
        state.used += self.action


class LaneScored(BaseEvent, tag="lane", frozen=True, array_like=True, gc=False):
    """A lane was scored."""

    lane: str
    points: tuple[int, ...]

    def apply(self, state: State) -> None:
        state.scored.add(self.lane)
        scores = state.scores
        for seat, points in enumerate(self.points):
            scores[seat] += points


class BobbyMoved(BaseEvent, tag="bobby", frozen=True, array_like=True, gc=False):
    """The Bobby was moved to another district, and tolls were paid."""

    seat: int
    route: tuple[int, ...]
    """From where it stood to where it stands."""
    points: tuple[int, ...] = ()
    """What each seat paid or got; nothing at all for a free way."""

    def apply(self, state: State) -> None:
        state.bobby = self.route[-1]
        state.wandered = True
        scores = state.scores
        for seat, points in enumerate(self.points):
            scores[seat] += points


class DistrictMarked(BaseEvent, tag="marked", frozen=True, array_like=True, gc=False):
    """A player marked a district with a tile and scored it."""

    seat: int
    district: int
    slot: int
    """Which of the player's three tiles went, and where the neutral one came."""
    number: int
    points: int
    neutral: int
    open: bool

    def apply(self, state: State) -> None:
        state.marks[self.district] = (self.seat, self.number)
        state.scores[self.seat] += self.points
        state.tiles[self.seat] = put(state.tiles[self.seat], self.slot, Tile(self.neutral, False, self.open))
        del state.neutral[0]
        state.marked = True


class TurnClosed(BaseEvent, tag="closed", frozen=True, array_like=True, gc=False):
    """The active player's turn ended."""

    seat: int
    slot: int
    """The tile turned face down; -1 after a mark, when it has left."""
    reopened: bool
    cut_short: bool
    """The player said `end` with actions left."""
    next: int
    """Whose turn begins; -1 if none does."""

    def apply(self, state: State) -> None:
        tiles = state.tiles[self.seat]
        if self.reopened:
            state.tiles[self.seat] = tuple(Tile(tile.number, tile.own, True) for tile in tiles)
        elif self.slot >= 0:
            used = tiles[self.slot]
            state.tiles[self.seat] = put(tiles, self.slot, Tile(used.number, used.own, False))
        state.busy = self.next != 0 and (state.busy or state.used > 0 or state.marked)
        state.chosen = state.used = 0
        state.wandered = state.marked = False
        if self.next >= 0:
            state.turn += 1
            state.active = self.next


class GameEnded(BaseEvent, tag="ended", frozen=True, array_like=True, gc=False):
    """The game ended with these winners."""

    winners: tuple[int, ...]

    def apply(self, state: State) -> None:
        state.winners = self.winners


Event = (
    GameStarted
    | BobbyPlaced
    | TileChosen
    | StallBuilt
    | CustomerDrawn
    | CustomerPlaced
    | LordPlaced
    | LaneScored
    | BobbyMoved
    | DistrictMarked
    | TurnClosed
    | GameEnded
)
