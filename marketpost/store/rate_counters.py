"""Counters of what each actor uses, in the queue's Redis. If they are lost, counting begins at 0 again."""

import time
from typing import NamedTuple

from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import FixedWindowRateLimiter
from redis import Redis, RedisError

from marketpost.store.connections import Absence, typed

REFUSED = "metrics:limits"

# HOLD: take one of the places that an actor may hold at the same time.
# KEYS: the places. ARGV: now, id of the place, when it expires, most places. Result: how many are held with this
# one, or 0 if all are taken. Atomic, so that two processes never take the last place both. If a process dies, its places expire.
HOLD = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[2])
local others = redis.call('ZCARD', KEYS[1])
if others >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
redis.call('EXPIREAT', KEYS[1], math.ceil(ARGV[3]))
return others + 1
"""


class RateUse(NamedTuple):
    """Result of spending from a rate limit: whether it fits, what is left, and the seconds until the period ends."""

    most: int
    fits: bool
    left: int
    seconds: int


class RateCounters:
    """Counts uses within a period, and places that are held at the same time. Allows everything while Redis does not answer."""

    def __init__(self, redis: Redis, absence: Absence | None = None) -> None:
        self.redis, self._absence = typed(redis), absence or Absence()
        self._rates = FixedWindowRateLimiter(RedisStorage("redis://", connection_pool=redis.connection_pool))
        self._hold = self.redis.register_script(HOLD)

    def spend(self, limit: str, actor: str, amount: int, most: int, period: int) -> RateUse:
        """Count an amount that this actor uses within a period of seconds, and say whether it fits."""
        if self._absence.lasts():
            return RateUse(most, True, most, 0)
        rate = RateLimitItemPerSecond(most, period, namespace=limit)
        try:
            fits = self._rates.hit(rate, actor, cost=amount)
            reset, left = self._rates.get_window_stats(rate, actor)
        except RedisError as error:
            self._absence.note(error)
            return RateUse(most, True, most, 0)
        return RateUse(most, fits, left, max(1, round(reset - time.time())))

    def hold(self, limit: str, actor: str, id: str, most: int, longest: float) -> int:
        """Take a place for at most `longest` seconds; returns how many this actor holds now, or 0 if all `most` are taken."""
        if self._absence.lasts():
            return 1
        now = time.time()
        try:
            return int(self._hold(keys=[_places(limit, actor)], args=[now, id, now + longest, most]))
        except RedisError as error:
            self._absence.note(error)
            return 1

    def release(self, limit: str, actor: str, id: str) -> None:
        """Give a place back before its time is up."""
        if self._absence.lasts():
            return
        try:
            self.redis.zrem(_places(limit, actor), id)
        except RedisError as error:
            self._absence.note(error)

    def count_refused(self, limit: str) -> None:
        """Count that a limit has refused something."""
        if self._absence.lasts():
            return
        try:
            self.redis.hincrby(REFUSED, limit, 1)
        except RedisError as error:
            self._absence.note(error)

    def refused(self) -> dict[str, int]:
        """Read how often each limit has refused something."""
        return {name.decode(): int(number) for name, number in self.redis.hgetall(REFUSED).items()}


def _places(limit: str, actor: str) -> str:
    return f"places:{limit}:{actor}"
