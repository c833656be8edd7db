"""What workers have done, counted in the queue's Redis. Lost with it, and no harm done."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis import RedisError

from marketpost.store.redis_client import RedisClient
from marketpost.store.webhook_queue import CallOutcome

OUTCOMES = "metrics:outcomes"
LATENCY = "metrics:latency"
CALLS = "metrics:calls"
HELD = "metrics:held"
SUM = "sum"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds in seconds; whatever took longer is counted above the last."""


@dataclass(frozen=True, slots=True)
class Counted:
    outcomes: dict[str, int]
    latency: list[int]
    """How many moves fell between one bound and the next; one number more than there are bounds."""
    seconds: float
    """All of them together."""
    calls: dict[str, int]
    """Of webhooks."""
    held: dict[str, int]
    """Letters that the gate held back, by reason."""


def attempts_key(move: str) -> str:
    """The key of a move's number of attempts."""
    return f"tried:{move}"


def count(redis: RedisClient, moves: Sequence[tuple[str, str, float]]) -> None:
    """Moves were decided, each so long after it was accepted. Counting must not stop a worker."""
    with suppress(RedisError), redis.pipeline(transaction=False) as pipe:
        for outcome, number in Counter(outcome for _, outcome, _ in moves).items():
            pipe.hincrby(OUTCOMES, outcome, number)
        for bucket, number in Counter(bisect_left(BUCKETS, seconds) for *_, seconds in moves).items():
            pipe.hincrby(LATENCY, str(bucket), number)
        pipe.hincrbyfloat(LATENCY, SUM, sum(seconds for *_, seconds in moves))
        pipe.unlink(*(attempts_key(move) for move, *_ in moves))
        pipe.execute()


def reset_attempts(redis: RedisClient, moves: Sequence[str]) -> None:
    """Reset the attempts at these moves."""
    with suppress(RedisError):
        redis.unlink(*map(attempts_key, moves))


def count_call(redis: RedisClient, outcome: CallOutcome) -> None:
    """A webhook was called."""
    with suppress(RedisError):
        redis.hincrby(CALLS, outcome, 1)


def count_held(redis: RedisClient, reason: str) -> None:
    """The gate held a letter back."""
    with suppress(RedisError):
        redis.hincrby(HELD, reason, 1)


def read(redis: RedisClient) -> Counted:
    latency = redis.hgetall(LATENCY)
    counts = [int(latency.get(str(bucket).encode(), 0)) for bucket in range(len(BUCKETS) + 1)]
    seconds = float(latency.get(SUM.encode(), 0))
    return Counted(_numbers(redis.hgetall(OUTCOMES)), counts, seconds, _numbers(redis.hgetall(CALLS)), _numbers(redis.hgetall(HELD)))


def _numbers(found: dict[bytes, bytes]) -> dict[str, int]:
    return {name.decode(): int(number) for name, number in found.items()}
