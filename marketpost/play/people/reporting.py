"""Reports of players to the operator."""

import secrets

from marketpost.play.limits import Limit
from marketpost.play.people.bot_accounts import payer
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.operators import audit
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.operator_records import Report

LONGEST_REPORT = 2000


def report(ports: Ports, by: str, about: str, text: str, game: str | None = None, id: str = "") -> Report:
    """Report a player to the operator, once for each id. Refused to guests: a new one, with a new limit, is made in a second."""
    not_for_guests(ports, by)
    if known := ports.reports.find(id) if id else None:
        return known
    if by == about or ports.players.find(about) is None:
        raise Refused("no-such-player")
    if not text.strip():
        raise Refused("field-empty")
    if len(text) > LONGEST_REPORT:
        raise Refused("field-long", most=LONGEST_REPORT)
    ports.limits.spend(Limit.REPORTS_PLAYER, payer(ports, by))
    return ports.reports.add(Report(id or secrets.token_hex(8), ports.clock(), by, about, text, game))


def close_report(ports: Ports, id: str, who: str, why: str) -> bool:
    """Record that the operator is done with a report; False if there is none with this id."""
    found = ports.reports.find(id)
    if found is None:
        return False
    audit(ports, who, f"report {id} done", found.about, why)
    ports.reports.close(found, ports.clock())
    return True
