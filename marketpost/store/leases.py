"""Queues of items that are due at a moment and then leased to one worker. If the worker dies, the lease ends and another takes them."""

from marketpost.store.redis_client import RedisClient

LEASE = 60_000
"""Milliseconds for which an item is leased to one worker."""
TOO_LONG = 10 * LEASE
"""Milliseconds; a lease ends later than this only if the clock of the store was set back, and counts as ended."""
LEASED = 10**15
"""Added to the scores of leased items. A score below it is the moment when the item is due, by the workers' clocks; above it, the end of
its lease, by the store's clock, because the clocks of workers may be hours apart."""

# FREE: the ranges of scores at which an item can be taken: its lease has ended, its lease is impossibly long, or it is due.
# ARGV: now by our clock, LEASED, TOO_LONG. Leases are measured by the server's own clock.
FREE = """
local time = redis.call('TIME')
local now = ARGV[2] + time[1] * 1000 + math.floor(time[2] / 1000)
local free = {{ARGV[2], now}, {now + ARGV[3], '+inf'}, {'-inf', ARGV[1]}}
"""

# TAKE: lease items to one worker.
# KEYS: the queue. ARGV: now, LEASED, TOO_LONG, milliseconds of the lease, most items. Result: ids.
# Atomic, so that two workers never lease the same item. If a worker dies, its lease ends and another takes the item.
TAKE = f"""{FREE}
local ids = {{}}
for _, range in ipairs(free) do
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], range[1], range[2], 'LIMIT', 0, ARGV[5] - #ids)) do
    redis.call('ZADD', KEYS[1], now + ARGV[4], id)
    ids[#ids + 1] = id
  end
end
return ids
"""

# DUE: count the items that can be taken.
# KEYS: the queues. ARGV: now, LEASED, TOO_LONG. Result: how many. Only reads.
DUE = f"""{FREE}
local count = 0
for _, range in ipairs(free) do
  for _, line in ipairs(KEYS) do count = count + redis.call('ZCOUNT', line, range[1], range[2]) end
end
return count
"""


class Leases:
    """Leases items of any queue; a queue is a sorted set of ids."""

    def __init__(self, redis: RedisClient) -> None:
        self._take = redis.register_script(TAKE)
        self._due = redis.register_script(DUE)

    def take(self, line: str, now: int, most: int) -> list[str]:
        """Lease up to `most` items that are due. A worker that dies keeps them until its lease ends; then another gets them."""
        return [id.decode() for id in self._take(keys=[line], args=[now, LEASED, TOO_LONG, LEASE, most])]

    def due(self, now: int, *lines: str) -> int:
        """Count the items that could be leased now."""
        return int(self._due(keys=lines, args=[now, LEASED, TOO_LONG]))
