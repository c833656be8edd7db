"""A real Redis for a test, started and stopped with it."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from marketpost.store.embedded_redis import RedisServer, servers

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where data lies when what is tested is not the disk."""


@contextmanager
def running(server: RedisServer) -> Iterator[str]:
    """The address of a server that answers."""
    server.prepare()
    with server.start() as process:
        try:
            until = time.monotonic() + 120
            while not server.answers():
                assert time.monotonic() < until, "the server does not answer"
                time.sleep(0.02)
            yield server.url
        finally:
            process.terminate()


@contextmanager
def games_redis(data: Path) -> Iterator[str]:
    """As durable as in service."""
    games, _ = servers(data, {})
    with running(games) as url:
        yield url


@contextmanager
def queue_redis(data: Path) -> Iterator[str]:
    _, queue = servers(data, {})
    with running(queue) as url:
        yield url


@contextmanager
def both_redis(where: str | None = MEMORY) -> Iterator[Path]:
    """The data folder of the two that a service needs."""
    with tempfile.TemporaryDirectory(prefix="mp-", dir=where, ignore_cleanup_errors=True) as folder:
        data = Path(folder)
        with games_redis(data), queue_redis(data):
            yield data
