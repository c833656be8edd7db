"""Answers to writes, kept for a day so that the same request with the same key gets the same answer."""

import hashlib
from collections.abc import Callable
from typing import Any

from store.connect import Client

ANSWER_LIVES = 25 * 3600


class SameKeyOtherRequest(Exception):
    """The idempotency key was used before, for something else."""


class Answers:
    def __init__(self, redis: Client) -> None:
        self.redis = redis

    @staticmethod
    def key(owner: str, place: str, key: str) -> str:
        return f"answer:{hashlib.sha256(f'{owner}|{place}|{key}'.encode()).hexdigest()}"

    def claim(self, name: str, request: bytes) -> bytes | None:
        """The answer given before, if there is one. The first request with a key says what the key stands for."""
        with self.redis.pipeline() as pipe:
            pipe.hsetnx(name, "request", request)
            pipe.expire(name, ANSWER_LIVES, nx=True)
            pipe.hmget(name, "request", "answer")
            found: Any = pipe.execute()[2]
        if found[0] != request:
            raise SameKeyOtherRequest
        answer: bytes | None = found[1]
        return answer

    def keep(self, name: str, answer: bytes) -> None:
        """The first answer stays."""
        self.redis.hsetnx(name, "answer", answer)

    def change(self, change: Callable[[bytes], bytes]) -> None:
        """Go through all that is kept, such as to take a name out."""
        for name in self.redis.scan_iter("answer:*", count=1000):
            found = self.redis.hget(name, "answer")
            if found and (changed := change(found)) != found:
                self.redis.hset(name, "answer", changed)
