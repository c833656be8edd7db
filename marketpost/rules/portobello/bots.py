"""The bot `greedy`: compares whole turns and takes the best by points now and stalls left."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from heapq import nlargest
from itertools import chain, product
from operator import itemgetter
from typing import NamedTuple, TypeVar

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.allowed import MARKING, lord_due, open_tiles, unmarked
from marketpost.rules.portobello.legal import stalls_in
from marketpost.rules.portobello.orders import Bobby, ChooseTile, Draw, End, Lord, MarkDistrict, Orders, Place, Stall, Step, notate
from marketpost.rules.portobello.scoring import TIMES, district_points, payable_ways, times_of
from marketpost.rules.portobello.state import LORD, STALLS, Spaces, State, Tile, next_space, put
from marketpost.rules.portobello.steps import take
from marketpost.rules.portobello.trial import Trial

BREADTH = 20
"""How many beginnings of a turn are followed up. Two actions are looked at completely, four nearly so."""
SHORTLIST, SHORTLISTED = 16, 12
"""How many turns `strong` plays on, and how many beginnings it follows up to find them."""
MANY, MOST_ALIKE = 200, 4
"""How many turns it chooses them from, and how many of them may be alike."""
HURRIED = 3
"""How many beginnings a player in a hurry follows up."""
EARLY_LEAD, LATE_LEAD = 22, 8
"""So many points more than another make one e times as likely to win: when no stall is built, and when all are."""
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

K = TypeVar("K")
V = TypeVar("V")
Plan = tuple[Orders, float]
"""Steps and what they are worth."""
Tiles = dict[int, Orders]
"""The numbers of the tiles that a turn may be played with, and how it begins then."""


class Beginning(NamedTuple):
    """The beginning of a turn: the position after it, its steps without the tile, and their worth."""

    state: State
    steps: Orders
    worth: float
    lanes: "Lanes"


Offer = tuple[Beginning, float, Orders]


Seen = tuple[Spaces, tuple[int, ...], str | None, str | None]
"""All that matters of a lane: whose stalls stand in it, on which values, and who is at its ends."""


class LaneGain(NamedTuple):
    """How much more a lane is worth to a seat with each stall that may come next, and with a customer on each of its free squares."""

    stalls: tuple[tuple[Stall, float], ...]
    clerk: dict[str, float]
    citizen: dict[str, float]


Lanes = Mapping[str, LaneGain]


def greedy(state: State, seat: int, chance: Chance) -> str:
    """Choose a whole turn."""
    return notate(_ranked(state.copy(), chance, 1, BREADTH)[0])


def shortlist(state: State, seat: int, chance: Chance) -> list[str]:
    """List the most promising turns for `strong` to look at: the best of each kind first, and few that are alike."""
    found, alike = list[tuple[int, Orders]](), Counter[object]()
    for orders in _ranked(state.copy(), chance, MANY, SHORTLISTED):
        kind = orders[0], type(orders[-1])
        alike[kind] += 1
        if alike[kind] <= MOST_ALIKE:
            found.append((alike[kind], orders))
    return [notate(orders) for _, orders in sorted(found[:SHORTLIST], key=itemgetter(0))]


def quick(state: State, seat: int, chance: Chance) -> str:
    """Choose action by action, as if each were the last."""
    return notate(_ranked(state.copy(), chance, 1, 1)[0])


def quick_steps(state: State, seat: int, chance: Chance) -> Orders:
    """Choose a whole turn among few; `strong` and the analysis play their trial games with it."""
    return _ranked(state.copy(), chance, 1, HURRIED)[0]


def prospects(state: State) -> list[float]:
    """Estimate each seat's points, with what stalls, tiles and marks will bring. Weights were fitted to games between quick bots."""
    hopes = _lane_hopes(len(state.colours))
    seen = [hopes[_seen(state, lane)] for lane in state.lanes if lane not in state.scored]
    seats = len(state.colours)
    lead = LATE_LEAD + (EARLY_LEAD - LATE_LEAD) * sum(state.stalls) / (seats * STALLS[seats])
    return [_points_to_come(state, seat, sum(lane[seat] for lane in seen)) / lead for seat in range(seats)]


