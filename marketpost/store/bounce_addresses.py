"""Bounce addresses: each letter has one, which is valid for one bounce or one complaint."""

import hashlib

from marketpost.store.redis_client import RedisClient

BOUNCE_LIVES = 30 * 24 * 3600
"""Seconds for which a bounce of a letter is recognized; mail servers give up after days."""


class BounceAddresses:
    """Stores which player a bounce token belongs to.

    Only hashes of tokens are stored, apart from those of reply tokens, so that neither can be used for the other.
    """

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def open(self, token: str, player: str) -> None:
        """Store the token of a letter to this player."""
        self.redis.set(_key(token), player, ex=BOUNCE_LIVES)

    def find(self, token: str) -> str | None:
        """Find the player of a token that was not used yet."""
        found = self.redis.get(_key(token))
        return found.decode() if found else None

    def take(self, token: str) -> str | None:
        """Use a token up and return its player; None if it is unknown or used.

        Race: two workers may read two bounces or complaints about the same letter. DEL succeeds for one of them.
        """
        found = self.find(token)
        return found if self.redis.delete(_key(token)) else None


def _key(token: str) -> str:
    return f"{{mail}}:bounce:{hashlib.sha256(token.encode(errors='surrogatepass')).hexdigest()}"
