"""Says what a position allows the player who is to act."""

from marketpost.rules.portobello.options import LordArrival
from marketpost.rules.portobello.state import KINDS, LORD, State

MARKING = (2, 4)


def spent(state: State) -> bool:
    """Whether all actions of the chosen tile are used."""
    return bool(state.chosen) and state.used == state.chosen


def open_tiles(state: State) -> list[int]:
    """List the numbers of the player's tiles that are still face up."""
    return sorted({tile.number for tile in state.tiles[state.active] if tile.open})


def lanes_with_room(state: State) -> list[str]:
    """List the lanes around the Bobby that are not full."""
    return [lane for lane in state.board.districts[state.bobby] if None in state.lanes[lane]]


def in_bag(state: State) -> list[str]:
    """List what may be drawn, in sorted order."""
    return [kind for kind in KINDS for _ in range(state.bag[kind])]


def marking_slot(state: State) -> int | None:
    """Find the player's own tile of the chosen number, if it can mark."""
    if state.chosen not in MARKING:
        return None
    return _slot(state, own=True)


def _slot(state: State, *, own: bool) -> int | None:
    tiles = enumerate(state.tiles[state.active])
    return next((slot for slot, tile in tiles if tile.open and tile.own == own and tile.number == state.chosen), None)


def unmarked(state: State) -> list[int]:
    """List the districts without a mark."""
    return [district for district in state.board.districts if district not in state.marks]


def can_act(state: State) -> bool:
    """Whether any action is legal with the Bobby where it stands."""
    if state.customers_left or lord_due(state):
        return True
    return bool(state.stalls[state.active] and lanes_with_room(state))


def lord_due(state: State) -> bool:
    """Whether the lord must be placed: with `lord = action` from the tenth customer on, until somebody places it."""
    return state.options.lord == LordArrival.ACTION and not state.customers_left and LORD not in state.squares.values()


def exhausted(state: State) -> bool:
    """Whether nothing is left for the active player to build, draw or place."""
    return not (state.stalls[state.active] or state.customers_left or state.hand or lord_due(state))


def used_slot(state: State) -> int:
    """Choose the tile to turn over: a neutral one before an own one, so that nobody loses a mark by accident."""
    neutral = _slot(state, own=False)
    own = _slot(state, own=True)
    return neutral if neutral is not None else own if own is not None else -1
