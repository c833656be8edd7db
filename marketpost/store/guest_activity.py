"""When each guest was last active: guests, whose mail address is not known or not confirmed, are erased after a long absence."""

from marketpost.store.redis_client import RedisClient

GUESTS = "guests"
SEEN_AGAIN_AFTER = 3600_000
"""Milliseconds after which a process records again that a guest is active."""
MOST_REMEMBERED = 10_000


class GuestActivity:
    """Stores the last activity of guests."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._seen: dict[str, int] = {}

    def seen(self, guest: str, now: int) -> None:
        """Record that a guest is active, at most once an hour for each process."""
        if now - self._seen.get(guest, 0) < SEEN_AGAIN_AFTER:
            return
        if len(self._seen) > MOST_REMEMBERED:
            self._seen.clear()
        self._seen[guest] = now
        self.redis.zadd(GUESTS, {guest: now})

    def idle_since(self, moment: int, most: int) -> list[str]:
        """List guests who were not active since this moment, the longest absent first."""
        return [guest.decode() for guest in self.redis.zrangebyscore(GUESTS, "-inf", moment, start=0, num=most)]

    def count(self) -> int:
        """Count the guests."""
        return self.redis.zcard(GUESTS)

    def drop(self, guest: str) -> None:
        """Remove a guest from the list."""
        self.redis.zrem(GUESTS, guest)
