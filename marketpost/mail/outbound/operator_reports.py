"""Notify the operator of a report: by letter to each address and by a call of each URL in `REPORTS_TO`."""

import hashlib
import re

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people.registration import invite
from marketpost.store.mail_queue import OutboundLetter
from marketpost.store.operator_records import Report
from marketpost.store.webhook_queue import Webhook, WebhookCall

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
            enqueue(mailer, OutboundLetter(f"report-{report.id}-{player}", player, LetterKind.REPORT, at, at, values={"report": report.id}))


def hook_id(url: str) -> str:
    """Derive the id of the operator's webhook at a URL; the secret that signs its calls follows from it."""
    return hashlib.sha256(url.encode()).hexdigest()[:16]


def _call(mailer: Mailer, url: str, report: Report) -> None:
    """Put a call into the queue; the sweeper wakes a worker for it.

    A webhook that was switched off is used again, because only the operator can name another.
    """
    hooks, at = mailer.webhook_queue, mailer.ports.clock()
    hook = Webhook(hook_id(url), OPERATOR, url, "plain", at)
    hooks.make(hook, most=100)
    if (known := hooks.find(OPERATOR, hook.id)) and known.off:
        hooks.update(hook)
    hooks.put([WebhookCall(f"report-{report.id}-{hook.id}", hook.id, OPERATOR, REPORTED, at, at, "", 0, -1, {"report": report.id})])
