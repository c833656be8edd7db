"""Reports of players to the operator."""

import secrets

from marketpost.play.limits import Limit
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.operator_records import Report

LONGEST_REPORT = 2000


def report(ports: Ports, by: str, about: str, text: str, game: str | None = None, id: str = "") -> Report:
    """Report a player to the operator, once for each id."""
    if known := ports.reports.find(id) if id else None:
        return known
    if by == about or ports.players.find(about) is None:
        raise Refused("no-such-player")
    if not text.strip():
        raise Refused("field-empty")
    if len(text) > LONGEST_REPORT:
        raise Refused("field-long", most=LONGEST_REPORT)
    ports.limits.spend(Limit.REPORTS_PLAYER, by)
    return ports.reports.add(Report(id or secrets.token_hex(8), ports.clock(), by, about, text, game))
