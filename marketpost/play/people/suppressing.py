"""Suppress an address or lift its suppression, as the operator decides, with an entry in the audit log."""

from marketpost.play.people.operators import audit
from marketpost.play.ports import Ports
from marketpost.store.suppressions import SuppressionCause

NO_PLAYER = "(no player)"


def suppress(ports: Ports, address: str, who: str, why: str) -> None:
    """Send nothing more to an address, not even sign-in codes."""
    audit(ports, who, "suppress", _owner(ports, address), why)
    ports.suppressions.add(address, SuppressionCause.OPERATOR, ports.clock())


def lift_suppression(ports: Ports, address: str, who: str, why: str) -> bool:
    """Send letters to an address again, whatever they were stopped for; False if they were not stopped."""
    player = ports.players.at_address(address)
    if not ports.suppressions.find(address) and not (player and player.bounces):
        return False
    audit(ports, who, "lift suppression", _owner(ports, address), why)
    ports.suppressions.lift(address)
    if player:
        ports.players.change(player, lambda known: {"bounces": 0})
    return True


def _owner(ports: Ports, address: str) -> str:
    """Return the player of an address for the audit log, which has no addresses."""
    return ports.players.player_of(address) or NO_PLAYER
