"""Record what became of a delivery: made, put off with backoff, or closed; a target that fails for days is switched off."""

from zlib import crc32

from marketpost.mail.outbound.answer_time import count_answer
from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.mail.outbound.other_address import address_of
from marketpost.notify.webhook_client import explain
from marketpost.rules.words import COMMON, Words
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.delivery_queue import Delivery, DeliveryStatus

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
GIVE_UP_AFTER = 5 * DAY
"""Milliseconds after which a letter that cannot be delivered is given up."""
SHORTEST_WAIT, LONGEST_WAIT = MINUTE, 4 * HOUR
"""Milliseconds of backoff of a letter, at least and at most."""
TARGET_SHORTEST_WAIT, TARGET_LONGEST_WAIT = 2 * SECOND, HOUR
"""Milliseconds of backoff of a target, at least and at most."""
SWITCHED_OFF_AFTER = 3 * DAY
"""Milliseconds of failure after which a target is switched off."""
LEAST_FAILURES = 10
"""A target with fewer failed attempts than this stays on, however long ago the first one failed."""
KEPT = {"told", "said"}
"""Values that stay with a letter after it was sent: the version up to which it told the game, and the messages it told."""


def close(mailer: Mailer, delivery: Delivery, status: DeliveryStatus, reason: str = "") -> bool:
    """Record the final status of a delivery and delete its values, such as codes and other players' words."""
    delivery.status, delivery.reason, delivery.done = status, reason, mailer.ports.clock()
    delivery.values = {name: value for name, value in delivery.values.items() if name in KEPT}
    return mailer.deliveries.record_attempt(delivery)


def put_off(mailer: Mailer, delivery: Delivery, reason: str, due: int) -> bool:
    """Make a delivery due again at a moment, with the reason; False if it was erased meanwhile."""
    delivery.attempts += 1
    delivery.reason, delivery.due = reason, due
    return mailer.deliveries.record_attempt(delivery)


def record_letter(mailer: Mailer, delivery: Delivery, outcome: DeliveryOutcome) -> bool:
    """Record the outcome of an attempt to deliver a letter; False if it was erased meanwhile."""
    now = mailer.ports.clock()
    match outcome.kind:
        case OutcomeKind.DELIVERED:
            count_answer(mailer, delivery)
            return close(mailer, delivery, DeliveryStatus.SENT)
        case OutcomeKind.REJECTED:
            return close(mailer, delivery, DeliveryStatus.REFUSED, outcome.reason)
        case OutcomeKind.BOUNCED:
            if (player := mailer.ports.players.find(delivery.player)) and not address_of(delivery):
                mailer.ports.players.change(player, lambda known: {"bounces": known.bounces + 1})
            return close(mailer, delivery, DeliveryStatus.REFUSED, outcome.reason)
        case _:
            return _record_failure(mailer, delivery, outcome.reason, now)


def _record_failure(mailer: Mailer, delivery: Delivery, reason: str, now: int) -> bool:
    """Put off a letter that failed, or give it up after days. Its age is no measure: it may have waited long before its first attempt."""
    delivery.failing_since = now if delivery.failing_since is None else delivery.failing_since
    failing = now - delivery.failing_since
    if failing > GIVE_UP_AFTER:
        return close(mailer, delivery, DeliveryStatus.GIVEN_UP, reason)
    return put_off(mailer, delivery, reason, now + backoff(failing, SHORTEST_WAIT, LONGEST_WAIT, delivery))


def backoff(failing: int, shortest: int, longest: int, delivery: Delivery) -> int:
    """Compute the wait before the next attempt: half of the time it has been failing, within bounds, and up to a tenth less.

    The number of attempts is no measure, because waiting behind another counts as one. The tenth follows from the id and the attempt, so
    that what failed together is not tried again together.
    """
    wait = max(shortest, min(failing // 2, longest))
    return max(shortest, wait - wait * (crc32(f"{delivery.id} {delivery.attempts}".encode()) % 100) // 1000)


def record_call(mailer: Mailer, delivery: Delivery, target: ChannelTarget, outcome: DeliveryOutcome) -> None:
    """Record the outcome of an attempt by another channel, with its target: reset the backoff, or retry later, or switch it off.

    A target that is gone for good is switched off at once; one that serves a session is deleted, as its owner has ended it in the browser.
    """
    if outcome.kind == OutcomeKind.DELIVERED:
        target.last_success, target.failures, target.failing_since, target.again = mailer.ports.clock(), 0, None, 0
        mailer.targets.update(target)
        close(mailer, delivery, DeliveryStatus.SENT)
        return
    if outcome.kind == OutcomeKind.BOUNCED and target.session is not None:
        mailer.targets.delete(target.player, target.id)
        close(mailer, delivery, DeliveryStatus.REFUSED, outcome.reason)
        return
    _count_failure(mailer, delivery, target, outcome)
    if outcome.kind in (OutcomeKind.REJECTED, OutcomeKind.BOUNCED):
        close(mailer, delivery, DeliveryStatus.REFUSED, outcome.reason)
    elif target.off is not None:
        close(mailer, delivery, DeliveryStatus.GIVEN_UP, outcome.reason)
    else:
        put_off(mailer, delivery, outcome.reason, target.again)


def _count_failure(mailer: Mailer, delivery: Delivery, target: ChannelTarget, outcome: DeliveryOutcome) -> None:
    """Note a failed attempt with its target; one that is gone or has failed for days is switched off, and a letter says so.

    Fault: the worker is killed between the two. The letter comes first: the attempt is then made again, and the target switched off.
    """
    now = mailer.ports.clock()
    target.failures += 1
    target.last_error, target.last_error_at, target.failing_since = outcome.reason, now, target.failing_since or now
    failing = now - target.failing_since
    asked = min(outcome.wait, TARGET_LONGEST_WAIT)
    target.again = now + max(asked, backoff(failing, TARGET_SHORTEST_WAIT, TARGET_LONGEST_WAIT, delivery))
    is_over = outcome.kind == OutcomeKind.BOUNCED or (failing > SWITCHED_OFF_AFTER and target.failures >= LEAST_FAILURES)
    target.off = now if is_over else None
    if is_over:
        _tell_of_the_end(mailer, target)
    mailer.targets.update(target)


def _tell_of_the_end(mailer: Mailer, target: ChannelTarget) -> None:
    """Send a letter that a target was switched off."""
    at, player = mailer.ports.clock(), mailer.ports.players.find(target.player)
    reason = explain(Words(player.language if player else "en", COMMON), target.last_error)
    values = {"host": target.host, "reason": reason, "since": target.failing_since}
    enqueue(
        mailer, Delivery(f"webhook-off-{target.id}-{target.failing_since}", target.player, LetterKind.WEBHOOK_OFF, at, at, values=values)
    )
