"""Questions that wait for a player's yes: each is stored for a month and answered at most once."""

import msgspec

from marketpost.store.redis_client import RedisClient

QUESTION_LIVES = 30 * 24 * 3600
"""Seconds for which a question can be answered."""


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """The orders and commands (name and argument) that a yes carries out."""

    orders: str = ""
    position: int = 0
    """Version of the position that the orders are for."""
    commands: list[tuple[str, str]] = []


_question = msgspec.json.Decoder(Question)


class OpenQuestions:
    """Stores questions under the id of the message that led to them."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def store(self, id: str, question: Question) -> None:
        """Store a question, unless a worker that read the same message before has stored it."""
        self.redis.set(_key(id), msgspec.json.encode(question), nx=True, ex=QUESTION_LIVES)

    def find(self, id: str) -> Question | None:
        """Read a question, answered or not."""
        found = self.redis.get(_key(id))
        return _question.decode(found) if found else None

    def open(self, id: str) -> Question | None:
        """Read a question that has not been answered yet; None otherwise."""
        return None if self.redis.exists(_answered(id)) else self.find(id)

    def answer(self, id: str, mail: str) -> bool:
        """Whether this message is the one that answers the question.

        Race: two workers may read the same yes, and a player may send two. SET NX lets the first message win, whichever worker reads it.
        """
        self.redis.set(_answered(id), mail, nx=True, ex=QUESTION_LIVES)
        return bool(self.redis.get(_answered(id)) == mail.encode())


def _key(id: str) -> str:
    return f"{{mail}}:question:{id}"


def _answered(id: str) -> str:
    return f"{{mail}}:answered:{id}"
