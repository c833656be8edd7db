"""Lists every next step that would be accepted now."""

from collections.abc import Iterator

from marketpost.rules.portobello.allowed import can_act, lanes_with_room, lord_due, marking_slot, open_tiles, unmarked
from marketpost.rules.portobello.orders import Bobby, ChooseTile, Draw, DrawAndSee, End, Lord, MarkDistrict, Place, Stall, Step, notate_step
from marketpost.rules.portobello.scoring import payable_ways
from marketpost.rules.portobello.state import State


def legal(state: State, seat: int) -> list[str]:
    """List the legal steps of this seat as orders."""
    if state.over or seat != state.decider:
        return []
    return [*map(notate_step, legal_steps(state))]


def legal_steps(state: State) -> Iterator[Step]:
    """List the legal steps as objects."""
    if not state.turn:
        return (Bobby((district,)) for district in state.board.districts)
    if state.hand:
        return map(Place, state.free_squares())
    if not state.chosen:
        return map(ChooseTile, open_tiles(state))
    return _steps_with_tile(state)


def _steps_with_tile(state: State) -> Iterator[Step]:
    yield from stall_steps(state)
    if state.customers_left:
        yield DrawAndSee()
        yield from (Draw(square, square) for square in state.free_squares())
    if lord_due(state):
        yield Lord()
    yield from (Bobby((district,)) for district in sorted(district for district, _ in payable_ways(state)))
    if not (state.used or state.wandered) and marking_slot(state) is not None:
        yield from map(MarkDistrict, unmarked(state))
    if not can_act(state):
        yield End()


def stall_steps(state: State) -> Iterator[Stall]:
    """List the stalls that can be built with the Bobby where it stands."""
    if not state.stalls[state.active]:
        return
    for lane in lanes_with_room(state):
        yield from (Stall(lane, start) for start in lane) if state.is_empty(lane) else (Stall(lane),)
