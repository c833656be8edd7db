"""Counters of inbound mail and of its answers, in the queue's Redis. They may be lost with it: metrics then begin at 0."""

from bisect import bisect_left
from contextlib import suppress
from dataclasses import dataclass

from redis import RedisError

from marketpost.store.redis_client import RedisClient

INBOUND = "metrics:inbound"
ANSWERS = "metrics:answers"
SUM = "sum"
ANSWER_BUCKETS = (0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
"""Upper bounds of the histogram in seconds; a last bucket counts what took longer, as when the recipient's server was away."""


@dataclass(frozen=True, slots=True)
class MailCounted:
    """Counts of inbound messages and their answers."""

    inbound: dict[tuple[str, str], int]
    """By verdict and status."""
    answers: list[int]
    """Number of answers in each bucket; one more than there are bounds."""
    seconds: float
    """Sum of the times from message to answer."""


@dataclass(frozen=True, slots=True)
class MailCounters:
    """Counts for the mailer. Errors of Redis are ignored: counting must not stop a worker."""

    redis: RedisClient

    def inbound(self, verdict: str, status: str) -> None:
        """Count a message that was acted on."""
        with suppress(RedisError):
            self.redis.hincrby(INBOUND, f"{verdict} {status}", 1)

    def answered(self, seconds: float) -> None:
        """Count an answer that a mail server has taken, by the time since its message came in."""
        with suppress(RedisError), self.redis.pipeline(transaction=False) as pipe:
            pipe.hincrby(ANSWERS, str(bisect_left(ANSWER_BUCKETS, seconds)), 1)
            pipe.hincrbyfloat(ANSWERS, SUM, seconds)
            pipe.execute()

    def read(self) -> MailCounted:
        """Read all counters."""
        inbound = {tuple(name.decode().split(" ", 1)): int(number) for name, number in self.redis.hgetall(INBOUND).items()}
        answers = self.redis.hgetall(ANSWERS)
        counts = [int(answers.get(str(bucket).encode(), 0)) for bucket in range(len(ANSWER_BUCKETS) + 1)]
        return MailCounted(
            {(verdict, status): number for (verdict, status), number in inbound.items()}, counts, float(answers.get(SUM.encode(), 0))
        )
