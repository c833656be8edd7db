"""Wake the account streams of this process: one connection to Redis hears for all of them."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from marketpost.store.account_streams import AccountStreams

PAUSE = 0.5
"""Seconds before a lost connection is made again."""


class Wakeups:
    """Sets the flags of streams whose player has a new event. A flag says only that there may be one: each stream reads for itself."""

    def __init__(self, streams: AccountStreams) -> None:
        self._streams, self._lock = streams, Lock()
        self._waiting: dict[str, set[Event]] = defaultdict(set)
        self._listener: Thread | None = None

    @contextmanager
    def listening(self, player: str) -> Iterator[Event]:
        """Give a flag that is set whenever this player may have a new event."""
        flag = Event()
        with self._lock:
            self._waiting[player].add(flag)
            if self._listener is None:
                self._listener = Thread(target=self._listen, daemon=True, name="wakeups")
                self._listener.start()
        try:
            yield flag
        finally:
            with self._lock:
                self._waiting[player].discard(flag)
                if not self._waiting[player]:
                    del self._waiting[player]

    def _listen(self) -> None:
        for player in self._streams.wakeups():
            self._wake(player)
            if not player:
                time.sleep(PAUSE)

    def _wake(self, player: str) -> None:
        """Set the flags of a player's streams; of all, if it is not known whose events were missed."""
        with self._lock:
            flags = [*self._waiting.get(player, ())] if player else [flag for each in self._waiting.values() for flag in each]
        for flag in flags:
            flag.set()