def _points_to_come(state: State, seat: int, lanes: float) -> float:
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
    plans = nlargest(most, chain(_marks(state), _whole_turns(state, chance, most, breadth)), key=itemgetter(1))
    return [steps for steps, _ in plans]


def _richness(state: State, district: int) -> int:
    return sum(sum(state.board.lanes[lane]) for lane in state.board.districts[district])


def _marks(state: State) -> Iterator[Plan]:
    """List the marks that a turn not yet begun may be used for."""
    marking = {tile.number for tile in state.tiles[state.active] if tile.own and tile.open} & {*MARKING} if not state.chosen else set()
    for number, district in product(sorted(marking), unmarked(state)):
        yield (ChooseTile(number), MarkDistrict(district)), float(district_points(state, district, state.active, number))


def _whole_turns(state: State, chance: Chance, most: int, breadth: int) -> Iterator[Plan]:
    """Extend the most promising beginnings action by action, for all open tiles at once: with a smaller one a turn ends sooner."""
    tiles: Tiles = {state.chosen: ()} if state.chosen else {number: (ChooseTile(number),) for number in open_tiles(state)}
    state = state.copy()
    state.chosen = max(tiles)
    alive = [Beginning(state, (), 0.0, _lanes(state))]
    while alive and (left := {number: tile for number, tile in tiles.items() if number > alive[0].state.used}):
        offers = list[Offer]()
        for each in alive:
            actions = list(_actions(each.state, each.lanes, breadth))
            offers += [(each, each.worth + gain, steps) for steps, gain in actions]
            yield from _ends(each, left, may_act=bool(actions))
        offers.sort(key=itemgetter(1), reverse=True)
        done = alive[0].state.used + 1
        alive = list(_distinct(offers, chance, min(most, breadth) if done == state.chosen else breadth))
        if done in tiles:
            yield from (((*tiles[done], *each.steps), each.worth) for each in alive)


def _ends(begun: Beginning, left: Tiles, *, may_act: bool) -> Iterator[Plan]:
    """Yield the turns that end here: with a draw, because the rest is planned when it has been seen, or because there is nothing to do."""
    if begun.state.customers_left:
        draw, gain = _draw(begun.state, begun.lanes)
        for number, tile in left.items():
            yield (*tile, *begun.steps, draw), begun.worth + gain + AN_ACTION * (number - begun.state.used - 1)
    elif not may_act:
        yield from (((*tile, *begun.steps, End()), begun.worth) for tile in left.values())


def _distinct(offers: list[Offer], chance: Chance, breadth: int) -> Iterator[Beginning]:
    """Follow the best offers; two ways to the same position count as one."""
    seen: set[object] = set()
    for begun, worth, steps in offers:
        trial = Trial(begun.state.copy(), chance)
        for step in steps:
            take(trial, step)
        key = tuple(trial.state.lanes.values())
        if key not in seen:
            seen.add(key)
            yield Beginning(trial.state, (*begun.steps, *steps), worth, _lanes_after(begun.lanes, trial.state, steps[-1]))
        if len(seen) == breadth:
            return


def _lanes(state: State) -> Lanes:
    known = _lane_gains(state.active, len(state.colours))
    return {lane: known[lane, _seen(state, lane)] for lane in state.lanes}


def _lanes_after(lanes: Lanes, state: State, step: Step) -> Lanes:
    """Look at the lanes again after an action: a stall changes one."""
    if not isinstance(step, Stall):
        return _lanes(state)
    known = _lane_gains(state.active, len(state.colours))
    return {**lanes, step.lane: known[step.lane, _seen(state, step.lane)]}


