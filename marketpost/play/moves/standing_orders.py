"""Standing orders: orders left in advance for decisions outside the player's own turn.

They belong to the player, not to the seat: whoever takes the seat over has none. They are stored as understood, not as written, so that
they hold nothing personal.
"""

import itertools
from collections.abc import Iterator
from typing import Any

from marketpost.play.log.commit import existing
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import PreviewBranch, preview
from marketpost.play.ports import Ports
from marketpost.play.table.seating import call_deciders
from marketpost.rules.refusal import Caution, Refused
from marketpost.rules.ruleset import Standing
from marketpost.rules.words import Words

LONGEST = 2000
MOST_STEPS = 50
"""Most steps of one answer; no decision needs nearly as many."""


def leave(ports: Ports, id: str, player: str, text: str, *, at_once: bool = True) -> str:
    """Store standing orders in place of earlier ones, as understood; with `at_once` they also answer a decision that waits."""
    game, rules = _table(ports, id, player)
    if game.status != GameStatus.RUNNING:
        raise Refused("not-started" if game.status == GameStatus.OPEN else "game-over")
    if len(text) > LONGEST:
        raise Refused("orders-too-long", most=LONGEST)
    orders = rules.notate(rules.read(game.state, text))
    ports.games.set_standing_orders(id, player, orders)
    if at_once and any(rules.concerns(game.state, seat) for seat in game.deciders if game.seats[seat].player == player):
        call_deciders(ports, id)
    return orders


def look(ports: Ports, id: str, player: str, words: Words | None = None) -> str:
    """Read a player's standing orders in a language; empty if there are none."""
    game, rules = _table(ports, id, player)
    orders = ports.games.standing_orders(id, player)
    return rules.notate(rules.read(game.state, orders), words) if orders and words else orders


def cautions(ports: Ports, id: str, player: str, words: Words) -> list[Caution]:
    """List what a player's standing orders may do in the present position that the player would not want."""
    game, rules = _table(ports, id, player)
    orders, seat = ports.games.standing_orders(id, player), game.seat_of(player)
    if not orders or seat is None:
        return []
    return list(rules.cautions(game.state, seat, rules.read(game.state, orders), words))


def cancel(ports: Ports, id: str, player: str) -> None:
    """Delete a player's standing orders."""
    _table(ports, id, player)
    ports.games.delete_standing_orders(id, player)


def _table(ports: Ports, id: str, player: str) -> tuple[Game, Standing]:
    game = existing(ports, id)
    if game.seat_of(player) is None:
        raise Refused("not-your-game")
    if game.rules.standing is None:
        raise Refused("no-standing-orders")
    return game, game.rules.standing


def orders_now(game: Game, seat: int, text: str) -> str:
    """Build the orders that standing orders give now: steps as long as one is legal and draws nothing. Empty if none is."""
    standing = game.rules.standing
    if standing is None or not text or seat not in game.deciders:
        return ""
    table = Game(game.id)
    table.rules, table.state = game.rules, game.state
    return "; ".join(itertools.islice(_steps(table, standing, seat, standing.read(game.state, text)), MOST_STEPS))


def _steps(table: Game, standing: Standing, seat: int, orders: Any) -> Iterator[str]:
    while step := _first_legal(table, standing, seat, orders):
        yield step


def _first_legal(table: Game, standing: Standing, seat: int, orders: Any) -> str:
    """Take the first legal step that draws nothing in the scratch game `table`; empty if there is none."""
    for step in standing.candidates(table.state, orders) if standing.concerns(table.state, seat) else ():
        match preview(table, seat, step):
            case [PreviewBranch((), _, state, None)]:
                table.state = state
                return step
    return ""
