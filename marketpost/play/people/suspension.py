"""Suspension: a player cannot sign in, move, join or write until the operator ends it; the address stays theirs."""

from marketpost.play.people.bot_accounts import bots_of
from marketpost.play.people.erasure import leave_every_table
from marketpost.play.people.operators import audit
from marketpost.play.ports import Ports
from marketpost.store.players import Player


def suspend(ports: Ports, player: Player, who: str, why: str) -> None:
    """Suspend a player and their bot accounts: revoke all tokens, leave open games, and let a bot play on in running ones.

    Race: the player may take a seat or get a token in this moment. Both are refused once `suspended` is stored, and what came before is
    revoked and left afterwards.
    """
    audit(ports, who, "suspend", player.id, why)
    ports.players.change(player, lambda known: {"suspended": ports.clock()})
    ports.credentials.erase_tokens(player.id)
    leave_every_table(ports, player.id)
    for bot in bots_of(ports, player.id):
        suspend(ports, bot, who, why)


def unsuspend(ports: Ports, player: Player, who: str, why: str) -> None:
    """End a suspension, also that of the bot accounts. Seats that were left are not given back."""
    audit(ports, who, "unsuspend", player.id, why)
    ports.players.change(player, lambda known: {"suspended": 0})
    for bot in bots_of(ports, player.id):
        unsuspend(ports, bot, who, why)
