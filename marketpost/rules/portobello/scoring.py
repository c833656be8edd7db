"""Values of lanes, districts and the ways of the Bobby."""

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise

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


ANY_COST = 1 << 16
"""More points than any way costs."""
Toll = tuple[int, tuple[int, ...], int]
"""What crossing a lane costs, whom it is paid to, and its weight: the cost, the points given and the lanes crossed in one number."""


class Tolls(dict[Spaces, Toll]):
    """The toll of every lane that one seat has asked for: few lanes are new, and a look into a dictionary is fast."""

    def __init__(self, seats: int, seat: int, co_majority: CoMajority) -> None:
        self.seats, self.seat, self.co_majority = seats, seat, co_majority

    def __missing__(self, spaces: Spaces) -> Toll:
        toll = self[spaces] = _toll(spaces, self.seats, self.seat, self.co_majority)
        return toll


_tolls = cache(Tolls)


def _toll(spaces: Spaces, seats: int, seat: int, co_majority: CoMajority) -> Toll:
    counts = [spaces.count(each) for each in range(seats)]
    most = max(counts)
    ahead = tuple(each for each, count in enumerate(counts) if count == most)
    if most == 0:
        return _weighed(1, ())
    if seat not in ahead:
        return _weighed(len(ahead), ahead)
    return _weighed(int(len(ahead) > 1 and co_majority == CoMajority.PAY), ())


def _weighed(cost: int, receivers: tuple[int, ...]) -> Toll:
    return cost, receivers, cost << 16 | len(receivers) << 8 | 1


def route_points(state: State, route: tuple[int, ...]) -> tuple[int, ...]:
    """Compute what each seat pays or gets if the active one takes the Bobby this way; empty if it is free."""
    seat, neighbours, lanes = state.active, state.board.neighbours, state.lanes
    points, tolls = [0] * len(state.colours), _tolls(len(state.colours), seat, state.options.co_majority)
    for here, there in pairwise(route):
        cost, receivers, _ = tolls[lanes[neighbours[here][there]]]
        points[seat] -= cost
        for receiver in receivers:
            points[receiver] += 1
    return tuple(points) if points[seat] else ()


Way = tuple[int, int, tuple[int, ...]]
"""Cost, points given to opponents, districts."""


def payable_ways(state: State, points: int | None = None) -> Iterator[tuple[int, Way]]:
    """Find district after district to which the active player can pay the way, with the engine's route to it; best routes first."""
    for weight, route in _routes_in_order(state, state.scores[state.active] if points is None else points):
        yield route[-1], (weight >> 16, weight >> 8 & 255, route)


def best_route(state: State, goal: int) -> tuple[int, ...]:
    """Find the engine's route to a district."""
    return next(route for _, route in _routes_in_order(state) if route[-1] == goal)


def _routes_in_order(state: State, points: int = ANY_COST) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Find the route of least weight to each district by Dijkstra's algorithm, where it costs no more points than these."""
    lanes, tolls = state.lanes, _tolls(len(state.colours), state.active, state.options.co_majority)
    neighbours = state.board.neighbours
    found, most = set[int](), points + 1 << 16
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, (state.bobby,))]
    while waiting:
        weight, route = heappop(waiting)
        here = route[-1]
        if here in found:
            continue
        if found:
            yield weight, route
        found.add(here)
        for district, lane in neighbours[here].items():
            if district not in found and (total := weight + tolls[lanes[lane]][2]) < most:
                heappush(waiting, (total, (*route, district)))


def payable_districts(state: State) -> tuple[int, ...]:
    """List the districts to which the active player can pay the way, in order."""
    dearest = state.board.farthest[state.bobby] * max(1, len(state.colours) - 1)
    if state.scores[state.active] >= dearest:
        return state.board.elsewhere[state.bobby]
    return tuple(sorted([route[-1] for _, route in _routes_in_order(state, state.scores[state.active])]))


def cost(state: State, step: Step) -> int:
    """Compute what a legal step costs the active player, in points: the way of the Bobby to one district."""
    if not isinstance(step, Bobby) or not state.turn:
        return 0
    return dict(payable_ways(state, ANY_COST))[step.route[-1]][0]
