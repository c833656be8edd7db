"""The addresses that letters come back to: one a letter, good for one bounce."""

import hashlib

from marketpost.store.redis_client import RedisClient

BOUNCE_LIVES = 30 * 24 * 3600
"""Seconds in which a letter can come back; mail servers give up after days."""


class BounceAddresses:
    """Only the hash of a token is kept, and apart from the tokens of replies: neither can be used for the other."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def open(self, token: str, player: str) -> None:
        """From now on the letter with this token to this player can come back."""
        self.redis.set(_key(token), player, ex=BOUNCE_LIVES)

    def find(self, token: str) -> str | None:
        """The player whose letter can still come back under this token."""
        found = self.redis.get(_key(token))
        return found.decode() if found else None

    def take(self, token: str) -> str | None:
        """The same, once: a letter that came back cannot do so again. Race: of two bounces DEL succeeds for one."""
        found = self.find(token)
        return found if self.redis.delete(_key(token)) else None


def _key(token: str) -> str:
    return f"{{mail}}:bounce:{hashlib.sha256(token.encode(errors='surrogatepass')).hexdigest()}"
