"""Invitations. The log names them by a random reference, so that it does not say whom an address belongs to, or whether to anybody."""

import secrets
from collections.abc import Sequence

from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.blocking import are_apart
from marketpost.play.people.names import plain_name
from marketpost.play.people.registration import invite
from marketpost.play.ports import Ports
from marketpost.store.changes import Invitation


def seal_invitation(ports: Ports, game: str, host: str, whom: str) -> tuple[str, str | None]:
    """Store an invitation of a player or an address; returns its reference for the log, and the player to notify.

    If one of the two has blocked the other, nothing is stored and nobody notified: it looks like an invitation without an answer.
    """
    by_address, inviter = "@" in whom, ports.players.find(host)
    player = invite(ports, whom, inviter.language if inviter else "en") if by_address else whom
    reference = f"{Invitation.PREFIX}{secrets.token_hex(8)}"
    if are_apart(ports, host, player):
        return reference, None
    ports.games.store_invitation(game, reference, Invitation(player, by_address))
    return reference, player


def seal_invitations(ports: Ports, game: str, host: str, seats: Sequence[SeatPlan]) -> tuple[list[SeatPlan], list[SeatPlan]]:
    """Store the invitations of all seats; returns the seats as the log names them, and as the notices do."""
    kept = [seal_invitation(ports, game, host, seat.invited) if seat.invited else None for seat in seats]
    pairs = list(zip(seats, kept, strict=True))
    return [SeatPlan(invited=each[0]) if each else seat for seat, each in pairs], [
        SeatPlan(invited=each[1]) if each else seat for seat, each in pairs
    ]


def is_invited_as(ports: Ports, game: str, player: str, whom: str) -> bool:
    """Whether the player has an invitation by exactly this id or address."""
    known = any(each == Invitation(player, "@" in whom) for each in ports.games.invitations(game).values())
    return known and player == (ports.players.player_of(whom) if "@" in whom else whom)


def reference_of(ports: Ports, game: str, player: str) -> str:
    """Find the reference of a player's invitation; the player's id if they have none."""
    found = ports.games.invitations(game)
    return next((reference for reference, each in found.items() if each.player == player), player)


def invitee_name(ports: Ports, game: str, reference: str) -> str | None:
    """Name an invited player as the inviter knows them: by the address they wrote, or by the player's name."""
    found = ports.games.invitations(game).get(reference)
    player = ports.players.find(found.player if found else reference)
    if player is None:
        return None
    return player.email if found and found.by_address else plain_name(player.name)
