"""A real Redis for a test, started and stopped with it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from store.embedded import Server, servers


@contextmanager
def running(server: Server) -> Iterator[str]:
    """The address of a server that answers."""
    server.prepare()
    with server.start() as process:
        try:
            until = time.monotonic() + 20
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
