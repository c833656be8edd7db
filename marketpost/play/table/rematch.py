"""The same people once more: each game has one rematch, which is opened by whoever asks first."""

import hashlib

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.commit import existing
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.opening import open_table
from marketpost.play.table.seating import join
from marketpost.rules.refusal import Refused


def rematch(ports: Ports, id: str, player: str, word: str = "") -> Game:
    """Open it, or take one's seat in it, with a word for chance. Winners sit behind the others; everybody keeps their colour."""
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
    }
    seats = _once_each([_seat(ports, game.seats[seat], player) for seat in order])
    again = open_table(ports, rematch_id(id), player, game.rules.name, seats, setting, game.public, game.clock)
    return join(ports, again.id, player, word=word)


def rematch_id(game: str) -> str:
    """It follows from the game's own, so that two who ask at once meet in one."""
    return hashlib.sha256(f"rematch of {game}".encode()).hexdigest()[:20]


def _seat(ports: Ports, seat: SeatPlan, player: str) -> SeatPlan:
    if seat.bot or seat.player == player:
        return seat
    return SeatPlan(invited=seat.player) if seat.player and ports.players.find(seat.player) else SeatPlan()


def _once_each(seats: list[SeatPlan]) -> list[SeatPlan]:
    """Nobody is asked twice, though they may have played in several seats."""
    return [SeatPlan() if seat.invited and seat in seats[:number] else seat for number, seat in enumerate(seats)]
