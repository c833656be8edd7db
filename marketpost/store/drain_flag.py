"""The flag that tells every process that the service drains: nothing new is accepted, and what waits is finished."""

import time

from marketpost.store.redis_client import RedisClient

KEY = "{service}:drain"
ASK_AGAIN = 1.0
"""Seconds for which a process uses what it has read."""


class DrainFlag:
    """Says whether the service drains, and since when."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._since, self._read = 0, float("-inf")

    def set(self, now: int) -> None:
        """Begin to drain; a drain that has begun keeps its moment."""
        self.redis.set(KEY, now, nx=True)

    def lift(self) -> bool:
        """Accept everything again; False if the service did not drain."""
        return bool(self.redis.delete(KEY))

    def since(self) -> int:
        """Return when the drain began; 0 if the service does not drain."""
        return int(self.redis.get(KEY) or 0)

    def is_set(self) -> bool:
        """Whether the service drains, as this process read it at most `ASK_AGAIN` seconds ago."""
        if (now := time.monotonic()) - self._read > ASK_AGAIN:
            self._since, self._read = self.since(), now
        return bool(self._since)
