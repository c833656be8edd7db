"""Lists every next step that would be accepted now."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from marketpost.rules.portobello.allowed import lord_due, marking_slot, open_tiles, unmarked
from marketpost.rules.portobello.board import SQUARES
from marketpost.rules.portobello.orders import Bobby, ChooseTile, Draw, DrawAndSee, End, Lord, MarkDistrict, Place, Stall, Step, notate_step
from marketpost.rules.portobello.scoring import payable_districts
from marketpost.rules.portobello.state import Spaces, State


def legal(state: State, seat: int) -> list[str]:
    """List the legal steps of this seat as orders."""
    return [*map(notate_step, legal_steps(state))] if seat == state.decider else []


def legal_steps(state: State) -> Sequence[Step]:
    """List the legal steps of the seat that decides."""
    if state.winners:
        return []
    if not state.turn:
        return _bobbies_to(tuple(state.board.districts))
    if state.hand:
        return [_PLACES[square] for square in state.free_squares()]
    if not state.chosen:
        return [*map(ChooseTile, open_tiles(state))]
    return _steps_with_tile(state)


def _steps_with_tile(state: State) -> list[Step]:
    steps: list[Step] = [*_stall_steps(state)]
    if state.customers_left:
        steps.append(_DRAW_AND_SEE)
        steps += [_DRAWS[square] for square, guest in state.squares.items() if guest is None]
    elif lord_due(state):
        steps.append(_LORD)
    ending = () if steps else (_END,)
    steps += _bobbies_to(payable_districts(state))
    if not (state.used or state.wandered) and marking_slot(state) is not None:
        steps += map(MarkDistrict, unmarked(state))
    steps += ending
    return steps


def _stall_steps(state: State) -> list[Stall]:
    """List the stalls that can be built with the Bobby where it stands."""
    steps = list[Stall]()
    for lane in state.board.districts[state.bobby] if state.stalls[state.active] else ():
        steps += stalls_in(lane, state.lanes[lane])
    return steps


def stalls_in(lane: str, spaces: Spaces) -> tuple[Stall, ...]:
    """List the stalls that a lane has room for."""
    if None not in spaces:
        return ()
    return _STALLS[lane] if spaces[0] is None and spaces[-1] is None else _NEXT_STALL[lane]


# A step says nothing of its position: the same few are used again and again, which is faster than to make them.
_DRAW_AND_SEE, _LORD, _END = DrawAndSee(), Lord(), End()
_DRAWS = {square: Draw(square, square) for square in SQUARES}
_PLACES = {square: Place(square) for square in SQUARES}
_NEXT_STALL = {one + other: (Stall(one + other),) for one, other in combinations(SQUARES, 2)}
_STALLS = {lane: tuple(Stall(lane, start) for start in lane) for lane in _NEXT_STALL}


@lru_cache(maxsize=1 << 10)
def _bobbies_to(districts: tuple[int, ...]) -> tuple[Bobby, ...]:
    return tuple(Bobby((district,)) for district in districts)
