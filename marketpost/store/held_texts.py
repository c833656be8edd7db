"""Texts of held messages, which wait for a player's yes. Their raw bytes are not stored."""

from marketpost.store.redis_client import RedisClient

HELD_LIVES = 30 * 24 * 3600
"""Seconds for which a held message waits for the player's yes."""


class HeldTexts:
    """Stores what was read from held messages, by the id of the message."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def store(self, id: str, text: bytes) -> None:
        """Store the text of a held message for a month."""
        self.redis.set(held_key(id), text, ex=HELD_LIVES)

    def find(self, id: str) -> bytes | None:
        """Read the text of a held message; None if there is none."""
        found = self.redis.get(held_key(id))
        return bytes(found) if found else None


def held_key(id: str) -> str:
    """Name the key of a held message's text."""
    return f"{{mail}}:held:{id}"
