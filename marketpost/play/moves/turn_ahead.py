"""Plays or drops orders ahead when a game has gone on. Each is used up exactly once: played, or dropped and told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import branches
from marketpost.play.outbox import notices
from marketpost.play.outbox.notices import AheadEnd, AheadTold, Notice, NoticeKind
from marketpost.play.ports import Ports
from marketpost.rules.branched_orders import OrdersBranch, is_own_turn, is_wanted, read_ahead
from marketpost.rules.conditions import Since
from marketpost.rules.refusal import Refusal, Refused
from marketpost.store.changes import OrdersAhead, Submission


class AheadStatus(StrEnum):
    """Where a game stands, seen from orders ahead: their turn is to come, or is there."""

    WAITING = "waiting"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class ChosenBranch:
    """The branch that is played now, or why none is."""

    orders: str
    """Empty if none is."""
    why: list[tuple[str, int, dict[str, Any]]]


def settle_all(ports: Ports, outboxes: Mapping[str, Sequence[bytes]]) -> set[str]:
    """Play or drop the orders ahead in games that have gone on; returns the games whose work has changed by it.

    Race: a player leaves orders ahead while a worker commits the move before their turn. The worker reads them after its commit, and the
    player's process reads the log after it has stored them and calls the worker if the turn is there: one of them sees the other.
    """
    found = ports.games.all_orders_ahead([id for id, outbox in outboxes.items() if outbox])
    return {id for id, rows in found.items() for player, orders in rows.items() if _settle(ports, id, player, orders, outboxes[id])}


def _settle(ports: Ports, id: str, player: str, orders: OrdersAhead, outbox: Sequence[bytes]) -> bool:
    """Play or drop one player's orders ahead, if it is time for that."""
    game = ports.game(id)
    status = status_of(game, player, orders) if game else AheadStatus.WAITING
    if game is None or status == AheadStatus.WAITING:
        return False
    if status == AheadStatus.DUE:
        return _play(ports, game, player, orders, outbox)
    told = notices.of_ahead(game, orders.seat, player, game.version, ports.clock(), AheadTold(AheadEnd(status), orders.orders))
    return ports.games.settle_orders_ahead(id, player, orders, game.version, None, told=told)


def status_of(game: Game, player: str, orders: OrdersAhead) -> AheadStatus | AheadEnd:
    """Say from the log alone whether the turn of these orders is to come or is there, or why it never comes."""
    if game.status == GameStatus.OVER:
        return AheadEnd.OVER
    if game.seats[orders.seat].player != player:
        return AheadEnd.SEAT_GONE
    if any(version > orders.version and back_to < orders.version for version, back_to in game.set_backs):
        return AheadEnd.UNDONE
    if _has_played(game, orders):
        return AheadEnd.PASSED
    is_there = is_own_turn(game.rules, game.state, orders.seat, orders.turn) and not game.bot_for(orders.seat)
    return AheadStatus.DUE if is_there else AheadStatus.WAITING


def _has_played(game: Game, orders: OrdersAhead) -> bool:
    """Whether the seat has played in a turn of its own after the one in which the orders were left."""
    state = game.rules.blank()
    for version, played in game.history:
        if played.seat == orders.seat and version > orders.version and is_own_turn(game.rules, state, orders.seat, orders.turn):
            return True
        for event in played.events:
            event.apply(state)
    return False


def happened_since(game: Game, seat: int) -> Since:
    """Collect what happened since the last decision of a seat in a turn of its own."""
    state, before, events = game.rules.blank(), game.rules.blank(), list[Any]()
    for _, played in game.history:
        is_own = played.seat == seat and is_own_turn(game.rules, state, seat, -1)
        for event in played.events:
            event.apply(state)
        before, events = (state.copy(), []) if is_own else (before, [*events, *played.events])
    return Since(before, events, state, seat)


def _play(ports: Ports, game: Game, player: str, orders: OrdersAhead, outbox: Sequence[bytes]) -> bool:
    """Submit the branch that fits like a move of the player, in place of the notice that asks them; without one, say why in the notice."""
    asked = ((notices.decode(data), data) for data in outbox)
    notice, data = next((each for each in asked if _asks(each[0], orders.seat)), (None, b""))
    chosen = choose(game, orders)
    if chosen.orders:
        via = notice.via or "" if notice else ""
        move = Submission("", player, orders.seat, chosen.orders, ports.clock(), game.version, via, ahead=True)
        return ports.games.settle_orders_ahead(game.id, player, orders, game.version, move, data)
    why = AheadTold(AheadEnd.NONE_FITS, orders.orders, chosen.why)
    told = msgspec.json.encode(msgspec.structs.replace(notice, ahead=why)) if notice else b""
    told = told or notices.of_ahead(game, orders.seat, player, game.version, ports.clock(), why)
    return ports.games.settle_orders_ahead(game.id, player, orders, game.version, None, data, told)


def _asks(notice: Notice, seat: int) -> bool:
    return notice.kind == NoticeKind.TURN and notice.seat == seat


def choose(game: Game, orders: OrdersAhead) -> ChosenBranch:
    """Choose the first branch whose conditions hold and whose orders are legal, whatever chance brings."""
    since, why = happened_since(game, orders.seat), list[tuple[str, int, dict[str, Any]]]()
    for branch in read_ahead(game.rules, game.state, orders.orders):
        if not is_wanted(game.rules, since, branch):
            why.append(("", 0, {}))
        elif refusal := refusal_of(game.rules, game.state, orders.seat, branch):
            why.append((refusal.code, refusal.step, msgspec.to_builtins(dict(refusal.values))))
        else:
            return ChosenBranch(branch.orders, why)
    return ChosenBranch("", why)


def refusal_of(rules: Any, state: Any, seat: int, branch: OrdersBranch) -> Refusal | None:
    """Say why the orders of a branch are not legal here, for the first outcome of chance for which they are not."""
    try:
        return next((each.refusal for each in branches(rules, state, seat, branch.orders) if each.refusal), None)
    except Refused as refused:
        return refused.refusal
