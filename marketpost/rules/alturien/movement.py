"""Moves figures along the streets: where they may end and face, and why a move is refused."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from marketpost.rules.alturien.board import Board, Way
from marketpost.rules.alturien.orders import CUSTOMER_SIGN, THIEF_SIGN, Move, places
from marketpost.rules.alturien.state import THIEF, State
from marketpost.rules.refusal import Illegal
from marketpost.rules.words import fold


class Landing(NamedTuple):
    """A figure, the space where it ends and its facing: all that matters of a move."""

    figure: int
    space: str
    facing: str


def lengths(state: State) -> tuple[int, ...]:
    """List every number of steps that the roll allows, the cart's extra step included."""
    return _lengths(state.board, state.dice, "cart" in state.cards[state.active])


@lru_cache(maxsize=1 << 10)
def _lengths(board: Board, dice: tuple[str, ...], cart: bool) -> tuple[int, ...]:
    steps = {length for face in dice for length in board.lengths[face]}
    if cart:
        steps |= {length + 1 for length in steps}
    return tuple(sorted(steps))


def landings(state: State) -> Iterator[Landing]:
    """List every landing that the roll allows."""
    allowed = lengths(state)
    for figure in range(len(state.kinds)):
        yield from [Landing(figure, *way) for way in figure_landings(state, figure, allowed)]


def figure_landings(state: State, figure: int, allowed: tuple[int, ...]) -> list[Way]:
    """List the landings of one figure."""
    others = _others(state, figure)
    return [way for way in state.board.ways(state.spaces[figure], state.facings[figure], allowed) if way[0] not in others]


def _others(state: State, figure: int) -> list[str]:
    """List the spaces on which other figures stand."""
    others = state.spaces.copy()
    del others[figure]
    return others


def is_free(state: State, space: str, mover: int) -> bool:
    """Whether no other figure stands on this space."""
    return space not in _others(state, mover)


def can_move(state: State) -> bool:
    """Whether any figure can move."""
    allowed = lengths(state)
    return any(figure_landings(state, figure, allowed) for figure in range(len(state.kinds)))


def moves(state: State) -> list[Move]:
    """List every legal move as its shortest order."""
    allowed, found = lengths(state), list[Move]()
    for figure, start in enumerate(state.spaces):
        others = _others(state, figure)
        shortest = _shortest(state.board, start, state.facings[figure], allowed, _sign(state, figure))
        found += [move for move, (end, _) in shortest.items() if end not in others]
    return found


# Figures pass the same places with the same rolls again and again.
@lru_cache(maxsize=1 << 14)
def _shortest(board: Board, start: str, facing: str, allowed: tuple[int, ...], sign: str | None) -> dict[Move, Way]:
    """Map the shortest orders to the ways that they mean: they name the facing only where it is not forced."""
    ways = board.ways(start, facing, allowed)
    looks = Counter(end for end, _ in ways)
    return {Move((start, end), look if looks[end] > 1 else None, sign): (end, look) for end, look in ways}


def _sign(state: State, figure: int) -> str | None:
    """Return `c:` or `t:` where two figures share the space."""
    if state.spaces.count(state.spaces[figure]) == 1:
        return None
    return THIEF_SIGN if state.kinds[figure] == THIEF else CUSTOMER_SIGN


def notate_landing(state: State, landing: Landing) -> Move:
    """Write the shortest order that means this landing."""
    figure, way = landing.figure, (landing.space, landing.facing)
    shortest = _shortest(state.board, state.spaces[figure], state.facings[figure], lengths(state), _sign(state, figure))
    return next(move for move, meant in shortest.items() if meant == way)


def find_space(board: Board, name: str) -> str:
    """Find the space of this name; refused if the board has none."""
    found = board.spellings.get(fold(name))
    if found is None:
        raise Illegal("unknown-space", space=name[:40], example=board.middle)
    return found


def on_board(state: State, orders: str) -> bool:
    """Whether at least one space named in these orders is on the board, if any is named."""
    named = places(orders)
    return not named or any(fold(name) in state.board.spellings for name in named)


