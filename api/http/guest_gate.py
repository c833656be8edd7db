"""Let requests of people go before those of guests, in each process of the API."""

import time
from threading import Condition, Semaphore

LONGEST_IN_QUEUE = 10.0
"""Seconds after which a guest's request goes on without a place."""
LONGEST_REST = 0.25
"""Seconds, at most, in which no guest's request begins after one has ended."""


class GuestGate:
    """Lets in one request of a guest at a time, and none while a person's is computed.

    After each of them it stays closed for as long as that took: guests together have at most half of the time of a process, because
    anyone can become a guest, and many at once would leave people nothing.
    """

    def __init__(self) -> None:
        self._place, self._calm = Semaphore(1), Condition()
        self._people, self._began, self._opens = 0, 0.0, 0.0

    def enter(self) -> bool:
        """Wait for the place of a guest's request; False if none was free in time."""
        if not self._place.acquire(timeout=LONGEST_IN_QUEUE):
            return False
        time.sleep(max(0.0, self._opens - time.monotonic()))
        with self._calm:
            self._calm.wait_for(lambda: not self._people, LONGEST_IN_QUEUE)
        self._began = time.monotonic()
        return True

    def leave(self) -> None:
        """Give the place of a guest's request back."""
        now = time.monotonic()
        self._opens = now + min(LONGEST_REST, now - self._began)
        self._place.release()

    def enter_person(self) -> None:
        """Keep guests from beginning while a person's request is computed."""
        with self._calm:
            self._people += 1

    def leave_person(self) -> None:
        """Let guests begin again, if no other person's request is computed."""
        with self._calm:
            self._people -= 1
            self._calm.notify()
