"""Rounds of the canary: when the service last wrote to itself, and when its own answer came back."""

import msgspec

from marketpost.store.redis_client import RedisClient

ROUNDS, CLAIM = "canary", "canary:claimed"


class CanaryRounds(msgspec.Struct, frozen=True):
    """Moments in milliseconds since 1970; 0 if there was none yet."""

    sent: int = 0
    """The newest letter was written."""
    seen: int = 0
    """The newest letter came in again."""
    back: int = 0
    """The answer to a letter came in."""
    took: int = 0
    """Milliseconds from that letter to its answer."""


class CanaryStore:
    """Stores the newest round."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def claim(self, every: int) -> bool:
        """Claim the next round, once in so many seconds. Race: several sweepers may run; `SET NX` lets one of them write."""
        return bool(self.redis.set(CLAIM, 1, nx=True, ex=every))

    def note(self, **moments: int) -> None:
        """Store moments of a round."""
        self.redis.hset(ROUNDS, mapping=moments)

    def read(self) -> CanaryRounds:
        """Read the newest moments."""
        return CanaryRounds(**{name.decode(): int(moment) for name, moment in self.redis.hgetall(ROUNDS).items()})
