"""Opens a game if its host may: guests only against bots, and nobody more games and bots than the limits allow."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from marketpost.play.limits import Limit
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.log.game import Game
from marketpost.play.people.guest_rights import is_guest
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.refusal import Refused

OPEN_WITHIN = 60.0
"""Seconds after which the place of a request that died while it opened a game is free again."""


def open_table(
    ports: Ports,
    id: str,
    host: str,
    rules: str,
    seats: Sequence[SeatPlan],
    setting: Mapping[str, Any],
    public: bool = False,
    clock: TimeControl | None = None,
    *,
    shuffled: bool = False,
) -> Game:
    """Open a game after checking limits, or find the one that an earlier request opened under this id."""
    with checked_opening(ports, id, host, seats, setting.get("board"), public):
        return open_game(ports, id, host, rules, seats, setting, public, clock, shuffled=shuffled)


@contextmanager
def checked_opening(ports: Ports, id: str, host: str, seats: Sequence[SeatPlan], board: object, public: bool) -> Iterator[None]:
    """Refuse a game without a person, a guest's game with others or on a board of their own, and a game or bot above the limits.

    Race: two requests of one host may open games at once, and neither is listed yet. Each holds a place until its game is open, and counts
    the places that were held before its own.
    """
    if ports.game(id):
        yield
        return
    if all(seat.bot for seat in seats):
        raise Refused("no-person")
    guest = is_guest(ports, host)
    if guest and (public or isinstance(board, dict) or any(not seat.bot and seat.player != host for seat in seats)):
        raise Refused("guest-bots-only")
    limit = Limit.GAMES_GUEST if guest else Limit.GAMES_PLAYER
    opening = ports.limits.hold(limit, host, id, OPEN_WITHIN)
    try:
        _check_amounts(ports, host, seats, opening, limit)
        yield
    finally:
        ports.limits.release(limit, host, id)


def _check_amounts(ports: Ports, host: str, seats: Sequence[SeatPlan], opening: int, limit: Limit) -> None:
    if not ports.limits.amounts:
        return
    running = [game for game in ports.games_now(ports.index.unfinished_of(host)).values() if game.host == host]
    ports.limits.check(limit, opening + len(running) + 1)
    ports.limits.check(Limit.BOT_SEATS_PLAYER, sum(bool(seat.bot) for each in (seats, *(game.seats for game in running)) for seat in each))
    ports.limits.spend(Limit.OPENED_GUEST if limit == Limit.GAMES_GUEST else Limit.OPENED_PLAYER, host)
