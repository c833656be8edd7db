"""Parts of inbound messages: which of them have been decided, and by which move."""

from marketpost.store.redis_client import RedisClient

SEPARATOR = "."


class MessageParts:
    """Stores for each message with parts, by label, the move that a part became; empty for a part without orders."""

    def __init__(self, redis: RedisClient, lives: int) -> None:
        self.redis, self.lives = redis, lives

    def settle(self, id: str, label: str, move: str = "") -> None:
        """Store that a part was decided."""
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.hset(_key(id), label, move)
            pipe.expire(_key(id), self.lives)
            pipe.execute()

    def settled(self, id: str) -> dict[str, str]:
        """Read the parts that were decided."""
        return {label.decode(): move.decode() for label, move in self.redis.hgetall(_key(id)).items()}


def part_id(id: str, label: str) -> str:
    """Return the id of a part of a message."""
    return f"{id}{SEPARATOR}{label}"


def part_of(id: str) -> tuple[str, str] | None:
    """Return the message and the label that an id of a part is made of; None for the id of a whole message."""
    message, separator, label = id.partition(SEPARATOR)
    return (message, label) if separator else None


def _key(id: str) -> str:
    return f"{{mail}}:parts:{id}"
