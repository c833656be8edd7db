"""Rematches: each game has at most one, opened by the first player who asks for it."""

import hashlib

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.commit import existing
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.opening import open_table
from marketpost.play.table.seating import join
from marketpost.rules.refusal import Refused


def rematch(ports: Ports, id: str, player: str, word: str = "") -> Game:
    """Open the rematch or join it, with a word for chance. Winners sit behind the others; everybody keeps their colour."""
    game = existing(ports, id)
    if game.seat_of(player) is None:
        raise Refused("not-your-game")
    if game.status != GameStatus.OVER or game.state is None:
        raise Refused("not-over")
    order = sorted(range(len(game.seats)), key=lambda seat: seat in game.winners)
    setting = {
        "colours": tuple(game.setting.colours[seat] for seat in order),
        "board": game.setting.board,
        "edition": game.setting.edition,
        "options": game.setting.options,
        "hints": game.hint_rule,
    }
    seats = _once_each([_seat(ports, game.seats[seat], player) for seat in order])
    again = open_table(ports, rematch_id(id), player, game.rules.name, seats, setting, game.public, game.clock)
    return join(ports, again.id, player, word=word)


def rematch_id(game: str) -> str:
    """Derive the id of a game's rematch.

    Race: two players may ask at once. Both get the same id, and the second joins the game of the first.
    """
    return hashlib.sha256(f"rematch of {game}".encode()).hexdigest()[:20]


def _seat(ports: Ports, seat: SeatPlan, player: str) -> SeatPlan:
    if seat.bot or seat.player == player:
        return seat
    return SeatPlan(invited=seat.player) if seat.player and ports.players.find(seat.player) else SeatPlan()


def _once_each(seats: list[SeatPlan]) -> list[SeatPlan]:
    """Make further seats of the same invited player free, so that nobody is invited twice."""
    return [SeatPlan() if seat.invited and seat in seats[:number] else seat for number, seat in enumerate(seats)]
