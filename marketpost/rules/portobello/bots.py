"""The bot `greedy`: compares whole turns and takes the best by points now and stalls left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from heapq import nlargest
from typing import TypeVar

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.allowed import MARKING, lord_due, marking_slot, open_tiles, unmarked
from marketpost.rules.portobello.legal import stall_steps
from marketpost.rules.portobello.orders import Bobby, ChooseTile, Draw, End, Lord, MarkDistrict, Orders, Place, notate
from marketpost.rules.portobello.scoring import TIMES, district_points, payable_ways, times_of
from marketpost.rules.portobello.state import LORD, Spaces, State, Tile, next_space, put
from marketpost.rules.portobello.steps import take
from marketpost.rules.portobello.trial import Trial

BREADTH = 20
"""How many beginnings of a turn are followed up. Two actions are looked at completely, four nearly so."""
SHORTLIST, SHORTLISTED = 10, 8
"""How many turns `strong` plays on, and how many beginnings it follows up to find them."""
HURRIED = 3
"""How many beginnings a player in a hurry follows up."""
A_LEAD = 12
"""So many points more than another make one e times as likely to win."""
A_STALL = 2.0
"""What it is worth to have one stall less to build."""
TO_BUILD = 2.0
"""How many points each stall left will bring, for every opponent."""
TO_MARK = 0.8
"""How much of what districts would bring now counts for tiles that may still mark one."""
AN_ACTION = 3.0
"""What an action is worth that is planned only after a draw has been seen."""
UNKNOWN_GUEST = 1.8
"""The multiplier to expect while a square is still free."""
HOPE = 0.5
"""How much of a lane that may yet be scored counts already."""
MOST_KNOWN = 1 << 14
"""How many lanes each seat remembers."""

T = TypeVar("T")


@dataclass(slots=True)
class Candidate:
    """The beginning of a turn: its orders, the position after them, and their worth."""

    state: State
    steps: Orders
    worth: float
    done: bool = False


Seen = tuple[Spaces, tuple[int, ...], str | None, str | None]
"""All that matters of a lane: whose stalls stand in it, on which values, and who is at its ends."""


def greedy(state: State, seat: int, chance: Chance) -> str:
    """Choose a whole turn."""
    return notate(_ranked(state.copy(), chance, 1, BREADTH)[0])


def shortlist(state: State, seat: int, chance: Chance) -> list[str]:
    """List the most promising turns for `strong` to look at."""
    return [notate(orders) for orders in _ranked(state.copy(), chance, SHORTLIST, SHORTLISTED)]


def quick(state: State, seat: int, chance: Chance) -> str:
    """Choose action by action, as if each were the last."""
    return notate(_ranked(state.copy(), chance, 1, 1)[0])


def quick_steps(state: State, seat: int, chance: Chance) -> Orders:
    """Choose a whole turn among few; `strong` and the analysis play their trial games with it."""
    return _ranked(state.copy(), chance, 1, HURRIED)[0]


def prospects(state: State) -> list[float]:
    """Estimate each seat's points, with what stalls, tiles and marks will bring. Weights were fitted to games of `greedy`."""
    return [_points_to_come(state, seat) / A_LEAD for seat in range(len(state.colours))]


def _points_to_come(state: State, seat: int) -> float:
    seen = [_seen(state, lane) for lane in state.lanes if lane not in state.scored]
    lanes = sum(_hope(each, _values(each, len(state.colours))[seat]) for each in seen)
    to_build = TO_BUILD * (len(state.colours) - 1) * state.stalls[seat]
    return state.scores[seat] + lanes + to_build + A_STALL * _better_tiles(state.tiles[seat]) + TO_MARK * _points_to_mark(state, seat)


def _points_to_mark(state: State, seat: int) -> int:
    """Count what the tiles that may still mark would bring now, each in a district of its own."""
    tiles = sorted((tile.number for tile in state.tiles[seat] if tile.own and tile.number in MARKING), reverse=True)
    stalls = nlargest(len(tiles), (district_points(state, district, seat, 1) for district in unmarked(state)))
    return sum(number * count for number, count in zip(tiles, stalls, strict=False))


