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

    def open(self, token: str, player: str, letter: str) -> None:
        """Store the token of a letter to this player."""
        self.redis.set(_key(token), f"{player} {letter}", ex=BOUNCE_LIVES)

    def find(self, token: str) -> str | None:
        """Find the player of a token that was not used yet."""
        found = self.redis.get(_key(token))
        return found.decode().partition(" ")[0] if found else None

    def take(self, token: str, now: int | None = None) -> tuple[str, str] | None:
        """Use a token up and return its player and letter; None if it is unknown or used. The moment, if given, stays with the letter.

        Race: two workers may read two bounces or complaints about the same letter. DEL succeeds for one of them.
        """
        found = self.redis.get(_key(token))
        if found is None or not self.redis.delete(_key(token)):
            return None
        player, _, letter = found.decode().partition(" ")
        if now is not None:
            self.redis.set(_used_key(letter), now, ex=BOUNCE_LIVES)
        return player, letter

    def used(self, letter: str) -> int | None:
        """Read when the bounce or complaint about a letter came in; None if there was none."""
        found = self.redis.get(_used_key(letter))
        return int(found) if found else None


def _used_key(letter: str) -> str:
    return f"{{mail}}:bounced:{letter}"


def _key(token: str) -> str:
    return f"{{mail}}:bounce:{hashlib.sha256(token.encode(errors='surrogatepass')).hexdigest()}"
