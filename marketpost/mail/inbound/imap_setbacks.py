"""Schedule retries of messages in an IMAP mailbox that could not be fetched or marked."""

import logging
import random
import time
from collections.abc import Iterable
from dataclasses import dataclass

RETRY_AFTER = 5.0
"""Seconds until the second attempt at a mail; each later one waits four times as long, and up to half of it more or less."""
MOST_TRIES = 5
"""Attempts after which a message is set aside."""
SET_ASIDE_FOR = 86_400.0
"""Seconds until a message that was set aside is tried again; its UID may belong to another message by then."""
log = logging.getLogger("marketpost.imap")
jitter = random.SystemRandom().uniform
"""Draws a factor for a pause, so that several processes do not come back at the same moment."""


@dataclass(slots=True)
class Setback:
    """The failed attempts at one message, and the time of the next."""

    attempts: int = 0
    not_before: float = 0.0
    is_stored: bool = False
    """Whether the message was fetched and stored, and only marking it as seen failed."""


class Setbacks:
    """Counts failed attempts for each message, so that one bad message does not delay those behind it."""

    def __init__(self) -> None:
        self._by_uid: dict[str, Setback] = {}

    def due(self, uids: Iterable[str]) -> list[str]:
        """Return the messages that may be tried now; forget counts of messages that are gone."""
        found = list(uids)
        self._by_uid = {uid: each for uid, each in self._by_uid.items() if uid in found}
        return [uid for uid in found if uid not in self._by_uid or self._by_uid[uid].not_before <= time.monotonic()]

    def pause(self, most: float) -> float:
        """Return the seconds until the next attempt is due, at most `most`."""
        return max(0.0, min([most, *(each.not_before - time.monotonic() for each in self._by_uid.values())]))

    def is_stored(self, uid: str) -> bool:
        """Whether this message was stored before and only needs to be marked as seen."""
        return uid in self._by_uid and self._by_uid[uid].is_stored

    def add(self, uid: str, why: str, *, is_stored: bool) -> None:
        """Count a failed attempt; after a few the message is set aside and an error is logged for the operator."""
        found = self._by_uid.setdefault(uid, Setback())
        found.attempts, found.is_stored = found.attempts + 1, is_stored
        wait = RETRY_AFTER * 4 ** (found.attempts - 1) * jitter(0.5, 1.5)
        if found.attempts >= MOST_TRIES:
            wait = SET_ASIDE_FOR
            log.error(
                "the mail with UID %s in the IMAP mailbox %s after %d attempts, and is set aside for a day: %s. %s",
                uid,
                "was read but cannot be marked as read" if is_stored else "cannot be fetched",
                found.attempts,
                why,
                "See whether the mailbox is read-only or full" if is_stored else "Look at it with a mail program, and move or delete it",
            )
        found.not_before = time.monotonic() + wait
