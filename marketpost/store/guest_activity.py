"""When each guest was last active: whoever has no mail address is erased when they have not been here for long."""

from marketpost.store.redis_client import RedisClient

GUESTS = "guests"
SEEN_AGAIN_AFTER = 3600_000
"""Milliseconds for which a process need not write down again that a guest is here."""
MOST_REMEMBERED = 10_000


class GuestActivity:
    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._seen: dict[str, int] = {}

    def seen(self, guest: str, now: int) -> None:
        """Note that a guest is here, at most once an hour."""
        if now - self._seen.get(guest, 0) < SEEN_AGAIN_AFTER:
            return
        if len(self._seen) > MOST_REMEMBERED:
            self._seen.clear()
        self._seen[guest] = now
        self.redis.zadd(GUESTS, {guest: now})

    def idle_since(self, moment: int, most: int) -> list[str]:
        """Guests who were last here before this moment, the longest absent first."""
        return [guest.decode() for guest in self.redis.zrangebyscore(GUESTS, "-inf", moment, start=0, num=most)]

    def count(self) -> int:
        return self.redis.zcard(GUESTS)

    def drop(self, guest: str) -> None:
        self.redis.zrem(GUESTS, guest)
