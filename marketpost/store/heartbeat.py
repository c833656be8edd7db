"""The heartbeat of the service, and the outages that a heartbeat after a silence ends."""

from enum import StrEnum
from typing import NamedTuple

from marketpost.store.redis_client import RedisClient
from marketpost.store.steady_clock import SteadyTime

SILENCE = 120_000
"""Milliseconds without a heartbeat after which the service counts as having been down."""
BEAT_EVERY = 30_000
MOST_OUTAGES = 1000
REMEMBERED = 24 * 3600
"""Seconds for which a process other than a worker is missed; one that was taken away on purpose is missed no longer."""
NO_STEADY_TIME = SteadyTime()

# BEAT: record a heartbeat and, after a silence, the outage that it ends.
# The silence is measured by the steady clock where the last heartbeat came from the same machine: the wall clock may be set back or
# forward meanwhile. Outages are ordered by marks that only ever rise; a mark is the end of its outage unless the clock was set back.
# KEYS: last heartbeat, outages, its steady time. ARGV: now, milliseconds of silence that count as an outage, most outages to store,
# machine, its steady time. Result: 1 if this heartbeat ends an outage.
# Atomic, so that of several workers that start again one records the outage.
BEAT = """
local now, at = tonumber(ARGV[1]), tonumber(ARGV[5])
local last = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
local steady = redis.call('HMGET', KEYS[3], 'machine', 'at', 'mark')
local silence, mark = now - last, math.max(last, tonumber(steady[3] or '0'))
if ARGV[4] ~= '' and steady[1] == ARGV[4] then silence = at - tonumber(steady[2]) end
local ended = silence > tonumber(ARGV[2])
if ended then
  mark = math.max(now, mark + 1)
  redis.call('ZADD', KEYS[2], mark, string.format('%.0f-%.0f-%.0f', now - silence, now, mark))
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[3], 'machine', ARGV[4], 'at', ARGV[5], 'mark', string.format('%.0f', math.max(now, mark)))
return ended and 1 or 0
"""


class Outage(NamedTuple):
    """A time in which the service was down, by the wall clock as it was at the end."""

    start: int
    end: int
    mark: int
    """Later than that of every earlier outage, and than every moment before this one, also where the wall clock was set back."""


class Part(StrEnum):
    """What runs beside the workers and has no queue in which its work would be seen to wait."""

    SWEEPER = "sweeper"
    MAIL_DOOR = "mail-door"
    MAILBOX = "mailbox"


class Heartbeat:
    """Records that workers are at work, so that players get the time of an outage back; and when other processes last were."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._beat = redis.register_script(BEAT)
        self._last = 0

    @staticmethod
    def key(part: str) -> str:
        """Name a key. All have one hash tag, so that one script writes the heartbeat and the outage that it ends."""
        return f"{{service}}:{part}"

    def beat(self, now: int, every: int = 0, steady: SteadyTime = NO_STEADY_TIME) -> bool:
        """Record a heartbeat; True if it ends an outage. Does nothing within `every` milliseconds of the last one of this process."""
        if self._last <= now < self._last + every:
            return False
        self._last = now
        keys = [self.key(part) for part in ("beat", "outages", "steady")]
        return bool(self._beat(keys=keys, args=[now, SILENCE, MOST_OUTAGES, steady.machine, steady.at]))

    def last(self) -> int:
        """Read the moment of the last heartbeat; 0 if there was none."""
        return int(self.redis.get(self.key("beat")) or 0)

    def note(self, part: Part, now: int) -> None:
        """Record that a part of the service has just done its work."""
        self.redis.set(self.key(f"seen:{part}"), now, ex=REMEMBERED)

    def expect(self, part: Part, now: int) -> None:
        """Miss a part from now on, unless it is missed already: one that is started again and again does no work by that."""
        self.redis.set(self.key(f"seen:{part}"), now, ex=REMEMBERED, nx=True)

    def miss_no_more(self, part: Part) -> None:
        """Forget a part that was taken away on purpose."""
        self.redis.delete(self.key(f"seen:{part}"))

    def noted(self) -> dict[Part, int]:
        """Read when each part that has run within a day last did its work."""
        found = self.redis.mget([self.key(f"seen:{part}") for part in Part])
        return {part: int(at) for part, at in zip(Part, found, strict=True) if at}

    def outages(self, after: int) -> list[Outage]:
        """List the outages with a mark after that moment, oldest first."""
        found = self.redis.zrangebyscore(self.key("outages"), f"({after}", "+inf")
        return [Outage(*map(int, each.split(b"-"))) for each in found]
