"""The outcome of one attempt to deliver a message."""

import errno
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

REASON_LENGTH = 200
"""Characters of a reason that are stored."""
SHORT_OF = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC)
"""Error numbers that say that the machine, not the message, is at fault."""
NO_THREAD = "can't start new thread"
"""The text of the RuntimeError that Python raises if no thread can be started; it has no errno."""


class OutcomeKind(StrEnum):
    """What the sender of a message does next."""

    DELIVERED = "delivered"
    """Nothing: the next server is now responsible for the message."""
    RETRY = "later"
    """Try again: the failure may pass."""
    REJECTED = "never"
    """Give up: the server refused this message for good."""
    BOUNCED = "bounced"
    """Give up, and count a bounce: the server refused the address for good."""


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """The result of one attempt, with the server's reason if it did not succeed."""

    kind: OutcomeKind
    reason: str = ""
    wait: int = 0
    """Milliseconds for which the server asks to be left alone; 0 if it does not say."""


def delivered() -> DeliveryOutcome:
    """Return the outcome of a message that the next server has accepted."""
    return DeliveryOutcome(OutcomeKind.DELIVERED)


def retry_later(reason: str, wait: int = 0) -> DeliveryOutcome:
    """Return the outcome of an attempt that failed in a way that may pass."""
    return DeliveryOutcome(OutcomeKind.RETRY, clean(reason), wait)


def rejected(reason: str) -> DeliveryOutcome:
    """Return the outcome of a message that was refused for good."""
    return DeliveryOutcome(OutcomeKind.REJECTED, clean(reason))


def bounced(reason: str) -> DeliveryOutcome:
    """Return the outcome of an address that was refused for good, which counts as a bounce."""
    return DeliveryOutcome(OutcomeKind.BOUNCED, clean(reason))


def bounced_if(outcome: DeliveryOutcome, gone: Collection[str]) -> DeliveryOutcome:
    """Return the outcome, as a bounce if its reason is one of those with which a service says that a target is gone for good."""
    return bounced(outcome.reason) if outcome.reason in gone else outcome


def clean(reason: str) -> str:
    """Reduce a reason to one short printable line, safe for a log and a page."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in reason).split())
    return line if len(line) <= REASON_LENGTH else line[: REASON_LENGTH - 1] + "…"


def is_resource_error(error: Exception) -> bool:
    """Whether the machine ran out of memory, threads, files or disk: retry then, as nothing is wrong with the letter or message."""
    if isinstance(error, OSError):
        return error.errno in SHORT_OF
    return isinstance(error, MemoryError) or str(error) == NO_THREAD
