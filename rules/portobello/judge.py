"""Judges orders: from a position and a text to what happens, or why not."""

from collections.abc import Sequence
from itertools import pairwise

from rules.chance import Chance
from rules.portobello.events import (
    BobbyMoved,
    BobbyPlaced,
    CustomerDrawn,
    CustomerPlaced,
    DistrictMarked,
    Event,
    GameEnded,
    LaneScored,
    LordPlaced,
    StallBuilt,
    TileChosen,
    TurnClosed,
)
from rules.portobello.orders import (
    Bobby,
    ChooseTile,
    Draw,
    End,
    Look,
    Lord,
    Mark,
    Orders,
    Place,
    Stall,
    Step,
    notate_step,
    parse,
)
from rules.portobello.scoring import (
    best_ways,
    district_points,
    is_due,
    lane_points,
    lord_lanes,
    route_points,
)
from rules.portobello.state import KINDS, LORD, State
from rules.refusal import Illegal, Refusal, Refused
from rules.ruleset import Verdict

MARKING = (2, 4)


def judge(state: State, seat: int, text: str, chance: Chance) -> Verdict:
    """What these orders do. A refused submission changes nothing, but what chance has shown stays."""
    if state.over:
        return Verdict([], Refusal("game-over", 1))
    if seat != state.decider:
        return Verdict([], Refusal("not-your-turn", 1, {"colour": state.colours[state.decider]}))
    try:
        orders = parse(text)
    except Refused as refused:
        return Verdict([], refused.refusal)
    return _place_bobby(state, orders) if not state.turn else _play(state, orders, chance)


def _place_bobby(state: State, orders: Orders) -> Verdict:
    """Before turn 1 the only order is `bobby N`, alone in a submission."""
    first = orders[0]
    if not isinstance(first, Bobby):
        return Verdict([], Refusal("not-your-turn", 1, {"why": "bobby-first"}))
    try:
        _check_districts(state, first.route)
    except Illegal as refused:
        return Verdict([], Refusal(refused.code, 1, refused.refusal.values))
    if len(first.route) > 1:
        return Verdict([], Refusal("route-broken", 1, {"why": "bobby-first"}))
    if len(orders) > 1:
        return Verdict([], Refusal("not-your-turn", 2, {"why": "bobby-first"}))
    return Verdict([BobbyPlaced(state.decider, first.route[0])])


def _play(state: State, orders: Orders, chance: Chance) -> Verdict:
    table = Table(state, chance)
    try:
        table.play(orders)
    except Illegal as refused:
        return _refuse(state, table, refused, chance)
    close_turn(table)
    return Verdict(table.events)


def _refuse(state: State, table: "Table", refused: Illegal, chance: Chance) -> Verdict:
    """Nothing stands but what chance has shown, up to the last draw and its placement."""
    kept = Table(state, chance)
    for event in table.events[: table.standing]:
        kept.happen(event)
    if kept.events:
        close_turn(kept)
    dropped = tuple(map(notate_step, table.steps[table.standing_steps :])) if kept.events else ()
    return Verdict(kept.events, Refusal(refused.code, table.number, refused.refusal.values), dropped)


