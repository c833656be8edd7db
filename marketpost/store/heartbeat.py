"""The heartbeat of the service, and the outages that a heartbeat after a silence ends."""

from marketpost.store.redis_client import RedisClient

SILENCE = 120_000
"""Milliseconds without a heartbeat after which the service counts as having been down."""
BEAT_EVERY = 30_000
MOST_OUTAGES = 1000

# BEAT: record a heartbeat and, after a silence, the outage that it ends.
# KEYS: last heartbeat, outages. ARGV: now, milliseconds of silence that count as an outage, most outages to store.
# Result: 1 if this heartbeat ends an outage. Atomic, so that of several workers that start again one records the outage.
BEAT = """
local last, now = tonumber(redis.call('GET', KEYS[1]) or ARGV[1]), tonumber(ARGV[1])
if now - last > tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[2], now, string.format('%.0f-%.0f', last, now))
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
end
if now >= last then redis.call('SET', KEYS[1], ARGV[1]) end
return now - last > tonumber(ARGV[2]) and 1 or 0
"""


class Heartbeat:
    """Records that workers are at work, so that players get the time of an outage back."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._beat = redis.register_script(BEAT)
        self._last = 0

    @staticmethod
    def key(part: str) -> str:
        """Name a key. All have one hash tag, so that one script writes the heartbeat and the outage that it ends."""
        return f"{{service}}:{part}"

    def beat(self, now: int, every: int = 0) -> bool:
        """Record a heartbeat; True if it ends an outage. Does nothing within `every` milliseconds of the last one of this process."""
        if self._last <= now < self._last + every:
            return False
        self._last = now
        return bool(self._beat(keys=[self.key("beat"), self.key("outages")], args=[now, SILENCE, MOST_OUTAGES]))

    def last(self) -> int:
        """Read the moment of the last heartbeat; 0 if there was none."""
        return int(self.redis.get(self.key("beat")) or 0)

    def outages(self, after: int) -> list[tuple[int, int]]:
        """List start and end of each outage that ended after that moment, oldest first."""
        found = self.redis.zrangebyscore(self.key("outages"), f"({after}", "+inf")
        return [(int(start), int(end)) for start, _, end in (each.decode().partition("-") for each in found)]
