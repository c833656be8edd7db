"""The outcome of one attempt to deliver a message."""

from dataclasses import dataclass
from enum import StrEnum

REASON_LENGTH = 200


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


def delivered() -> DeliveryOutcome:
    """The next server has accepted the message."""
    return DeliveryOutcome(OutcomeKind.DELIVERED)


def retry_later(reason: str) -> DeliveryOutcome:
    """The attempt failed in a way that may pass."""
    return DeliveryOutcome(OutcomeKind.RETRY, clean(reason))


def rejected(reason: str) -> DeliveryOutcome:
    """The message was refused for good and is not tried again."""
    return DeliveryOutcome(OutcomeKind.REJECTED, clean(reason))


def bounced(reason: str) -> DeliveryOutcome:
    """The address was refused for good, as by a bounce that comes at once."""
    return DeliveryOutcome(OutcomeKind.BOUNCED, clean(reason))


def clean(reason: str) -> str:
    """Reduce a reason to one short printable line, safe for a log and a page."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in reason).split())
    return line if len(line) <= REASON_LENGTH else line[: REASON_LENGTH - 1] + "…"
