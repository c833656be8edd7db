"""Remove the address of an erased player from values that stay stored."""

import re

from marketpost.store.redis_client import RedisClient

# REPLACE: change a value that is still as it was read.
# KEYS: the value. ARGV: as it was read, the new one. Result: 1, or 0 if it has changed: the caller reads it again.
# Atomic, so that an erasure never overwrites what a worker has just written.
REPLACE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
"""


def address_pattern(address: str) -> re.Pattern[bytes]:
    """Build the pattern that finds this address and none that only contains it."""
    return re.compile(rb"(?<![\w.+-])" + re.escape(address.encode()) + rb"(?![\w-])", re.IGNORECASE)


class AddressRemoval:
    """Replaces addresses in stored values."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis, self._replace = redis, redis.register_script(REPLACE)

    def remove(self, key: str | bytes, theirs: re.Pattern[bytes]) -> None:
        """Replace an address by `?` in a stored value. Race: a worker changes the value at the same time; the script compares what was
        read, and the erasure reads again."""
        while (found := self.redis.get(key)) and theirs.search(found):
            self._replace(keys=[key], args=[found, theirs.sub(b"?", found)])
