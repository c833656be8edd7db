"""Finished games that wait to be analysed, leased to one worker at a time."""

from marketpost.store.leases import LEASE, Leases
from marketpost.store.redis_client import RedisClient

LINE = "analyses"


class AnalysisQueue:
    """The games that wait. A lost entry loses an analysis, and nothing of the game."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._leases = Leases(redis)

    def add(self, game: str, now: int) -> None:
        """Queue a game, once."""
        self.redis.zadd(LINE, {game: now}, nx=True)

    def take(self, now: int) -> str | None:
        """Lease the game that has waited longest; None if no game waits."""
        return next(iter(self._leases.take(LINE, now, 1)), None)

    def renew(self, game: str, now: int) -> None:
        """Keep the lease for another minute. If the worker dies, another takes the game then."""
        self.redis.zadd(LINE, {game: now + LEASE}, xx=True)

    def remove(self, game: str) -> None:
        """Take a game off the queue: it is analysed, or cannot be."""
        self.redis.zrem(LINE, game)

    def holds(self, game: str) -> bool:
        """Whether a game waits or is being analysed."""
        return self.redis.zscore(LINE, game) is not None

    def due(self, now: int) -> int:
        """Count the games that a worker could take now."""
        return self._leases.due(now, LINE)
