"""Positions of Portobello Market for tests: played from the start with chance told, or set up by hand."""

from typing import Any

from marketpost.rules.chance import RecordedChance
from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.events import BobbyPlaced, CustomerDrawn, CustomerPlaced, LaneScored, LordPlaced, StallBuilt
from marketpost.rules.portobello.start import parse_turn
from marketpost.rules.portobello.state import COLOURS, LORD, State
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import Setting, Verdict

LETTERS = "rygb"
QUEUE = "citizen clerk clerk citizen clerk citizen clerk citizen clerk citizen"
TEN_GUESTS = "A clerk, B citizen, C clerk, D citizen, E clerk, F citizen, G clerk, H citizen, I clerk, J citizen"
ALL_GUESTS = TEN_GUESTS + ", K lord"
FOUR_IS_FULL = "BF rrrr, BG rrrrrr, FG rr"
"""All three lanes of district 4 are full."""


def opened(
    players: int = 2, edition: str = "de", board: str | dict[str, Any] = "portobello-classic", queue: str = "", **options: Any
) -> State:
    """A game whose Bobby still stands aside."""
    if queue:
        options["customers"] = "queue"
    setting = Setting(COLOURS[:players], board, edition, options)
    return RULESET.fold(RULESET.start(setting, RecordedChance(queue.split())))


def after(*submissions: str, **setting: Any) -> State:
    """The game after these submissions, each by whoever was to decide; draws are told as in a record: `customer C=clerk`."""
    state = opened(**setting)
    for orders in submissions:
        state = then(state, orders)
    return state


def then(state: State, *submissions: str) -> State:
    """A new position, after submissions that must be accepted."""
    for orders in submissions:
        verdict = judged(state, orders)
        assert verdict.refusal is None, (orders, verdict.refusal)
        state = applied(state, verdict)
    return state


def judged(state: State, orders: str, by: str | None = None) -> Verdict:
    """What the judge says; a draw that is not told, or told and not made, fails the test."""
    written, outcomes = parse_turn(orders)
    chance = RecordedChance(outcomes)
    verdict = RULESET.judge(state, state.decider if by is None else state.colours.index(by), written, chance)
    assert not chance.left
    return verdict


def applied(state: State, verdict: Verdict) -> State:
    state = state.copy()
    for event in verdict.events:
        event.apply(state)
    return state


def refused(state: State, orders: str, by: str | None = None) -> Refusal:
    """Why these orders are refused; nothing may have happened."""
    before = state.copy()
    verdict = judged(state, orders, by)
    assert verdict.refusal is not None, f"{orders} is legal"
    assert (list(verdict.events), verdict.dropped) == ([], ())
    assert state == before
    return verdict.refusal


def why(state: State, orders: str, by: str | None = None) -> tuple[str, int]:
    """The code and the step of a refusal."""
    refusal = refused(state, orders, by)
    return refusal.code, refusal.step


def position(
    stalls: str = "",
    guests: str = "",
    *,
    bobby: int = 4,
    to_move: str = "red",
    scores: dict[str, int] | None = None,
    supply: dict[str, int] | None = None,
    **setting: Any,
) -> State:
    """A position set up by hand: `stalls="BF ry.., EF g."` from the first letter's end, `guests="B clerk, K lord"`."""
    state = opened(**{"players": 4, **setting})
    BobbyPlaced(0, bobby).apply(state)
    for lane, spaces in _pairs(stalls):
        for space, letter in enumerate(spaces):
            if letter in LETTERS:
                StallBuilt(LETTERS.index(letter), lane, space).apply(state)
    for square, guest in _pairs(guests):
        _seat_guest(state, square, guest)
    _count_as_scored(state)
    state.used, state.busy, state.active = 0, False, state.colours.index(to_move)
    state.turn += state.active
    for colour, score in (scores or {}).items():
        state.scores[state.colours.index(colour)] = score
    for colour, left in (supply or {}).items():
        state.stalls[state.colours.index(colour)] = left
    return state


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(name, what) for name, what in (part.split() for part in text.split(",") if part)]


def _seat_guest(state: State, square: str, guest: str) -> None:
    if guest == LORD:
        LordPlaced(0, square, False).apply(state)
    else:
        CustomerDrawn(0, guest).apply(state)
        CustomerPlaced(0, guest, square).apply(state)


def _count_as_scored(state: State) -> None:
    """What is complete when the position begins was scored before."""
    for lane, spaces in state.lanes.items():
        if None not in spaces and all(state.squares[end] for end in lane):
            LaneScored(lane, (0,) * len(state.colours)).apply(state)


def scores(state: State) -> dict[str, int]:
    return dict(zip(state.colours, state.scores, strict=True))


def gains(before: State, after: State) -> dict[str, int]:
    """What each colour won or lost; those without a change are left out."""
    changes = {colour: scores(after)[colour] - score for colour, score in scores(before).items()}
    return {colour: change for colour, change in changes.items() if change}


def tiles(state: State, colour: str) -> str:
    """`2 (3) n3`: an open 2, a 3 face down, an open neutral 3."""
    shown = ((f"{'' if tile.own else 'n'}{tile.number}", tile.open) for tile in state.tiles[state.colours.index(colour)])
    return " ".join(name if is_open else f"({name})" for name, is_open in shown)


def to_move(state: State) -> str:
    return state.colours[state.decider]


def stalls_on(state: State, lane: str) -> str:
    return "".join("." if seat is None else LETTERS[seat] for seat in state.lanes[lane])


def stuck(**setting: Any) -> State:
    """The Bobby stands among full lanes; nobody is left to draw or to place."""
    return position(FOUR_IS_FULL, ALL_GUESTS, **setting)


def fresh() -> State:
    """Turn 1, the Bobby between B, F and G."""
    return after("bobby 4")


def holding() -> State:
    """Red holds a clerk, with one action of two used."""
    return then(fresh(), "2: stall B-F; customer=clerk")
