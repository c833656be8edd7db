"""Drain the service and resume it, with an entry in the audit log."""

from marketpost.play.people.operators import audit
from marketpost.play.ports import Ports

NOT_ABOUT_A_PLAYER = "-"


def begin_drain(ports: Ports, who: str) -> None:
    """Let every process accept nothing new."""
    audit(ports, who, "drain", NOT_ABOUT_A_PLAYER)
    ports.drain.set(ports.clock())


def end_drain(ports: Ports, who: str) -> bool:
    """Accept everything again; False if the service did not drain."""
    audit(ports, who, "resume", NOT_ABOUT_A_PLAYER)
    return ports.drain.lift()
