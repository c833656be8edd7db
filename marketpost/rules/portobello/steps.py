"""Carries out steps: what each one needs, and what it does."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from marketpost.rules.portobello.allowed import can_act, in_bag, lanes_with_room, marking_slot, open_tiles, spent, unmarked
from marketpost.rules.portobello.events import (
    BobbyMoved,
    CustomerDrawn,
    CustomerPlaced,
    DistrictMarked,
    LaneScored,
    LordPlaced,
    StallBuilt,
    TileChosen,
)
from marketpost.rules.portobello.options import LordArrival, NeutralArrival
from marketpost.rules.portobello.orders import Bobby, ChooseTile, Draw, DrawAndSee, End, Lord, MarkDistrict, Place, Stall, Step
from marketpost.rules.portobello.scoring import best_route, district_points, is_due, lane_points, route_points
from marketpost.rules.portobello.state import LORD, State
from marketpost.rules.portobello.trial import Trial
from marketpost.rules.refusal import Illegal


def take(trial: Trial, step: Step) -> None:
    """Carry out one step: check the moment first, then the step itself."""
    _check_moment(trial, step)
    _TAKE[type(step)](trial, step)


def _check_moment(trial: Trial, step: Step) -> None:
    state, kind = trial.state, type(step)
    if state.hand and kind is not Place:
        raise Illegal("place-first", kind=state.hand, squares=state.free_squares())
    if state.marked and kind is not End:
        raise Illegal("mark-is-whole-turn")
    if kind is MarkDistrict and (state.used or state.wandered):
        raise Illegal("mark-is-whole-turn")
    if trial.ended or (kind is not Bobby and kind is not End and spent(state)):
        raise Illegal("no-actions-left", tile=state.chosen)
    if not state.chosen and kind is not ChooseTile:
        raise Illegal("choose-tile-first", open=open_tiles(state))
    if state.chosen and kind is ChooseTile:
        raise Illegal("tile-already-chosen", tile=state.chosen)


def _choose_tile(trial: Trial, step: ChooseTile) -> None:
    number = step.number
    if number not in open_tiles(trial.state):
        raise Illegal("tile-not-open", tile=number, open=open_tiles(trial.state))
    trial.happen(TileChosen(trial.state.active, number))


def _build(trial: Trial, step: Stall) -> None:
    state, lane, start = trial.state, step.lane, step.start
    if lane not in state.lanes:
        raise Illegal("unknown-lane", lane=lane, lanes=lanes_with_room(state))
    if not state.stalls[state.active]:
        raise Illegal("no-stalls-left")
    if state.bobby not in state.board.borders[lane]:
        raise Illegal("bobby-elsewhere", lane=lane, bobby=state.bobby, districts=state.board.borders[lane])
    if None not in state.lanes[lane]:
        raise Illegal("lane-full", lane=lane, lanes=lanes_with_room(state))
    if start is None and state.is_empty(lane):
        raise Illegal("choose-an-end", lane=lane, ends=[f"{lane[0]}-{lane[1]}", f"{lane[1]}-{lane[0]}"])
    trial.happen(StallBuilt(state.active, lane, state.next_space(lane, start)))
    _score(trial, [lane])


def _score(trial: Trial, lanes: Sequence[str]) -> None:
    for lane in lanes:
        if is_due(trial.state, lane):
            trial.happen(LaneScored(lane, lane_points(trial.state, lane)))


def _draw(trial: Trial, step: Draw) -> None:
    clerk, citizen = step.clerk, step.citizen
    _check_square(trial.state, clerk)
    _check_square(trial.state, citizen)
    _check_bag(trial.state)
    _check_free(trial.state, clerk)
    _check_free(trial.state, citizen)
    kind = _draw_blind(trial)
    _put(trial, clerk if kind == "clerk" else citizen)
    trial.keep()


def _look(trial: Trial, look: DrawAndSee) -> None:
    _check_bag(trial.state)
    kind = _draw_blind(trial)
    trial.keep()
    trial.looked = trial.number
    trial.steps.extend(next((branch.steps for branch in look.branches if branch.kind == kind), ()))


def _check_square(state: State, square: str) -> None:
    if square not in state.squares:
        raise Illegal("unknown-square", square=square, squares=state.free_squares())


def _check_bag(state: State) -> None:
    if not state.customers_left:
        raise Illegal("bag-empty")


def _check_free(state: State, square: str) -> None:
    if guest := state.squares[square]:
        raise Illegal("square-taken", square=square, guest=guest, squares=state.free_squares())


def _draw_blind(trial: Trial) -> str:
    state = trial.state
    kind = state.queue[0] if state.queue else trial.chance.pick(in_bag(state))
    trial.happen(CustomerDrawn(state.active, kind))
    return kind


def _place(trial: Trial, step: Place) -> None:
    square = step.square
    _check_square(trial.state, square)
    if not trial.state.hand:
        raise Illegal("nothing-to-place")
    _check_free(trial.state, square)
    _put(trial, square)
    if trial.looked and trial.looked == trial.number - 1:
        trial.keep()


def _put(trial: Trial, square: str) -> None:
    state = trial.state
    trial.happen(CustomerPlaced(state.active, state.hand or "", square))
    _score(trial, state.board.lanes_at[square])
    if state.options.lord == LordArrival.AUTOMATIC and not state.customers_left:
        _crown(trial, action=False)


def _crown(trial: Trial, *, action: bool) -> None:
    (square,) = trial.state.free_squares()
    trial.happen(LordPlaced(trial.state.active, square, action))
    _score(trial, trial.state.board.lanes_at[square])


def _place_lord(trial: Trial, step: Lord) -> None:
    state = trial.state
    if state.options.lord == LordArrival.AUTOMATIC:
        raise Illegal("lord-is-automatic")
    if LORD in state.squares.values():
        raise Illegal("lord-already-placed", square=next(s for s, guest in state.squares.items() if guest == LORD))
    if state.customers_left:
        raise Illegal("lord-not-yet", count=state.customers_left)
    _crown(trial, action=True)


def _move_bobby(trial: Trial, step: Bobby) -> None:
    state, named = trial.state, step.route
    check_districts(state, named)
    route = best_route(state, named[0]) if _only_destination(state, named) else _named_route(state, named)
    points = route_points(state, route)
    if points and state.scores[state.active] + points[state.active] < 0:
        raise Illegal("cannot-pay", cost=-points[state.active], count=state.scores[state.active])
    trial.happen(BobbyMoved(state.active, route, points))


def check_districts(state: State, named: Sequence[int]) -> None:
    """Refuse districts that the board does not have."""
    for district in named:
        if district not in state.board.districts:
            raise Illegal("unknown-district", district=district, last=max(state.board.districts))


def _only_destination(state: State, named: tuple[int, ...]) -> bool:
    return len(named) == 1 and named[0] != state.bobby


def _named_route(state: State, named: tuple[int, ...]) -> tuple[int, ...]:
    """Return the route that the player wrote, with or without the district where the Bobby stands."""
    route = named if named[0] == state.bobby else (state.bobby, *named)
    joined = all(there in state.board.neighbours[here] for here, there in pairwise(route))
    if len(route) < 2 or len(set(route)) < len(route) or not joined:
        raise Illegal("route-broken", bobby=state.bobby, districts=list(state.board.neighbours[state.bobby]))
    return route


def _mark(trial: Trial, step: MarkDistrict) -> None:
    state, district = trial.state, step.district
    check_districts(state, [district])
    slot = marking_slot(state)
    if slot is None:
        raise Illegal("tile-cannot-mark", tile=state.chosen)
    if district in state.marks:
        raise Illegal("district-marked", district=district, districts=unmarked(state))
    points = district_points(state, district, state.active, state.chosen)
    arrives_open = state.options.neutral_arrives == NeutralArrival.OPEN
    trial.happen(DistrictMarked(state.active, district, slot, state.chosen, points, state.neutral[0], arrives_open))


def _end(trial: Trial, step: End) -> None:
    state = trial.state
    if not (state.marked or spent(state)) and can_act(state):
        raise Illegal("actions-owed", count=state.chosen - state.used)
    trial.ended = True


_TAKE: dict[type, Callable[[Trial, Any], None]] = {
    ChooseTile: _choose_tile,
    Stall: _build,
    Draw: _draw,
    DrawAndSee: _look,
    Place: _place,
    Lord: _place_lord,
    Bobby: _move_bobby,
    MarkDistrict: _mark,
    End: _end,
}
