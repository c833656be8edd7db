"""Opens a game if its host may: guests only against bots, and nobody more games and bots than the limits allow."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from marketpost.play.limits import Limit
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.log.game import Game
from marketpost.play.people.bot_accounts import payer, with_bots
from marketpost.play.people.guest_rights import is_guest
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.refusal import Refused
from marketpost.store.players import is_bot_id

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
    with checked_opening(ports, id, host, rules, seats, setting.get("board"), public):
        return open_game(ports, id, host, rules, seats, setting, public, clock, shuffled=shuffled)


@contextmanager
def checked_opening(ports: Ports, id: str, host: str, rules: str, seats: Sequence[SeatPlan], board: object, public: bool) -> Iterator[None]:
    """Refuse a game without a person, and one that its host may not open: a guest, a bot that invites people, or a host above the limits.

    Guests play with nobody else, and on no board of their own.
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
    if is_bot_id(host) and any(seat.invited and not is_bot_id(seat.invited) for seat in seats):
        raise Refused("bot-invites-bots")
    limit = Limit.GAMES_GUEST if guest else Limit.GAMES_PLAYER
    who = payer(ports, host)
    opening = ports.limits.hold(limit, who, id, OPEN_WITHIN)
    try:
        _check_amounts(ports, who, rules, seats, opening, limit)
        yield
    finally:
        ports.limits.release(limit, who, id)


def hosted_games(ports: Ports, host: str) -> list[Game]:
    """Read the games that are not over and that a host has opened, or a bot account with the same limits."""
    accounts = with_bots(ports, host)
    found = ports.games_now({id for each in accounts for id in ports.index.unfinished_of(each)})
    return [game for game in found.values() if game.host in accounts]


def _check_amounts(ports: Ports, host: str, rules: str, seats: Sequence[SeatPlan], opening: int, limit: Limit) -> None:
    """Check how many games a host has running; a guest may try out each ruleset."""
    if not ports.limits.amounts:
        return
    running = hosted_games(ports, host)
    counted = [game for game in running if limit != Limit.GAMES_GUEST or game.rules.name == rules]
    ports.limits.check(limit, opening + len(counted) + 1)
    ports.limits.check(Limit.BOT_SEATS_PLAYER, sum(bool(seat.bot) for each in (seats, *(game.seats for game in running)) for seat in each))
    ports.limits.spend(Limit.OPENED_GUEST if limit == Limit.GAMES_GUEST else Limit.OPENED_PLAYER, host)
