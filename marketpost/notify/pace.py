"""Pace by mail provider: a domain that defers letter after letter is left alone for a while, and delays no letter to others."""

from zlib import crc32

from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.record import MINUTE, put_off
from marketpost.store.delivery_queue import Delivery
from marketpost.store.provider_pace import ProviderDeferrals

PAUSED_AFTER = 5
"""Deferrals in a row after which no letter to a domain is tried for a while."""
SHORTEST_PAUSE, LONGEST_PAUSE = MINUTE, 15 * MINUTE
"""Milliseconds of such a pause, at least and at most: a quarter of the time that the domain has deferred."""
SPREAD = 5_000
"""Milliseconds within which the letters of a pause are tried after it."""
DEFERRING = "the mail server of this domain defers letters"
"""Why a letter waits that was not tried."""


def domain_of(address: str) -> str:
    """Return the domain of a mail address."""
    return address.rpartition("@")[2].casefold()


def is_paused(mailer: Mailer, delivery: Delivery, deferrals: ProviderDeferrals | None) -> bool:
    """Whether the domain of a letter is left alone now; then the letter is put off."""
    if deferrals is None or deferrals.until <= mailer.ports.clock():
        return False
    put_off(mailer, delivery, DEFERRING, deferrals.until + crc32(delivery.id.encode()) % SPREAD)
    return True


def note_outcome(mailer: Mailer, address: str, outcome: DeliveryOutcome, known: ProviderDeferrals | None) -> None:
    """Count a deferral of a domain; any answer that is final ends the count."""
    pace, domain, now = mailer.deliveries.pace, domain_of(address), mailer.ports.clock()
    if outcome.kind != OutcomeKind.RETRY:
        if known:
            pace.accept(domain)
        return
    known = pace.read([domain]).get(domain, ProviderDeferrals(0, now, 0))
    pause = max(SHORTEST_PAUSE, min((now - known.since) // 4, LONGEST_PAUSE)) if known.count + 1 >= PAUSED_AFTER else 0
    pace.defer(domain, ProviderDeferrals(known.count + 1, known.since, now + pause))
