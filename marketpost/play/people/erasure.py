"""Being erased: name and address are gone, and every game stays whole under the id."""

from collections.abc import Iterator
from contextlib import suppress

from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import cancel
from marketpost.play.table.invite_links import revoke_link
from marketpost.play.table.lobby import AT_ONCE
from marketpost.play.table.seating import decline, leave, resign
from marketpost.play.table.talk import erase_talk
from marketpost.rules.refusal import Refused
from marketpost.store.idempotent_responses import StoredResponses
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.mail_queue import MailQueue
from marketpost.store.players import Player
from marketpost.store.webhook_queue import WebhookQueue


def erase(ports: Ports, id: str) -> None:
    """The tables first, then the person, so that whatever is still written to others has no name to tell; the tokens last.

    Whoever was not erased in one go is known aside, so that the rest of them goes when they ask again, or when the sweeper comes by.
    """
    player = ports.players.find(id) or ports.players.leaving().get(id)
    leave_every_table(ports, id)
    if player:
        ports.players.erase(player)
        WebhookQueue(ports.players.redis).erase(id)
        StoredResponses(ports.players.redis).erase(id)
        erase_letters(ports, player)
        erase_talk(ports, id)
        ports.reports.erase(id)
        ports.guests.drop(id)
        ports.players.has_left(id)
    ports.players.erase_tokens(id)
    leave_every_table(ports, id)  # where they have sat down meanwhile, or a game began


def finish_erasures(ports: Ports, before: set[str]) -> set[str]:
    """Those who are leaving. Who was so `before`, a while ago, and still is was not erased to the end, as when a process was killed."""
    leaving = set(ports.players.leaving())
    for id in leaving & before:
        erase(ports, id)
    return leaving - before


def erase_letters(ports: Ports, player: Player) -> None:
    if player.email:  # a guest has none, and no letters
        MailQueue(ports.players.redis).erase(player.id, player.email)
        LocalMailbox(ports.players.redis).erase(player.email, player.name)


def leave_every_table(ports: Ports, player: str) -> None:
    """Before somebody is erased: what has not begun goes on without them, and in what is being played a bot plays on."""
    for game in list(_games(ports, player)):
        with suppress(Refused):  # it has begun, or ended, or somebody does the same: the next look finds it as it is then
            _leave(ports, game, player)


def _leave(ports: Ports, game: Game, player: str) -> None:
    ports.games.stand_down(game.id, player)
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
            if game := ports.sound_game(id):  # nobody sits at a table that fell apart
                yield game
