"""Suspension: a player cannot sign in, move, join or write until the operator ends it; the address stays theirs."""

from marketpost.play.people.erasure import leave_every_table
from marketpost.play.ports import Ports
from marketpost.store.operator_records import Act
from marketpost.store.players import Player


def suspend(ports: Ports, player: Player, who: str, why: str) -> None:
    """Suspend a player: revoke all tokens, leave open games, and let a bot play on in running ones.

    Race: the player may take a seat or get a token in this moment. Both are refused once `suspended` is stored, and what came before is
    revoked and left afterwards.
    """
    audit(ports, who, "suspend", player.id, why)
    ports.players.change(player, lambda known: {"suspended": ports.clock()})
    ports.players.erase_tokens(player.id)
    leave_every_table(ports, player.id)


def unsuspend(ports: Ports, player: Player, who: str, why: str) -> None:
    """End a suspension. Seats that were left are not given back."""
    audit(ports, who, "unsuspend", player.id, why)
    ports.players.change(player, lambda known: {"suspended": 0})


def audit(ports: Ports, who: str, what: str, player: str, why: str = "") -> None:
    """Append an act to the audit log. Call it before the act, so that no act is missing if the process dies."""
    ports.audit.append(Act(ports.clock(), who, what, player, why))
