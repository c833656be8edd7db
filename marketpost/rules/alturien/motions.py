"""Lists the ways of figures and houses through the streets."""

from collections.abc import Iterator, Sequence

from marketpost.rules.alturien.board import Board
from marketpost.rules.alturien.draw import KINDS, LETTERS
from marketpost.rules.alturien.events import Event, FigureMoved, HouseMoved
from marketpost.rules.alturien.movement import lengths
from marketpost.rules.alturien.state import THIEF, State
from marketpost.rules.motion import Motion


def motions(state: State, events: Sequence[Event]) -> list[Motion]:
    """List what travelled in these events. `state` is the position before and is modified."""
    found: list[Motion] = []
    for event in events:
        found += _motions(state, event)
        event.apply(state)
    return found


def _motions(state: State, event: Event) -> Iterator[Motion]:
    match event:
        case FigureMoved(_, figure, space, facing):
            kind = state.kinds[figure]
            yield Motion(KINDS[kind], "red" if kind == THIEF else "bobby", _way(state, figure, space, facing))
        case HouseMoved(seat, site, to):
            yield Motion(LETTERS[state.colours[seat]], state.colours[seat], (site, to))


def _way(state: State, figure: int, space: str, facing: str) -> tuple[str, ...]:
    """Find the shortest way that the roll allows. An entry says only where a figure ended; old rules may have allowed other ways."""
    start = state.spaces[figure], state.facings[figure]
    for length in lengths(state):
        for end, before in state.board.ends(*start, length):
            if end == space and facing in state.board.onward(end, before):
                return (*_back(state.board, start, (before, end), length), space)
    return (start[0], space)


def _back(board: Board, start: tuple[str, str], last: tuple[str, str], length: int) -> tuple[str, ...]:
    """Find the spaces before the last one of a way of this length; `last` are its two last spaces."""
    before, end = last
    if length == 1:
        return (before,)
    earlier = next(came for here, came in board.ends(*start, length - 1) if here == before and end in board.onward(before, came))
    return (*_back(board, start, (earlier, before), length - 1), before)
