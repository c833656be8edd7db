"""Hands a seat in a running game to a bot at once, or to another player, who must accept by joining."""

from marketpost.play.limits import Limit
from marketpost.play.log.actions import Done, HandedOver, Offered, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game
from marketpost.play.outbox import notices
from marketpost.play.people.bot_accounts import payer
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import end_if_deserted
from marketpost.play.table.invitations import is_invited_as, seal_invitation
from marketpost.play.table.seating import not_of_tournament, notices_of_hand_over, own_seat
from marketpost.rules.bots import bot
from marketpost.rules.refusal import Refused


def hand_over(ports: Ports, id: str, player: str, to: SeatPlan, via: str = "") -> Game:
    """Hand the player's seat to a bot, or offer it to a player or an address. Until an offer is accepted, the seat stays the player's.

    An offer to an address whose owner is at the table is not refused: a refusal would say whose the address is.
    """

    def pass_on(game: Game) -> Done:
        seat = own_seat(game, player)
        if to.bot:
            bot(game.rules, to.bot)
            return end_if_deserted(ports, game, [HandedOver(seat, to)], notices_of_hand_over(game, seat, to, player, ports.clock()))
        not_of_tournament(game)
        not_for_guests(ports, player)
        whom = to.invited or ""
        if seat in game.offers and is_invited_as(ports, game.id, game.offers[seat], whom):
            return [], []
        if whom in game.offers.values() or any(whom in (each.player, each.invited) for each in game.seats):
            raise Refused("seat-twice")
        ports.limits.spend(Limit.OPENED_PLAYER, payer(ports, player))
        reference, heir = seal_invitation(ports, game.id, player, whom)
        return [Offered(seat, reference)], notices.of_offer(game, seat, heir, ports.clock()) if heir else []

    return change(ports, id, player, pass_on, via)
