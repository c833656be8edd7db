"""A seat in a running game goes to a bot at once, or to another player, who has to accept it by joining."""

from marketpost.play.log.actions import Done, HandedOver, Offered, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game
from marketpost.play.outbox import notices
from marketpost.play.ports import Ports
from marketpost.play.table.seating import own_seat, passed_on
from marketpost.rules.bots import bot
from marketpost.rules.refusal import Refused


def hand_over(ports: Ports, id: str, player: str, to: SeatPlan, via: str = "") -> Game:
    """`to` names a bot, or invites a player. Until they have joined, the seat is still the player's own."""

    def pass_on(game: Game) -> Done:
        seat = own_seat(game, player)
        if to.bot:
            bot(game.rules, to.bot)
            return [HandedOver(seat, to)], passed_on(game, seat, to, player, ports.clock())
        heir = to.invited or ""
        if game.offers.get(seat) == heir:
            return [], []
        if heir in game.offers.values() or any(heir in (each.player, each.invited) for each in game.seats):
            raise Refused("seat-twice")
        return [Offered(seat, heir)], notices.of_offer(game, seat, heir, ports.clock())

    return change(ports, id, player, pass_on, via)