class Table:
    """One submission being played out on a position of its own."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state.copy()
        self.chance = chance
        self.events: list[Event] = []
        self.steps: list[Step] = []
        self.number = 0
        self.ended = False
        self.standing = 0
        """How many events stay if a later step is refused."""
        self.standing_steps = 0

    def happen(self, event: Event) -> None:
        event.apply(self.state)
        self.events.append(event)

    def play(self, orders: Orders) -> None:
        self.steps = list(orders)
        looked = False
        while self.number < len(self.steps):
            step = self.steps[self.number]
            self.number += 1
            take(self, step)
            drew = isinstance(step, (Draw, Look)) and not self._queued
            if drew or (looked and isinstance(step, Place)):
                self.standing, self.standing_steps = len(self.events), self.number
            looked = drew and isinstance(step, Look)

    @property
    def _queued(self) -> bool:
        return self.state.options.customers == "queue"

    def go_on(self, steps: Orders) -> None:
        """The steps of the branch that applies, numbered on from the `customer`."""
        self.steps.extend(steps)


def take(table: Table, step: Step) -> None:
    """One step: what the moment forbids first, then what the step itself needs."""
    _check_moment(table, step)
    match step:
        case ChooseTile(number):
            _choose_tile(table, number)
        case Stall(lane, start):
            _build(table, lane, start)
        case Draw(clerk, citizen):
            _draw(table, clerk, citizen)
        case Look():
            _look(table, step)
        case Place(square):
            _place(table, square)
        case Lord():
            _place_lord(table)
        case Bobby(route):
            _move_bobby(table, route)
        case Mark(district):
            _mark(table, district)
        case End():
            _end(table)


def _check_moment(table: Table, step: Step) -> None:
    state = table.state
    if state.hand and not isinstance(step, Place):
        raise Illegal("place-first", kind=state.hand, squares=state.free_squares())
    if state.marked and not isinstance(step, End):
        raise Illegal("mark-is-whole-turn")
    if isinstance(step, Mark) and (state.used or state.wandered):
        raise Illegal("mark-is-whole-turn")
    if table.ended or (_spent(state) and not isinstance(step, (Bobby, End))):
        raise Illegal("no-actions-left", tile=state.chosen)
    if not state.chosen and not isinstance(step, ChooseTile):
        raise Illegal("choose-tile-first", open=open_tiles(state))
    if state.chosen and isinstance(step, ChooseTile):
        raise Illegal("tile-already-chosen", tile=state.chosen)


def _spent(state: State) -> bool:
    return bool(state.chosen) and state.used == state.chosen


def open_tiles(state: State) -> list[int]:
    return sorted({tile.number for tile in state.tiles[state.active] if tile.open})


def _choose_tile(table: Table, number: int) -> None:
    if number not in open_tiles(table.state):
        raise Illegal("tile-not-open", tile=number, open=open_tiles(table.state))
    table.happen(TileChosen(table.state.active, number))


def _build(table: Table, lane: str, start: str | None) -> None:
    state = table.state
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
    table.happen(StallBuilt(state.active, lane, state.next_space(lane, start)))
    _score(table, [lane])


def lanes_with_room(state: State) -> list[str]:
    """The lanes the Bobby guards that are not full."""
    return [lane for lane in state.board.districts[state.bobby] if None in state.lanes[lane]]


def _score(table: Table, lanes: Sequence[str]) -> None:
    for lane in lanes:
        if is_due(table.state, lane):
            table.happen(LaneScored(lane, lane_points(table.state, lane)))


def _draw(table: Table, clerk: str, citizen: str) -> None:
    _check_square(table.state, clerk)
    _check_square(table.state, citizen)
    _check_bag(table.state)
    _check_free(table.state, clerk)
    _check_free(table.state, citizen)
    kind = _draw_blind(table)
    _put(table, clerk if kind == "clerk" else citizen)


def _look(table: Table, look: Look) -> None:
    _check_bag(table.state)
    kind = _draw_blind(table)
    table.go_on(next((branch.steps for branch in look.branches if branch.kind == kind), ()))


def _check_square(state: State, square: str) -> None:
    if square not in state.squares:
        raise Illegal("unknown-square", square=square, squares=state.free_squares())


def _check_bag(state: State) -> None:
    if not state.customers_left:
        raise Illegal("bag-empty")


def _check_free(state: State, square: str) -> None:
    if guest := state.squares[square]:
        raise Illegal("square-taken", square=square, guest=guest, squares=state.free_squares())


def _draw_blind(table: Table) -> str:
    state = table.state
    kind = state.queue[0] if state.queue else table.chance.pick(in_bag(state))
    table.happen(CustomerDrawn(state.active, kind))
    return kind


def in_bag(state: State) -> list[str]:
    """What may be drawn, in sorted order."""
    return [kind for kind in KINDS for _ in range(state.bag[kind])]


def _place(table: Table, square: str) -> None:
    _check_square(table.state, square)
    if not table.state.hand:
        raise Illegal("nothing-to-place")
    _check_free(table.state, square)
    _put(table, square)


def _put(table: Table, square: str) -> None:
    state = table.state
    table.happen(CustomerPlaced(state.active, state.hand or "", square))
    _score(table, state.board.lanes_at[square])
    if state.options.lord == "automatic" and not state.customers_left:
        _crown(table, action=False)


def _crown(table: Table, *, action: bool) -> None:
    (square,) = table.state.free_squares()
    table.happen(LordPlaced(table.state.active, square, action))
    _score(table, table.state.board.lanes_at[square])


def _place_lord(table: Table) -> None:
    state = table.state
    if state.options.lord == "automatic":
        raise Illegal("lord-is-automatic")
    if LORD in state.squares.values():
        raise Illegal("lord-already-placed", square=next(s for s, guest in state.squares.items() if guest == LORD))
    if state.customers_left:
        raise Illegal("lord-not-yet", count=state.customers_left)
    _crown(table, action=True)


def _move_bobby(table: Table, named: tuple[int, ...]) -> None:
    state = table.state
    _check_districts(state, named)
    route = best_ways(state, state.active)[named[0]][3] if _only_destination(state, named) else _named_route(state, named)
    points = route_points(state, route, state.active)
    if points and state.scores[state.active] + points[state.active] < 0:
        raise Illegal("cannot-pay", cost=-points[state.active], count=state.scores[state.active])
    table.happen(BobbyMoved(state.active, route, points))


def _check_districts(state: State, named: Sequence[int]) -> None:
    for district in named:
        if district not in state.board.districts:
            raise Illegal("unknown-district", district=district, last=max(state.board.districts))


def _only_destination(state: State, named: tuple[int, ...]) -> bool:
    return len(named) == 1 and named[0] != state.bobby


def _named_route(state: State, named: tuple[int, ...]) -> tuple[int, ...]:
    """A route as the player wrote it, with or without the district where the Bobby stands."""
    route = named if named[0] == state.bobby else (state.bobby, *named)
    joined = all(there in state.board.neighbours[here] for here, there in pairwise(route))
    if len(route) < 2 or len(set(route)) < len(route) or not joined:
        raise Illegal("route-broken", bobby=state.bobby, districts=list(state.board.neighbours[state.bobby]))
    return route


def _mark(table: Table, district: int) -> None:
    state = table.state
    _check_districts(state, [district])
    slot = marking_slot(state)
    if slot is None:
        raise Illegal("tile-cannot-mark", tile=state.chosen)
    if district in state.marks:
        raise Illegal("district-marked", district=district, districts=unmarked(state))
    points = district_points(state, district, state.active, state.chosen)
    arrives_open = state.options.neutral_arrives == "open"
    table.happen(DistrictMarked(state.active, district, slot, state.chosen, points, state.neutral[0], arrives_open))


def marking_slot(state: State) -> int | None:
    """Where the player's own tile of the chosen number lies, if it can mark."""
    if state.chosen not in MARKING:
        return None
    return _slot(state, own=True)


