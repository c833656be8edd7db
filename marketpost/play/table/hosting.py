"""What the host of a table does until the game begins: withdraw an invitation, and fill the seats that are left with bots."""

from marketpost.play.limits import Limit
from marketpost.play.log.actions import Done, HandedOver, Left, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.seating import begin_if_full
from marketpost.rules.bots import bot
from marketpost.rules.refusal import Refused


def withdraw_invitation(ports: Ports, id: str, host: str, seat: int, via: str = "") -> Game:
    """Withdraw the invitation to a seat, which becomes free. Whoever answers it later is told that there is no seat for them."""

    def withdraw(game: Game) -> Done:
        _check_host(game, host)
        if seat not in range(len(game.seats)) or not game.seats[seat].invited:
            raise Refused("no-such-invitation")
        return [Left(seat)], []

    return change(ports, id, host, withdraw, via)


def fill_with_bots(ports: Ports, id: str, host: str, name: str, via: str = "") -> Game:
    """Give every seat that is free or waits for an answer to a bot, so that the game begins."""

    def fill(game: Game) -> Done:
        _check_host(game, host)
        bot(game.rules, name)
        left = [number for number, seat in enumerate(game.seats) if not (seat.player or seat.bot)]
        _check_bots(ports, host, len(left))
        return [HandedOver(number, SeatPlan(bot=name)) for number in left], []

    change(ports, id, host, fill, via)
    return begin_if_full(ports, id)


def _check_host(game: Game, host: str) -> None:
    if game.host != host:
        raise Refused("not-the-host")
    if game.status != GameStatus.OPEN:
        raise Refused("already-started")
    if not game.seats_of(host):
        raise Refused("not-your-game")


def _check_bots(ports: Ports, host: str, more: int) -> None:
    """Refuse more bots than the host may have in all games of theirs that are not over."""
    if ports.limits.amounts:
        hosted = [game for game in ports.games_now(ports.index.unfinished_of(host)).values() if game.host == host]
        ports.limits.check(Limit.BOT_SEATS_PLAYER, more + sum(bool(seat.bot) for game in hosted for seat in game.seats))
