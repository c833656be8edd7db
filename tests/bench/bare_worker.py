"""A plain rq worker, for the yardstick: workers of ours run only their own jobs, and refuse rq's empty ones."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from marketpost.store.connections import connect
from marketpost.store.settings import Settings

PATIENCE = 10


def empty_jobs(redis: Redis) -> Queue:
    """Return the queue of the empty jobs."""
    return Queue("empty-jobs", connection=redis, serializer=JSONSerializer)


@contextmanager
def bare_worker(environment: dict[str, str]) -> Iterator[None]:
    """Run one in a process of its own, on the queue's Redis of this service."""
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.bare_worker"], env=environment, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def work() -> None:
    redis = connect(Settings.read(os.environ).queue_redis_url)
    SimpleWorker([empty_jobs(redis)], connection=redis, serializer=JSONSerializer).work(logging_level="WARNING")


if __name__ == "__main__":
    work()