def _better_tiles(tiles: Sequence[Tile]) -> float:
    """Count how many more actions the open tiles allow than average ones."""
    average = sum(tile.number for tile in tiles) / len(tiles)
    return sum(tile.number - average for tile in tiles if tile.open)


def _ranked(state: State, chance: Chance, most: int, breadth: int) -> list[Orders]:
    if not state.turn:
        return [(Bobby((district,)),) for district in nlargest(most, state.board.districts, key=partial(_richness, state))]
    if state.hand:
        kind = state.hand
        return [(Place(square),) for square in nlargest(most, state.free_squares(), key=lambda square: _guest_gain(state, square, kind))]
    plans = (plan for beginning in _beginnings(state, chance) for plan in _whole_turns(beginning, chance, breadth))
    return [plan.steps for plan in nlargest(most, plans, key=lambda plan: plan.worth)]


def _richness(state: State, district: int) -> int:
    return sum(sum(state.board.lanes[lane]) for lane in state.board.districts[district])


def _beginnings(state: State, chance: Chance) -> Iterator[Candidate]:
    """List the beginnings of a turn: each open tile, or the turn already begun."""
    if state.chosen:
        yield Candidate(state, (), 0.0)
        return
    for number in open_tiles(state):
        plan = _follow(Candidate(state, (), 0.0), (ChooseTile(number),), 0.0, chance)
        yield from (_marking(plan, district) for district in unmarked(state) if marking_slot(plan.state) is not None)
        yield plan


def _marking(plan: Candidate, district: int) -> Candidate:
    points = district_points(plan.state, district, plan.state.active, plan.state.chosen)
    return Candidate(plan.state, (*plan.steps, MarkDistrict(district)), float(points), done=True)


def _whole_turns(plan: Candidate, chance: Chance, breadth: int) -> Iterator[Candidate]:
    """Extend the most promising beginnings action by action."""
    alive = [plan]
    while alive:
        yield from (each for each in alive if each.done)
        offers = [offer for each in alive if not each.done for offer in _offers(each)]
        offers.sort(key=lambda offer: -offer[1])
        alive = list(_distinct(offers, chance, breadth))


Offer = tuple[Candidate, float, Orders]


def _offers(plan: Candidate) -> Iterator[Offer]:
    """Yield every next action of a plan with the plan's worth after it."""
    found = False
    for steps, gain in _actions(plan.state):
        found = True
        yield plan, plan.worth + gain, steps
    if not found:
        yield plan, plan.worth, (End(),)


def _distinct(offers: list[Offer], chance: Chance, breadth: int) -> Iterator[Candidate]:
    """Keep the best offers; two ways to the same position count as one."""
    seen: set[object] = set()
    for plan, worth, steps in offers:
        following = _follow(plan, steps, worth, chance)
        key = (following.done, following.state.bobby, round(worth, 6), *following.state.lanes.values())
        if key not in seen:
            seen.add(key)
            yield following
        if len(seen) == breadth:
            return


def _follow(plan: Candidate, steps: Orders, worth: float, chance: Chance) -> Candidate:
    """Extend a plan by these steps. A draw ends it: the rest is planned when the draw has been seen."""
    if isinstance(steps[-1], (Draw, End)):
        return Candidate(plan.state, (*plan.steps, *steps), worth, done=True)
    trial = Trial(plan.state.copy(), chance)
    for step in steps:
        take(trial, step)
    spent = trial.state.used == trial.state.chosen
    return Candidate(trial.state, (*plan.steps, *steps), worth, done=spent)


def _actions(state: State) -> Iterator[tuple[Orders, float]]:
    """Yield each action, with the Bobby where it stands or after moving it to where it is needed."""
    yield from _stalls(state, (), 0.0)
    if state.stalls[state.active]:
        yield from _stalls_elsewhere(state)
    if state.customers_left:
        yield _draw(state)
    if lord_due(state):
        yield (Lord(),), _guest_gain(state, state.free_squares()[0], LORD)


def _stalls_elsewhere(state: State) -> Iterator[tuple[Orders, float]]:
    here = state.bobby
    for district, (cost, given, _, route) in payable_ways(state):
        state.bobby = district
        yield from _stalls(state, (Bobby(route),), -cost - given / (len(state.colours) - 1))
        state.bobby = here


