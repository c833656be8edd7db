"""Responses to writes, stored for a day, so that the same request with the same idempotency key gets the same response."""

import hashlib
from typing import Any

import msgspec

from marketpost.store.redis_client import RedisClient

ANSWER_LIVES = 25 * 3600


class StoredResponse(msgspec.Struct, array_like=True):
    """A response as it was sent."""

    status: int
    headers: dict[str, str]
    body: str


class SameKeyOtherRequest(Exception):
    """Raised where an idempotency key was used before for another request."""


_answer = msgspec.json.Decoder(StoredResponse)


class StoredResponses:
    """Stores the request and the response of each idempotency key."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    @staticmethod
    def key(owner: str, place: str, key: str) -> str:
        """Name the Redis key of an idempotency key that an owner used at a place of the API."""
        return f"answer:{hashlib.sha256(f'{owner}|{place}|{key}'.encode()).hexdigest()}"

    def claim(self, name: str, request: bytes) -> StoredResponse | None:
        """Bind an idempotency key to this request, and return the response if there is one. Raises `SameKeyOtherRequest`."""
        with self.redis.pipeline() as pipe:
            pipe.hsetnx(name, "request", request)
            pipe.expire(name, ANSWER_LIVES, nx=True)
            pipe.hmget(name, ["request", "answer"])
            found = pipe.execute()[2]
        if found[0] != request:
            raise SameKeyOtherRequest
        return _answer.decode(found[1]) if found[1] else None

    def store(self, name: str, answer: StoredResponse) -> None:
        """Store the response of a request; the first one stays."""
        self.redis.hsetnx(name, "answer", msgspec.json.encode(answer))

    def erase(self, player: str) -> None:
        """Remove the name and the texts of a player from all stored responses."""
        for name in self.redis.scan_iter("answer:*", count=1000):
            found = self.redis.hget(name, "answer")
            if found and player.encode() in found:
                self.redis.hset(name, "answer", msgspec.json.encode(_nameless(player, _answer.decode(found))))


def _nameless(player: str, answer: StoredResponse) -> StoredResponse:
    try:
        document = msgspec.json.decode(answer.body)
    except msgspec.DecodeError:  # no JSON, so it has no names
        return answer
    return StoredResponse(answer.status, answer.headers, msgspec.json.encode(_without_name(player, document)).decode())


def _without_name(player: str, document: Any) -> Any:
    if isinstance(document, list):
        return [_without_name(player, each) for each in document]
    if not isinstance(document, dict):
        return document
    gone = {name: None for name in ("name", "text") if name in document} if document.get("player") == player else {}
    return {name: _without_name(player, value) for name, value in document.items()} | gone
