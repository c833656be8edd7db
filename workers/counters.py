"""Counters of what workers did, in the queue's Redis. They may be lost with it: metrics then begin at 0."""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis import RedisError

from marketpost.mail.outbound.attempt import OutcomeKind
from marketpost.store.delivery_queue import EMAIL
from marketpost.store.redis_client import RedisClient

OUTCOMES = "metrics:outcomes"
LATENCY = "metrics:latency"
DELIVERIES = "metrics:deliveries"
HELD = "metrics:held"
SUM = "sum"
HOUR = 3600
FOR_GOOD = (OutcomeKind.REJECTED, OutcomeKind.BOUNCED)
LAST_REFUSED = "last"
"""Field with the id of the letter that was refused last."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histogram in seconds; a last bucket counts what took longer."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of decided moves, deliveries and held letters."""

    outcomes: dict[str, int]
    latency: list[int]
    """Number of moves in each bucket; one more than there are bounds."""
    seconds: float
    """Sum of all latencies."""
    deliveries: dict[tuple[str, ...], int]
    """Attempts to deliver, by channel, kind of letter and outcome."""
    held: dict[str, int]
    """Letters that the mail gate held back, by reason."""


@dataclass(frozen=True, slots=True)
class RecentLetters:
    """Attempts to deliver letters, within an hour or two."""

    attempts: int
    refused: int
    """Those that were refused for good."""
    last: str
    """The id of the letter that was refused last; empty if none was."""


def attempts_key(move: str) -> str:
    """Name the key that counts the attempts to judge a move."""
    return f"tried:{move}"


def count(redis: RedisClient, moves: Sequence[tuple[str, str, float]]) -> None:
    """Count decided moves: id, outcome, seconds since acceptance. Errors of Redis are ignored: counting must not stop a worker."""
    with suppress(RedisError), redis.pipeline(transaction=False) as pipe:
        for outcome, number in Counter(outcome for _, outcome, _ in moves).items():
            pipe.hincrby(OUTCOMES, outcome, number)
        for bucket, number in Counter(bisect_left(BUCKETS, seconds) for *_, seconds in moves).items():
            pipe.hincrby(LATENCY, str(bucket), number)
        pipe.hincrbyfloat(LATENCY, SUM, sum(seconds for *_, seconds in moves))
        pipe.unlink(*(attempts_key(move) for move, *_ in moves))
        pipe.execute()


def reset_attempts(redis: RedisClient, moves: Sequence[str]) -> None:
    """Reset the number of attempts to judge these moves."""
    with suppress(RedisError):
        redis.unlink(*map(attempts_key, moves))


def count_delivery(redis: RedisClient, channel: str, kind: str, outcome: str, delivery: str = "") -> None:
    """Count the outcome of an attempt to deliver something; of letters also those of this hour, with the last one that was refused."""
    with suppress(RedisError), redis.pipeline(transaction=False) as pipe:
        pipe.hincrby(DELIVERIES, f"{channel} {kind} {outcome}", 1)
        if channel == EMAIL:
            now = _hour()
            pipe.hincrby(now, outcome, 1)
            if outcome in FOR_GOOD:
                pipe.hset(now, LAST_REFUSED, delivery)
            pipe.expire(now, 2 * HOUR)
        pipe.execute()


def _hour(ago: int = 0) -> str:
    return f"metrics:letters:{int(time.time()) // HOUR - ago}"


def read_letters(redis: RedisClient) -> RecentLetters:
    """Read what became of letters in this hour and the one before."""
    hours = [redis.hgetall(_hour(ago)) for ago in (0, 1)]
    refused = [found.pop(LAST_REFUSED.encode(), b"").decode() for found in hours]
    counts = sum((Counter(_numbers(found)) for found in hours), Counter[str]())
    return RecentLetters(counts.total(), sum(counts[each] for each in FOR_GOOD), refused[0] or refused[1])


def count_held(redis: RedisClient, reason: str) -> None:
    """Count a letter that the mail gate held back, by reason."""
    with suppress(RedisError):
        redis.hincrby(HELD, reason, 1)


def read(redis: RedisClient) -> Counted:
    """Read all counters."""
    latency = redis.hgetall(LATENCY)
    counts = [int(latency.get(str(bucket).encode(), 0)) for bucket in range(len(BUCKETS) + 1)]
    seconds = float(latency.get(SUM.encode(), 0))
    deliveries = {tuple(name.split(" ")): number for name, number in _numbers(redis.hgetall(DELIVERIES)).items()}
    return Counted(_numbers(redis.hgetall(OUTCOMES)), counts, seconds, deliveries, _numbers(redis.hgetall(HELD)))


def _numbers(found: dict[bytes, bytes]) -> dict[str, int]:
    return {name.decode(): int(number) for name, number in found.items()}
