"""Suspending a player: they cannot sign in, move, join or write until the operator ends it; the address stays theirs."""

from marketpost.play.people.erasure import leave_every_table
from marketpost.play.ports import Ports
from marketpost.store.operator_records import Act
from marketpost.store.players import Player


def suspend(ports: Ports, player: Player, who: str, why: str) -> None:
    """Tokens are revoked, games that have not begun go on without the player, and in running ones a bot plays on.

    Race: the player may sit down or get a token in this moment. Both are refused once `suspended` is stored, so what came before it is
    revoked and left afterwards.
    """
    audit(ports, who, "suspend", player.id, why)
    ports.players.change(player, lambda known: {"suspended": ports.clock()})
    ports.players.erase_tokens(player.id)
    leave_every_table(ports, player.id)


def unsuspend(ports: Ports, player: Player, who: str, why: str) -> None:
    """The player may sign in again. Seats that were left are not given back."""
    audit(ports, who, "unsuspend", player.id, why)
    ports.players.change(player, lambda known: {"suspended": 0})


def audit(ports: Ports, who: str, what: str, player: str, why: str = "") -> None:
    """Written before the act: an act without its line must not be."""
    ports.audit.append(Act(ports.clock(), who, what, player, why))
