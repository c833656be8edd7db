"""The only rq jobs that a worker runs: our own functions, without arguments, callbacks or webhooks."""

import logging
from collections.abc import Callable
from typing import Any

from redis import Redis
from rq import Queue
from rq.intermediate_queue import IntermediateQueue
from rq.job import Job

JOBS = {"moves": "workers.jobs.moves", "bots": "workers.jobs.bots", "mail": "workers.jobs.mail", "hooks": "workers.jobs.hooks"}
"""The function that a worker of each queue runs."""


log = logging.getLogger("marketpost.workers")


class ForeignJob(Exception):
    """Raised for a job that names another function or has arguments."""


class OwnJob(Job):
    """A job that runs only functions listed in `JOBS`.

    rq imports and calls whatever a job names. Somebody who can write to the queue's Redis could so run any program as the worker, by the
    function of a job or by its callbacks, or call any address by its webhooks. None of them is taken from Redis here.
    """

    @property
    def func(self) -> Callable[[], Any]:
        """The function to run; raises `ForeignJob` for any other, and the job is not tried again."""
        if self.instance or self.args or self.kwargs or self.func_name not in JOBS.values():
            raise ForeignJob(f"job {self.id!r} is not ours and was not run")
        function: Callable[[], Any] = super().func
        return function

    @property
    def success_callback(self) -> None:
        """None, whatever the job in Redis names."""

    @property
    def failure_callback(self) -> None:
        """None, whatever the job in Redis names; rq also asks when it cleans up after a killed worker."""

    @property
    def stopped_callback(self) -> None:
        """None, whatever the job in Redis names."""

    def send_webhooks(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: our jobs have no webhooks."""


class OwnQueue(Queue):
    """A queue that drops ids which are no text. rq's worker would end at each of them, and again when it cleans up."""

    @classmethod
    def lmove(cls, connection: Redis, queue_key: str, timeout: int | None) -> tuple[str, bytes] | None:
        """Take the next id that is text."""
        found: tuple[str, bytes] | None
        while (found := super().lmove(connection, queue_key, timeout)) and not _is_text(found[1]):
            connection.lrem(IntermediateQueue.get_intermediate_queue_key(queue_key), 1, found[1])
            log.warning("%s: dropped a job whose id is not ours. Somebody else writes to the queue's Redis: give it a password", queue_key)
        return found


def _is_text(id: bytes) -> bool:
    try:
        return bool(id.decode())
    except UnicodeDecodeError:
        return False
