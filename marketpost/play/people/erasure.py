"""Erasure: a player's name, address, letters and tokens are deleted; their games stay whole under the id."""

from collections.abc import Iterator
from contextlib import suppress

from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import cancel
from marketpost.play.table.invite_links import revoke_link
from marketpost.play.table.lobby import AT_ONCE
from marketpost.play.table.searching import withdraw_searches
from marketpost.play.table.seating import decline, leave, resign
from marketpost.play.table.talk import erase_talk
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTargets
from marketpost.store.delivery_queue import DeliveryQueue
from marketpost.store.idempotent_responses import StoredResponses
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.mail_queue import MailQueue
from marketpost.store.players import Player


def erase(ports: Ports, id: str) -> None:
    """Erase a player: leave the tables, delete the profile, letters, messages and reports, then the tokens.

    The tables come first, so that letters to others written meanwhile have no name. Bot accounts of the player are erased, too. Fault: the
    process may die half-way. A copy of the profile is stored until the end, and the sweeper finishes the erasure.
    """
    player = ports.players.find(id) or ports.players.leaving().get(id)
    leave_every_table(ports, id)
    if player:
        ports.players.erase(player)
        ChannelTargets(ports.players.redis).erase(id)
        StoredResponses(ports.players.redis).erase(id)
        erase_letters(ports, player)
        erase_talk(ports, id)
        ports.reports.erase(id)
        for email in player.every_address:
            ports.suppressions.erase(email)
        ports.guests.drop(id)
        ports.streams.erase(id)
        for bot in ports.players.bots_of(id):
            erase(ports, bot)
        ports.players.has_left(id)
    ports.credentials.erase_tokens(id)
    leave_every_table(ports, id)  # again: they may have taken a seat, or a game may have begun, meanwhile


def finish_erasures(ports: Ports, before: set[str]) -> set[str]:
    """Erase players whose erasure began before the last look and has not ended; returns those that began since."""
    leaving = set(ports.players.leaving())
    for id in leaving & before:
        erase(ports, id)
    return leaving - before


def erase_letters(ports: Ports, player: Player) -> None:
    """Delete the letters to a player, and their addresses and name in others; a guest has none."""
    for email in player.every_address:
        DeliveryQueue(ports.players.redis).erase(player.id, email)
        MailQueue(ports.players.redis).erase(email)
        LocalMailbox(ports.players.redis).erase(email, player.name)


def leave_every_table(ports: Ports, player: str) -> None:
    """Leave all games of a player: open ones go on without them, in running ones a bot plays on. Searches are withdrawn."""
    withdraw_searches(ports, player)
    for game in list(_games(ports, player)):
        with suppress(Refused):  # it began or ended meanwhile; `erase` tries once more
            _leave(ports, game, player)


def _leave(ports: Ports, game: Game, player: str) -> None:
    ports.games.delete_standing_orders(game.id, player)
    ports.games.delete_orders_ahead(game.id, player)
    for number in [number for number, link in game.links.items() if link.player == player]:
        revoke_link(ports, game.id, player, number)
    if game.status == GameStatus.OPEN and game.host == player:
        cancel(ports, game.id, player)
        return
    decline(ports, game.id, player)
    if give_up := {GameStatus.OPEN: leave, GameStatus.RUNNING: resign}.get(game.status):
        for _ in game.seats_of(player):
            give_up(ports, game.id, player)


def _games(ports: Ports, player: str) -> Iterator[Game]:
    place = None
    while page := ports.index.page(f"player:{player}", place, AT_ONCE):
        place = page[-1]
        for _, id in page:
            if game := ports.sound_game(id):  # a damaged log cannot be written to
                yield game