def _slot(state: State, *, own: bool) -> int | None:
    tiles = enumerate(state.tiles[state.active])
    return next((slot for slot, tile in tiles if tile.open and tile.own == own and tile.number == state.chosen), None)


def unmarked(state: State) -> list[int]:
    return [district for district in state.board.districts if district not in state.marks]


def _end(table: Table) -> None:
    state = table.state
    if not (state.marked or _spent(state)) and can_act(state):
        raise Illegal("actions-owed", count=state.chosen - state.used)
    table.ended = True


def can_act(state: State) -> bool:
    """Whether any action is legal with the Bobby where it stands."""
    if state.customers_left or lord_due(state):
        return True
    return bool(state.stalls[state.active] and lanes_with_room(state))


def lord_due(state: State) -> bool:
    """With `lord = action`, from the tenth customer on until somebody places it."""
    return state.options.lord == "action" and not state.customers_left and LORD not in state.squares.values()


def close_turn(table: Table) -> None:
    """At the end of a submission, the turn closes if nothing is left to do in it."""
    state = table.state
    if state.hand or not (state.marked or _spent(state) or table.ended or _exhausted(state)):
        return
    cut_short = table.ended and not (state.marked or _spent(state) or _exhausted(state))
    slot = -1 if state.marked else _used_slot(state)
    others = (tile.open for place, tile in enumerate(state.tiles[state.active]) if place != slot)
    table.happen(TurnClosed(state.active, slot, not any(others), cut_short, _next_seat(state)))
    if not state.chosen and _is_last_close(table):
        _finish(table)


def _exhausted(state: State) -> bool:
    return not (state.stalls[state.active] or state.customers_left or state.hand or lord_due(state))


def _used_slot(state: State) -> int:
    """A neutral tile goes before an own one, so that nobody loses a mark by accident."""
    neutral = _slot(state, own=False)
    own = _slot(state, own=True)
    return neutral if neutral is not None else own if own is not None else -1


def _next_seat(state: State) -> int:
    """The round is always finished; after it the game ends if a supply is empty or nobody did anything."""
    following = (state.active + 1) % len(state.colours)
    idle = not (state.busy or state.used or state.marked)
    if following == 0 and (0 in state.stalls or idle):
        return -1
    return following


def _is_last_close(table: Table) -> bool:
    last = table.events[-1]
    return isinstance(last, TurnClosed) and last.next == -1


def _finish(table: Table) -> None:
    state = table.state
    for lane in list(lord_lanes(state)):
        if any(points := lane_points(state, lane)):
            table.happen(LaneScored(lane, points))
    best = max(state.scores)
    table.happen(GameEnded(tuple(seat for seat, score in enumerate(state.scores) if score == best)))