def _actions(state: State, lanes: Lanes, breadth: int) -> Iterator[Plan]:
    """Yield each action but a draw, with the Bobby where it stands or after moving it to where it is needed."""
    if state.stalls[state.active]:
        yield from _stalls(lanes, state.board.districts[state.bobby], (), A_STALL)
        for district, (cost, given, route) in payable_ways(state, _worth_paying(state, lanes, breadth)):
            tolls = -cost - given / (len(state.colours) - 1)
            yield from _stalls(lanes, state.board.districts[district], (Bobby(route),), tolls + A_STALL)
    if lord_due(state):
        yield (Lord(),), _guest_gain(state, state.free_squares()[0], LORD)


def _worth_paying(state: State, lanes: Lanes, breadth: int) -> int:
    """Compute what a way may cost at most, so that a stall at its end can be among so many best ones."""
    here = sorted([more for lane in state.board.districts[state.bobby] for _, more in lanes[lane].stalls], reverse=True)[:breadth]
    best = max([more for lane in lanes.values() for _, more in lane.stalls], default=0.0)
    return min(state.scores[state.active], int(best - here[-1] if here else best + A_STALL))


def _stalls(lanes: Lanes, around: Iterable[str], before: Orders, gain: float) -> Iterator[Plan]:
    for lane in around:
        for stall, more in lanes[lane].stalls:
            yield (*before, stall), gain + more


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


class LaneGains(dict[tuple[str, Seen], LaneGain]):
    """Gains of a seat by stalls and customers, lane by lane. A plan looks at each lane once to compare all that it may do next."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat, self.worths = seat, _lane_worths(seat, seats)

    def __missing__(self, key: tuple[str, Seen]) -> LaneGain:
        """Try all that can come to the lane next."""
        lane, seen = key
        stalls = tuple((stall, self._of_stall(seen, stall)) for stall in stalls_in(lane, seen[0]))
        free = [square for square, guest in zip(lane, seen[2:], strict=True) if guest is None]
        clerk, citizen = ({square: _with_guest(self.worths, lane, seen, square, kind) for square in free} for kind in ("clerk", "citizen"))
        return _keep(self, key, LaneGain(stalls, clerk, citizen))

    def _of_stall(self, seen: Seen, stall: Stall) -> float:
        spaces, values, one, other = seen
        after = put(spaces, next_space(spaces, at_first=stall.start == stall.lane[0]), self.seat)
        return self.worths[after, values, one, other] - self.worths[seen]


class LaneHopes(dict[Seen, list[float]]):
    """Estimate for each seat the points that its stalls in a lane not yet scored may bring."""

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def __missing__(self, seen: Seen) -> list[float]:
        return _keep(self, seen, [_hope(seen, value) for value in _values(seen, self.seats)])


_lane_worths, _lane_gains, _lane_hopes = cache(LaneWorths), cache(LaneGains), cache(LaneHopes)


def _keep(known: dict[K, V], key: K, value: V) -> V:
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


def _draw(state: State, lanes: Lanes) -> tuple[Draw, float]:
    """Value a draw, with the best square for each kind, by its expectation."""
    around = [(square, [lanes[lane] for lane in state.board.lanes_at[square]]) for square in state.free_squares()]
    clerk, clerk_gain = max([(square, sum([lane.clerk[square] for lane in here])) for square, here in around], key=itemgetter(1))
    citizen, citizen_gain = max([(square, sum([lane.citizen[square] for lane in here])) for square, here in around], key=itemgetter(1))
    bag = {state.queue[0]: 1} if state.queue else state.bag
    expected = (bag.get("clerk", 0) * clerk_gain + bag.get("citizen", 0) * citizen_gain) / sum(bag.values())
    return Draw(clerk, citizen), expected


def _guest_gain(state: State, square: str, kind: str) -> float:
    worths = _lane_worths(state.active, len(state.colours))
    return sum(_with_guest(worths, lane, _seen(state, lane), square, kind) for lane in state.board.lanes_at[square])


def _with_guest(worths: LaneWorths, lane: str, seen: Seen, square: str, kind: str) -> float:
    spaces, values, one, other = seen
    with_guest = (spaces, values, kind, other) if square == lane[0] else (spaces, values, one, kind)
    return worths[with_guest] - worths[seen]
