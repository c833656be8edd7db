"""Rights of guests: they may play against bots; all else needs a mail address."""

from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused


def is_guest(ports: Ports, player: str) -> bool:
    """Whether this is a player without a mail address."""
    found = ports.players.find(player)
    return found is not None and found.is_guest


def not_for_guests(ports: Ports, player: str) -> None:
    """Refuse to a guest what reaches other people."""
    if is_guest(ports, player):
        raise Refused("guest-bots-only")
