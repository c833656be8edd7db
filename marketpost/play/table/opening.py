"""Opens a game if its host may: guests only against bots, and nobody more games and bots than the limits allow."""

from collections.abc import Mapping, Sequence
from typing import Any

from marketpost.play.limits import Limit
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.log.game import Game
from marketpost.play.people.guest_rights import is_guest
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.refusal import Refused


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
    if ports.game(id) is None:
        check_opening(ports, host, seats, setting.get("board"), public)
    return open_game(ports, id, host, rules, seats, setting, public, clock, shuffled=shuffled)


def check_opening(ports: Ports, host: str, seats: Sequence[SeatPlan], board: object, public: bool) -> None:
    """Refuse a game without a person, a guest's game with others or on a board of their own, and a game or bot above the limits."""
    if all(seat.bot for seat in seats):
        raise Refused("no-person")
    guest = is_guest(ports, host)
    if guest and (public or isinstance(board, dict) or any(not seat.bot and seat.player != host for seat in seats)):
        raise Refused("guest-bots-only")
    if not ports.limits.amounts:
        return
    running = [game for game in ports.games_now(ports.index.unfinished_of(host)).values() if game.host == host]
    ports.limits.check(Limit.GAMES_GUEST if guest else Limit.GAMES_PLAYER, len(running) + 1)
    ports.limits.check(Limit.BOT_SEATS_PLAYER, sum(bool(seat.bot) for each in (seats, *(game.seats for game in running)) for seat in each))
    ports.limits.spend(Limit.OPENED_GUEST if guest else Limit.OPENED_PLAYER, host)
