"""What can happen, in the past tense. Applying asks nothing, draws nothing and never fails, so that a log replays for ever."""

from typing import Any

import msgspec

from marketpost.rules.portobello.board import load_board
from marketpost.rules.portobello.options import Options
from marketpost.rules.portobello.state import EACH_KIND, KINDS, LORD, NEUTRAL_TILES, OWN_TILES, STALLS, State, Tile, put


class BaseEvent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Events are written as short arrays: name first, then what happened."""


class GameStarted(BaseEvent, tag="started", frozen=True, array_like=True, gc=False):
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
    seat: int
    district: int

    def apply(self, state: State) -> None:
        state.bobby = self.district
        state.turn = 1


class TileChosen(BaseEvent, tag="tile", frozen=True, array_like=True, gc=False):
    seat: int
    number: int

    def apply(self, state: State) -> None:
        state.chosen = self.number


class StallBuilt(BaseEvent, tag="stall", frozen=True, array_like=True, gc=False):
    seat: int
    lane: str
    space: int
    """Counted from 0 at the first letter's end."""

    def apply(self, state: State) -> None:
        state.lanes[self.lane] = put(state.lanes[self.lane], self.space, self.seat)
        state.stalls[self.seat] -= 1
        state.used += 1


class CustomerDrawn(BaseEvent, tag="drawn", frozen=True, array_like=True, gc=False):
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
    seat: int
    kind: str
    square: str

    def apply(self, state: State) -> None:
        state.squares[self.square] = self.kind
        state.hand = None
        state.used += 1


class LordPlaced(BaseEvent, tag="lord", frozen=True, array_like=True, gc=False):
    seat: int
    square: str
    action: bool
    """False where the lord comes by itself and costs nothing."""

    def apply(self, state: State) -> None:
        state.squares[self.square] = LORD
        state.used += self.action


class LaneScored(BaseEvent, tag="lane", frozen=True, array_like=True, gc=False):
    lane: str
    points: tuple[int, ...]

    def apply(self, state: State) -> None:
        state.scored.add(self.lane)
        scores = state.scores
        for seat, points in enumerate(self.points):
            scores[seat] += points


class BobbyMoved(BaseEvent, tag="bobby", frozen=True, array_like=True, gc=False):
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