def find_landing(state: State, move: Move) -> Landing:
    """Find the landing that an order means, or refuse it with the reason."""
    return _landing_of_shortest(state, move) or _landing_of_route(state, move)


def _landing_of_shortest(state: State, move: Move) -> Landing | None:
    """Look an order up among the shortest ones, as bots and suggestions write them."""
    start = move.named[0]
    if state.spaces.count(start) != 1:
        return None
    figure = state.spaces.index(start)
    way = _shortest(state.board, start, state.facings[figure], lengths(state), None).get(move)
    return Landing(figure, *way) if way and is_free(state, way[0], figure) else None


def _landing_of_route(state: State, move: Move) -> Landing:
    named = [find_space(state.board, name) for name in move.named]
    look = find_space(state.board, move.facing) if move.facing else None
    figure = _find_figure(state, named[0], move.sign)
    before = _arrivals(state, figure, named[1:])
    end = named[-1]
    if not is_free(state, end, figure):
        raise Illegal("space-taken", space=end)
    return Landing(figure, end, _named_look(state, end, look, before) if look else _only_look(state, end, before))


def _find_figure(state: State, space: str, sign: str | None) -> int:
    there = [figure for figure, at in enumerate(state.spaces) if at == space and _fits(state.kinds[figure], sign)]
    if not there:
        raise Illegal("no-figure-there", space=space, spaces=sorted(set(state.spaces)))
    if len(there) > 1:
        raise Illegal("ambiguous-route", why="shared", space=space)
    return there[0]


def _fits(kind: str, sign: str | None) -> bool:
    return sign is None or (sign == THIEF_SIGN) == (kind == THIEF)


def _arrivals(state: State, figure: int, named: list[str]) -> set[str]:
    """Compute the spaces from which the last named space can be reached on a legal way through the others."""
    space, facing = state.spaces[figure], state.facings[figure]
    found = dict(_ways_through(state.board, space, facing, named))
    if not any(found.values()):
        raise Illegal("route-broken", space=space, facing=facing, end=named[-1])
    before = set().union(*(found.get(length, set()) for length in lengths(state)))
    if not before:
        possible = [length for length, arrivals in found.items() if arrivals]
        raise Illegal("wrong-distance", end=named[-1], lengths=lengths(state), needed=possible)
    return before


def _ways_through(board: Board, space: str, facing: str, named: list[str]) -> Iterator[tuple[int, set[str]]]:
    """For each length, compute from where the last named space is reached after passing the others in order."""
    *passing, end = named
    if len(named) > board.reach:
        return
    if not passing:
        for length in range(1, board.reach + 1):
            yield length, {before for here, before in board.ends(space, facing, length) if here == end}
        return
    walks = {(space, facing, 0)}
    for length in range(1, board.reach + 1):
        yield length, {before for before, here, passed in walks if here == end and passed == len(passing)}
        walks = {(here, onward, _pass(passing, passed, here)) for before, here, passed in walks for onward in board.onward(here, before)}


def _pass(passing: list[str], passed: int, here: str) -> int:
    return passed + (passed < len(passing) and passing[passed] == here)


def _named_look(state: State, end: str, look: str, before: set[str]) -> str:
    if look not in state.board.neighbours[end]:
        raise Illegal("route-broken", why="facing", space=end, facings=state.board.neighbours[end])
    if before == {look}:
        raise Illegal("cannot-face-back", space=end, facings=_looks(state.board, end, before))
    return look


def _only_look(state: State, end: str, before: set[str]) -> str:
    looks = _looks(state.board, end, before)
    if state.board.is_crossing(end):
        raise Illegal("needs-facing", space=end, facings=looks)
    if len(looks) > 1:
        raise Illegal("ambiguous-route", space=end, facings=looks)
    return looks[0]


def _looks(board: Board, end: str, before: set[str]) -> list[str]:
    return sorted({look for arrival in before for look in board.onward(end, arrival)})
