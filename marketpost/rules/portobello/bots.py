"""The bot `greedy`: compares whole turns and takes the best by points now and stalls left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import nlargest
from typing import NamedTuple

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.allowed import lord_due, marking_slot, open_tiles, unmarked
from marketpost.rules.portobello.legal import stall_steps
from marketpost.rules.portobello.orders import Bobby, ChooseTile, Draw, End, Lord, MarkDistrict, Orders, Place, Stall, notate
from marketpost.rules.portobello.scoring import TIMES, district_points, payable_ways, times_of
from marketpost.rules.portobello.state import LORD, Spaces, State, Tile, put
from marketpost.rules.portobello.steps import take
from marketpost.rules.portobello.trial import Trial

BREADTH = 20
"""How many beginnings of a turn are followed up. Two actions are looked at completely, four nearly so."""
SHORTLIST, SHORTLISTED = 10, 8
"""How many turns `strong` plays on, and how many beginnings it follows up to find them."""
A_LEAD = 14
"""So many points more than another make one e times as likely to win."""
A_STALL = 2.0
"""What it is worth to have one stall less to build."""
AN_ACTION = 3.0
"""What an action is worth that is planned only after a draw has been seen."""
UNKNOWN_GUEST = 1.8
"""The multiplier to expect while a square is still free."""
HOPE = 0.5
"""How much of a lane that may yet be scored counts already."""


@dataclass(slots=True)
class Candidate:
    """The beginning of a turn: its orders, the position after them, and their worth."""

    state: State
    steps: Orders
    worth: float
    done: bool = False


class Seen(NamedTuple):
    """All that matters of a lane: whose stalls stand in it, on which values, and who is at its ends."""

    spaces: Spaces
    worth: tuple[int, ...]
    guests: tuple[str | None, str | None]


def greedy(state: State, seat: int, chance: Chance) -> str:
    """Choose a whole turn."""
    return notate(_ranked(state.copy(), chance, 1, BREADTH)[0])


def shortlist(state: State, seat: int, chance: Chance) -> list[str]:
    """List the most promising turns for `strong` to look at."""
    return [notate(orders) for orders in _ranked(state.copy(), chance, SHORTLIST, SHORTLISTED)]


def quick(state: State, seat: int, chance: Chance) -> str:
    """Choose action by action, as if each were the last; `strong` plays its trial games with it."""
    return notate(_ranked(state.copy(), chance, 1, 1)[0])


def prospects(state: State) -> list[float]:
    """Estimate each seat's points, with what stalls and open tiles will bring."""
    return [_points_to_come(state, seat) / A_LEAD for seat in range(len(state.colours))]


def _points_to_come(state: State, seat: int) -> float:
    seen = [_seen(state, lane) for lane in state.lanes if lane not in state.scored]
    lanes = sum(_hope(each, _values(each, len(state.colours))[seat]) for each in seen)
    return state.scores[seat] + lanes - A_STALL / 2 * state.stalls[seat] + A_STALL * _better_tiles(state.tiles[seat])


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
    trial = Trial(plan.state, chance)
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
    for step in stall_steps(state):
        yield (*before, step), gain + A_STALL + _stall_gain(state, step)


def _stall_gain(state: State, step: Stall) -> float:
    """Compute the worth of a lane with the stall, less its worth without."""
    before = _seen(state, step.lane)
    after = Seen(put(before.spaces, state.next_space(step.lane, step.start), state.active), before.worth, before.guests)
    return _worth(after, state.active, len(state.colours)) - _worth(before, state.active, len(state.colours))


def _lane_worth(state: State, lane: str) -> float:
    return _worth(_seen(state, lane), state.active, len(state.colours))


# The beginnings of a turn differ in a lane or two: nearly every lane has been looked at before.
@lru_cache(maxsize=1 << 14)
def _worth(seen: Seen, seat: int, seats: int) -> float:
    """Value a lane: its points if it is scored now, else the more the fuller it is."""
    values, factor = _values(seen, seats), times_of(*seen.guests)
    if None not in seen.spaces and factor:
        return _lead([value * factor for value in values], seat)
    return _hope(seen, _lead(values, seat))


def _seen(state: State, lane: str) -> Seen:
    return Seen(state.lanes[lane], state.board.lanes[lane], (state.squares[lane[0]], state.squares[lane[1]]))


def _values(seen: Seen, seats: int) -> list[int]:
    """Sum what each seat's stalls in a lane stand on."""
    values = [0] * seats
    for seat, value in zip(seen.spaces, seen.worth, strict=True):
        if seat is not None:
            values[seat] += value
    return values


def _hope(seen: Seen, value: float) -> float:
    """Estimate what such a value may bring in a lane that is not yet scored."""
    built = len(seen.spaces) - seen.spaces.count(None)
    return value * (times_of(*seen.guests) or _expected_times(seen)) * HOPE * built / len(seen.spaces)


def _expected_times(seen: Seen) -> float:
    guests = [guest for guest in seen.guests if guest]
    if not guests:
        return UNKNOWN_GUEST
    return sum(TIMES.get((min(guests[0], kind), max(guests[0], kind)), 0) for kind in ("clerk", "citizen")) / 2


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
    lanes = state.board.lanes_at[square]
    before = sum(_lane_worth(state, lane) for lane in lanes)
    state.squares[square] = kind
    after = sum(_lane_worth(state, lane) for lane in lanes)
    state.squares[square] = None
    return after - before
