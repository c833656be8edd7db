"""Count what each actor uses, in the queue's Redis. Lost with it, and no harm done: the counts begin anew."""

import time
from typing import NamedTuple

from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import FixedWindowRateLimiter
from redis import Redis, RedisError

from marketpost.store.connections import typed

REFUSED = "metrics:limits"

# HOLD: take one of the places that an actor may hold at the same time.
# KEYS: the places. ARGV: now, id of the place, when it ends by itself, most places. Result: 1 if it was free.
# Atomic, so that two processes never give away the last place twice. A place of a process that died ends by itself.
HOLD = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
redis.call('EXPIREAT', KEYS[1], math.ceil(ARGV[3]))
return 1
"""


class RateUse(NamedTuple):
    """What is left of a rate, and in how many seconds all of it is there again."""

    most: int
    fits: bool
    left: int
    seconds: int


class RateCounters:
    def __init__(self, redis: Redis) -> None:
        self.redis = typed(redis)
        self._rates = FixedWindowRateLimiter(RedisStorage("redis://", connection_pool=redis.connection_pool))
        self._hold = self.redis.register_script(HOLD)

    def spend(self, limit: str, actor: str, amount: int, most: int, period: int) -> RateUse:
        """Count so much more of what this actor may use in a period (in seconds). If the queue does not answer, everything fits."""
        rate = RateLimitItemPerSecond(most, period, namespace=limit)
        try:
            fits = self._rates.hit(rate, actor, cost=amount)
            reset, left = self._rates.get_window_stats(rate, actor)
        except RedisError:
            return RateUse(most, True, most, 0)
        return RateUse(most, fits, left, max(1, round(reset - time.time())))

    def hold(self, limit: str, actor: str, id: str, most: int, longest: float) -> bool:
        """Take a place that ends after `longest` seconds, if this actor holds fewer than `most`."""
        now = time.time()
        try:
            return bool(self._hold(keys=[_places(limit, actor)], args=[now, id, now + longest, most]))
        except RedisError:
            return True

    def release(self, limit: str, actor: str, id: str) -> None:
        try:
            self.redis.zrem(_places(limit, actor), id)
        except RedisError:
            return

    def count_refused(self, limit: str) -> None:
        try:
            self.redis.hincrby(REFUSED, limit, 1)
        except RedisError:
            return

    def refused(self) -> dict[str, int]:
        """How often each limit has refused something."""
        return {name.decode(): int(number) for name, number in self.redis.hgetall(REFUSED).items()}


def _places(limit: str, actor: str) -> str:
    return f"places:{limit}:{actor}"
