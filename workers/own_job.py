"""The only rq jobs that a worker runs: our own functions, without arguments, callbacks or webhooks."""

from collections.abc import Callable
from typing import Any

from rq.job import Job

JOBS = {"moves": "workers.jobs.moves", "bots": "workers.jobs.bots", "mail": "workers.jobs.mail", "hooks": "workers.jobs.hooks"}
"""The function that a worker of each queue runs."""


class ForeignJob(Exception):
    """Raised for a job that names any other function, or that brings arguments."""


class OwnJob(Job):
    """A job whose function is on the list above.

    rq imports and calls whatever a job names. Somebody who can write to the queue's Redis could so run any program as the worker:
    by the function of a job, by its callbacks, or let it call any address by its webhooks. None of them is taken from Redis here.
    """

    @property
    def func(self) -> Callable[[], Any]:
        """The function to run; a job of somebody else's making fails and is not tried again."""
        if self.instance or self.args or self.kwargs or self.func_name not in JOBS.values():
            raise ForeignJob(f"job {self.id!r} is not ours and was not run")
        function: Callable[[], Any] = super().func
        return function

    @property
    def success_callback(self) -> None:
        """Ignore what the job names: ours have no callbacks."""

    @property
    def failure_callback(self) -> None:
        """Ignore what the job names, also where rq cleans up after a killed worker."""

    @property
    def stopped_callback(self) -> None:
        """Ignore what the job names."""

    def send_webhooks(self, *args: Any, **kwargs: Any) -> None:
        """Call nobody: ours have no webhooks."""
