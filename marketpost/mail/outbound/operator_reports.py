"""Notify the operator of a report: by letter to each address and by a call of each URL in `REPORTS_TO`."""

import hashlib
import re

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people.registration import invite
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.delivery_queue import Delivery
from marketpost.store.operator_records import Report

OPERATOR, REPORTED = "operator", "reported"
"""The owner of the operator's webhooks, and the event they are called for."""
PLACE = re.compile(r"[^@\s,]+@[^@\s,]+|https?://[^\s,]+")


def read_places(text: str) -> list[str]:
    """Parse a list of mail addresses and URLs; the ValueError names the one that is neither."""
    places = [place.strip() for place in text.split(",") if place.strip()]
    for place in places:
        if not PLACE.fullmatch(place):
            raise ValueError(f"{place!r} is neither a mail address nor a web address")
    return places


def tell_operator(mailer: Mailer, report: Report) -> None:
    """Notify the operator of a report, once: the ids of letters and calls are derived from the report's."""
    for place in read_places(mailer.settings.reports_to):
        if "://" in place:
            _call(mailer, place, report)
        else:
            at, player = mailer.ports.clock(), invite(mailer.ports, place)
            enqueue(mailer, Delivery(f"report-{report.id}-{player}", player, LetterKind.REPORT, at, at, values={"report": report.id}))


def hook_id(url: str) -> str:
    """Derive the id of the operator's webhook at a URL; the secret that signs its calls follows from it."""
    return hashlib.sha256(url.encode()).hexdigest()[:16]


def _call(mailer: Mailer, url: str, report: Report) -> None:
    """Put a call into the queue; the sweeper wakes a worker for it.

    A webhook that was switched off is used again, because only the operator can name another.
    """
    targets, at = mailer.targets, mailer.ports.clock()
    target = ChannelTarget(hook_id(url), OPERATOR, url, "webhook", at)
    targets.make(target, most=100)
    if (known := targets.find(OPERATOR, target.id)) and known.off:
        targets.update(target)
    id = f"report-{report.id}-{target.id}"
    call = Delivery(id, OPERATOR, LetterKind.REPORT, at, at, values={"report": report.id}, channel=target.channel, target=target.id)
    mailer.deliveries.put([call])
