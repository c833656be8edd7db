"""Values of lanes, districts and the ways of the Bobby."""

import heapq
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile

from marketpost.rules.portobello.board import Board
from marketpost.rules.portobello.options import CoMajority
from marketpost.rules.portobello.orders import Bobby, Step
from marketpost.rules.portobello.state import LORD, Spaces, State

TIMES = {
    ("clerk", "clerk"): 1,
    ("citizen", "clerk"): 2,
    ("citizen", "citizen"): 3,
    ("clerk", "lord"): 3,
    ("citizen", "lord"): 4,
}


def times(state: State, lane: str) -> int:
    """Return the multiplier of a lane; 0 while a customer is missing at an end."""
    return times_of(state.squares[lane[0]], state.squares[lane[1]])


def times_of(one: str | None, other: str | None) -> int:
    """Return the multiplier of two customers; 0 while one is missing."""
    if one is None or other is None:
        return 0
    return TIMES[min(one, other), max(one, other)]


def lane_points(state: State, lane: str) -> tuple[int, ...]:
    """Compute what a lane is worth to each seat."""
    factor = times(state, lane)
    points = [0] * len(state.colours)
    for seat, value in zip(state.lanes[lane], state.board.lanes[lane], strict=True):
        if seat is not None:
            points[seat] += value * factor
    return tuple(points)


def is_due(state: State, lane: str) -> bool:
    """Whether a lane is scored now: it is full and both its squares hold a customer."""
    return lane not in state.scored and None not in state.lanes[lane] and times(state, lane) > 0


def district_points(state: State, district: int, seat: int, number: int) -> int:
    """Compute what marking a district with a tile of this number brings a seat."""
    return number * sum(state.lanes[lane].count(seat) for lane in state.board.districts[district])


def lord_lanes(state: State) -> Iterator[str]:
    """List the lanes that the lord scores at the end: those at its square that are not full."""
    for square, guest in state.squares.items():
        if guest == LORD:
            yield from (lane for lane in state.board.lanes_at[square] if None in state.lanes[lane])


Toll = tuple[int, tuple[int, ...]]
"""What crossing a lane costs, and whom it is paid to."""


def paid_to(state: State, lane: str, seat: int) -> Toll:
    """Compute what crossing this lane costs a seat, and which seats are paid."""
    return _toll(state.lanes[lane], len(state.colours), seat, state.options.co_majority)


# A turn changes a lane or two: nearly every lane has been looked at before.
@lru_cache(maxsize=1 << 14)
def _toll(spaces: Spaces, seats: int, seat: int, co_majority: CoMajority) -> Toll:
    counts = [spaces.count(each) for each in range(seats)]
    most = max(counts)
    ahead = tuple(each for each, count in enumerate(counts) if count == most)
    if most == 0:
        return 1, ()
    if seat not in ahead:
        return len(ahead), ahead
    return int(len(ahead) > 1 and co_majority == CoMajority.PAY), ()


def crossings(state: State, route: tuple[int, ...]) -> list[str]:
    """List the lanes that a route crosses."""
    return [state.board.neighbours[here][there] for here, there in pairwise(route)]


def route_points(state: State, route: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Compute what each seat pays or gets for a route of the Bobby; empty if it is free."""
    points = [0] * len(state.colours)
    for lane in crossings(state, route):
        cost, receivers = paid_to(state, lane, seat)
        points[seat] -= cost
        for receiver in receivers:
            points[receiver] += 1
    return tuple(points) if any(points) else ()


Way = tuple[int, int, int, tuple[int, ...]]
"""Cost, points given to opponents, lanes crossed, districts: ways are compared in this order."""


def best_ways(state: State, seat: int) -> Sequence[tuple[int, Way]]:
    """List every district that the Bobby can reach at any cost, with the engine's route to it; best routes first."""
    tolls = tuple([_toll(spaces, len(state.colours), seat, state.options.co_majority) for spaces in state.lanes.values()])
    return _ways(state.board, state.bobby, tolls)


# What a turn does changes few tolls: it is the same map that is asked for again and again.
@lru_cache(maxsize=1 << 10)
def _ways(board: Board, start: int, tolls: tuple[Toll, ...]) -> Sequence[tuple[int, Way]]:
    toll_of, found = dict(zip(board.lanes, tolls, strict=True)), dict[int, Way]()
    waiting: list[Way] = [(0, 0, 0, (start,))]
    while waiting:
        way = heapq.heappop(waiting)
        cost, given, lanes, route = way
        if route[-1] in found:
            continue
        found[route[-1]] = way
        for district, lane in board.neighbours[route[-1]].items():
            if district not in found:
                toll, receivers = toll_of[lane]
                heapq.heappush(waiting, (cost + toll, given + len(receivers), lanes + 1, (*route, district)))
    del found[start]
    return tuple(found.items())


def payable_ways(state: State) -> Iterator[tuple[int, Way]]:
    """List the routes for which the active player has the points."""
    return takewhile(lambda each: each[1][0] <= state.scores[state.active], best_ways(state, state.active))


def cost(state: State, step: Step) -> int:
    """Compute what a legal step costs the active player, in points: the way of the Bobby to one district."""
    if not isinstance(step, Bobby) or not state.turn:
        return 0
    return dict(best_ways(state, state.active))[step.route[-1]][0]
