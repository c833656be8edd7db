"""What waits for a player's yes: kept until it is answered, answered once."""

import msgspec

from marketpost.store.redis_client import RedisClient

QUESTION_LIVES = 30 * 24 * 3600
"""Seconds for which a question may be answered."""


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """Exactly what is done on a yes: these orders, and these commands (name and argument)."""

    orders: str = ""
    position: int = 0
    """The version that made the position which the orders were read for."""
    commands: list[tuple[str, str]] = []


_question = msgspec.json.Decoder(Question)


class OpenQuestions:
    """A question has the id of the mail that led to it."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def keep(self, id: str, question: Question) -> None:
        """A mail that is read twice asks once."""
        self.redis.set(_key(id), msgspec.json.encode(question), nx=True, ex=QUESTION_LIVES)

    def find(self, id: str) -> Question | None:
        found = self.redis.get(_key(id))
        return _question.decode(found) if found else None

    def open(self, id: str) -> Question | None:
        """The question, if it has not been answered yet."""
        return None if self.redis.exists(_answered(id)) else self.find(id)

    def answer(self, id: str, mail: str) -> bool:
        """Whether this mail is the one that answers it.

        Race: a mail may be read twice, and a player may send yes twice. SET NX lets the first mail win, whichever reads it.
        """
        self.redis.set(_answered(id), mail, nx=True, ex=QUESTION_LIVES)
        return bool(self.redis.get(_answered(id)) == mail.encode())


def _key(id: str) -> str:
    return f"{{mail}}:question:{id}"


def _answered(id: str) -> str:
    return f"{{mail}}:answered:{id}"