def _stalls(state: State, before: Orders, gain: float) -> Iterator[tuple[Orders, float]]:
    gains = _stall_gains(state.active, len(state.colours))
    for step in stall_steps(state):
        yield (*before, step), gain + A_STALL + gains[*_seen(state, step.lane), step.start == step.lane[0]]


class LaneWorths(dict[Seen, float]):
    """What lanes are worth to a seat. The beginnings of a turn differ in a lane or two: nearly every lane has been looked at before."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat, self.seats = seat, seats

    def __missing__(self, seen: Seen) -> float:
        """Value a lane: its points if it is scored now, else the more the fuller it is."""
        spaces, _, one, other = seen
        values, factor = _values(seen, self.seats), times_of(one, other)
        if None not in spaces and factor:
            worth = _lead([value * factor for value in values], self.seat)
        else:
            worth = _hope(seen, _lead(values, self.seat))
        return _keep(self, seen, worth)


class StallGains(dict[tuple[Spaces, tuple[int, ...], str | None, str | None, bool], float]):
    """How much more lanes are worth to a seat with one more stall; an empty lane is begun at the first letter's end or not."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat, self.worths = seat, _lane_worths(seat, seats)

    def __missing__(self, seen: tuple[Spaces, tuple[int, ...], str | None, str | None, bool]) -> float:
        spaces, values, one, other, at_first = seen
        after = put(spaces, next_space(spaces, at_first=at_first), self.seat)
        return _keep(self, seen, self.worths[after, values, one, other] - self.worths[spaces, values, one, other])


_lane_worths, _stall_gains = cache(LaneWorths), cache(StallGains)


def _keep(known: dict[T, float], key: T, value: float) -> float:
    """Remember a value; boards typed in by hand must not fill the memory."""
    if len(known) >= MOST_KNOWN:
        known.clear()
    known[key] = value
    return value


def _seen(state: State, lane: str) -> Seen:
    return state.lanes[lane], state.board.lanes[lane], state.squares[lane[0]], state.squares[lane[1]]


def _values(seen: Seen, seats: int) -> list[int]:
    """Sum what each seat's stalls in a lane stand on."""
    values = [0] * seats
    for seat, value in zip(seen[0], seen[1], strict=True):
        if seat is not None:
            values[seat] += value
    return values


def _hope(seen: Seen, value: float) -> float:
    """Estimate what such a value may bring in a lane that is not yet scored."""
    spaces, _, one, other = seen
    built = len(spaces) - spaces.count(None)
    return value * (times_of(one, other) or _expected_times(one or other)) * HOPE * built / len(spaces)


def _expected_times(guest: str | None) -> float:
    """Estimate the multiplier of a lane with this customer at one end, and none at the other."""
    if not guest:
        return UNKNOWN_GUEST
    return sum(TIMES.get((min(guest, kind), max(guest, kind)), 0) for kind in ("clerk", "citizen")) / 2


def _lead(points: Sequence[float], seat: int) -> float:
    mine = points[seat]
    return mine - (sum(points) - mine) / (len(points) - 1)


def _draw(state: State) -> tuple[Orders, float]:
    """Value a draw, with the best square for each kind, by its expectation."""
    (clerk, clerk_gain), (citizen, citizen_gain) = _best_square(state, "clerk"), _best_square(state, "citizen")
    bag = {state.queue[0]: 1} if state.queue else state.bag
    expected = (bag.get("clerk", 0) * clerk_gain + bag.get("citizen", 0) * citizen_gain) / sum(bag.values())
    return (Draw(clerk, citizen),), expected + AN_ACTION * (state.chosen - state.used - 1)


def _best_square(state: State, kind: str) -> tuple[str, float]:
    gains = {square: _guest_gain(state, square, kind) for square in state.free_squares()}
    best = max(gains, key=lambda square: gains[square])
    return best, gains[best]


def _guest_gain(state: State, square: str, kind: str) -> float:
    worths, gain = _lane_worths(state.active, len(state.colours)), 0.0
    for lane in state.board.lanes_at[square]:
        spaces, values, one, other = seen = _seen(state, lane)
        with_guest = (spaces, values, kind, other) if square == lane[0] else (spaces, values, one, kind)
        gain += worths[with_guest] - worths[seen]
    return gain
