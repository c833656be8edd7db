"""Recognizes legal turns that throw something away, so that no example shows them."""

from itertools import takewhile

from marketpost.rules.chance import Sealed
from marketpost.rules.portobello.allowed import lanes_with_room, open_tiles
from marketpost.rules.portobello.orders import Bobby, End, MarkDistrict, Orders, Stall, Step, parse
from marketpost.rules.portobello.scoring import district_points, payable_ways
from marketpost.rules.portobello.state import State
from marketpost.rules.portobello.steps import take
from marketpost.rules.portobello.trial import Trial


def wasteful(state: State, seat: int, orders: str) -> bool:
    """Whether a turn wastes: a mark without points, a way of the Bobby that no stall needed, an end with actions left."""
    if not state.turn:
        return False
    trial, steps = Trial(state.copy(), Sealed(bytes(32), "waste")), parse(orders)
    for number, step in enumerate(steps):
        if _throws_away(trial.state, seat, step) or (isinstance(step, Bobby) and _goes_for_nothing(trial.state, steps[number + 1 :])):
            return True
        take(trial, step)
    return False


def _goes_for_nothing(state: State, following: Orders) -> bool:
    """Whether all that is built before the Bobby moves on could be built from where it stood."""
    until_next = takewhile(lambda step: not isinstance(step, Bobby), following)
    here = state.board.districts[state.bobby]
    return all(step.lane in here for step in until_next if isinstance(step, Stall))


def _throws_away(state: State, seat: int, step: Step) -> bool:
    match step:
        case MarkDistrict(district):
            return not district_points(state, district, seat, state.chosen)
        case End():
            return _could_build(state) or _has_smaller_tile(state)
        case _:
            return False


def _could_build(state: State) -> bool:
    """Whether a stall could be built with the Bobby in this district."""
    elsewhere = state.copy()
    for district, _ in payable_ways(state) if state.stalls[state.active] else ():
        elsewhere.bobby = district
        if lanes_with_room(elsewhere):
            return True
    return False


def _has_smaller_tile(state: State) -> bool:
    """Whether a smaller tile would have been enough for the actions used."""
    return any(state.used <= number < state.chosen for number in open_tiles(state))
