"""Counts letters to a recipient, or caused by a player, within sliding windows."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from marketpost.store.redis_client import RedisClient

# ADMIT: count a letter in several windows, or in none of them if one is full.
# KEYS: the windows, sorted sets of letters by the time they were counted. ARGV: letter, now, then length and capacity of each window.
# Result: number of the window that is full and the moment at which it has room again, or 0 and 0.
# Atomic, so that two workers never fill the last place twice. A letter that is tried again is known by its id and counted once.
ADMIT = """
local id, now = ARGV[1], tonumber(ARGV[2])
for i, key in ipairs(KEYS) do
  local length, most = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - length)
  local count = redis.call('ZCARD', key)
  if count >= most and not redis.call('ZSCORE', key, id) then
    local last = redis.call('ZRANGE', key, count - most, count - most, 'WITHSCORES')[2]
    return {i, (last and tonumber(last) or now) + length}
  end
end
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, 'NX', now, id)
  redis.call('PEXPIRE', key, ARGV[2 * i + 1])
end
return {0, 0}
"""


@dataclass(frozen=True, slots=True)
class Window:
    """Room for `most` letters within `length` milliseconds. `name` says what is counted for whom."""

    name: str
    length: int
    most: int


@dataclass(frozen=True, slots=True)
class Full:
    """A window without room, and the moment at which it has room again."""

    window: Window
    until: int


class LetterCounts:
    """Counts letters in windows."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._admit = redis.register_script(ADMIT)

    def admit(self, id: str, now: int, windows: Sequence[Window]) -> Full | None:
        """Count a letter in all windows; if one is full, count it in none and return that one."""
        if not windows:
            return None
        sizes = (size for window in windows for size in (window.length, window.most))
        number, until = self._admit(keys=[_key(window) for window in windows], args=[id, now, *sizes])
        return Full(windows[number - 1], until) if number else None

    def take_back(self, id: str, windows: Sequence[Window]) -> None:
        """Remove a letter that was not sent from the counts."""
        for window in windows:
            self.redis.zrem(_key(window), id)

    def empty(self, windows: Sequence[Window]) -> None:
        """Delete the counts of these windows."""
        if windows:
            self.redis.delete(*map(_key, windows))


def _key(window: Window) -> str:
    """Name the key of a window, with the hash tag of all mail, so that one script may use several. The name is hashed: it may be an
    address."""
    return f"{{mail}}:count:{hashlib.sha256(window.name.encode()).hexdigest()[:32]}"
