"""What the host of a table does until the game begins: name it, withdraw or replace an invitation, and fill the seats left with bots."""

from marketpost.play.limits import Limit
from marketpost.play.log.actions import Done, HandedOver, Left, Named, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.outbox import notices
from marketpost.play.people.bot_accounts import payer
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.names import check_name
from marketpost.play.ports import Ports
from marketpost.play.table.invitations import seal_invitation
from marketpost.play.table.opening import hosted_games
from marketpost.play.table.seating import begin_if_full
from marketpost.rules.bots import bot
from marketpost.rules.refusal import Refused
from marketpost.store.players import is_bot_id


def rename(ports: Ports, id: str, host: str, name: str, via: str = "") -> Game:
    """Name a game; an empty name takes its name away."""
    if name:
        check_name(name)

    def give_name(game: Game) -> Done:
        _check_host(game, host)
        return [Named(name)] if name != game.name else [], []

    return change(ports, id, host, give_name, via)


def withdraw_invitation(ports: Ports, id: str, host: str, seat: int, via: str = "", *, instead: str = "") -> Game:
    """Withdraw the invitation to a seat, which becomes free, or is kept for the owner of the address that is invited instead.

    Whoever answers the withdrawn invitation later is told that there is no seat for them.
    """

    def withdraw(game: Game) -> Done:
        _check_host(game, host)
        if seat not in range(len(game.seats)) or not game.seats[seat].invited:
            raise Refused("no-such-invitation")
        return _invite(ports, game, seat, instead) if instead else ([Left(seat)], [])

    return change(ports, id, host, withdraw, via)


def _invite(ports: Ports, game: Game, seat: int, address: str) -> Done:
    """Keep a seat for the owner of an address, as when a game is opened, and under the same limits.

    An address whose owner is at the table is not refused: a refusal would say whose it is.
    """
    not_for_guests(ports, game.host)
    if is_bot_id(game.host):
        raise Refused("bot-invites-bots")
    host = ports.players.find(game.host)
    if host and host.owns(address):
        raise Refused("seat-twice")
    ports.limits.spend(Limit.OPENED_PLAYER, payer(ports, game.host))
    reference, player = seal_invitation(ports, game.id, game.host, address)
    told = [notices.of_invitation(game.id, game.version + 1, game.host, seat, player, ports.clock())] if player else []
    return [HandedOver(seat, SeatPlan(invited=reference))], told


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
        hosted = hosted_games(ports, host)
        ports.limits.check(Limit.BOT_SEATS_PLAYER, more + sum(bool(seat.bot) for game in hosted for seat in game.seats))
