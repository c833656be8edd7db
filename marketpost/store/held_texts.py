"""What was read of messages that wait for a player's yes. Their raw bytes are not kept."""

from marketpost.store.redis_client import RedisClient

HELD_LIVES = 30 * 24 * 3600
"""Seconds for which a message waits for a player's yes."""


class HeldTexts:
    """A held message by the id of the message."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def store(self, id: str, text: bytes) -> None:
        self.redis.set(held_key(id), text, ex=HELD_LIVES)

    def find(self, id: str) -> bytes | None:
        found = self.redis.get(held_key(id))
        return bytes(found) if found else None


def held_key(id: str) -> str:
    return f"{{mail}}:held:{id}"
