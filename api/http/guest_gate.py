"""Let requests of people go before those of guests and visitors, in each process of the API."""

import time
from threading import Condition, Semaphore

from marketpost.rules.refusal import Refused

LONGEST_IN_QUEUE = 10.0
"""Seconds after which a request without a place is refused."""
LONGEST_FOR_PEOPLE = 1.0
"""Seconds for which a request with a place lets those of people go first: a single player must not shut all guests out."""
A_MOMENT = 0.05
"""Seconds of the same within a long computation, after each of its steps."""
LONGEST_REST = 0.25
"""Seconds, at most, in which no guest's request begins after one has ended."""


class GuestGate:
    """Lets in one request of a guest or a visitor at a time, and none while a person's is computed.

    After each of them it stays closed for as long as that took: guests together have at most half of the time of a process, because
    anyone can become a guest, and many at once would leave people nothing.
    """

    def __init__(self) -> None:
        self._place, self._calm = Semaphore(1), Condition()
        self._people, self._began, self._opens = 0, 0.0, 0.0

    def enter(self) -> None:
        """Wait for the place of a guest's request; refused if none was free in time."""
        if not self._place.acquire(timeout=LONGEST_IN_QUEUE):
            raise Refused("guests-waiting")
        time.sleep(max(0.0, self._opens - time.monotonic()))
        self.stand_back(LONGEST_FOR_PEOPLE)
        self._began = time.monotonic()

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
            self._calm.notify_all()

    def stand_back(self, longest: float = A_MOMENT) -> None:
        """Let requests of people that have come meanwhile go first, for so many seconds at most."""
        time.sleep(0)  # requests that have just come are read
        with self._calm:
            self._calm.wait_for(lambda: not self._people, longest)
