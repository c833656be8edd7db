"""Which registered workers of a queue are at work, by their subscriptions and heartbeats; and when other processes last were."""

from datetime import UTC, datetime, timedelta

from rq import Queue, Worker
from rq.worker import BaseWorker, WorkerStatus

from marketpost.play.ports import Ports
from marketpost.store.heartbeat import REMEMBERED, Part
from workers.queue import JOB_TIMEOUT
from workers.run import WORKER_TTL

NEVER = datetime(2025, 1, 1, tzinfo=UTC)
"""The last heartbeat of a worker that has sent none."""
HEARD_WITHIN = timedelta(seconds=WORKER_TTL)
"""The longest gap between two heartbeats of an idle worker; it sends two in this time."""
BUSY_WITHIN = timedelta(seconds=JOB_TIMEOUT) + HEARD_WITHIN
"""How long a busy worker may be silent: its next heartbeat comes when its job ends."""


class RegisteredWorker(Worker):
    """A worker of another process, to be looked at.

    Fault: for each worker it reads, rq would raise the timeout of the connection to the minutes for which a worker waits for jobs. The API
    shares that connection: none of its requests would get away from a queue that hangs.
    """

    @property
    def connection_timeout(self) -> int:
        """Seconds that the connection has to wait at least."""
        return 0


def find_workers(queue: Queue) -> tuple[list[BaseWorker], list[BaseWorker]]:
    """Find the workers of a queue: those at work, and those that are registered but do not answer.

    Fault: a Redis that stood still may write the state of a worker when its record has expired. Such a rest of a record has no birth.
    """
    found: tuple[list[BaseWorker], list[BaseWorker]] = ([], [])
    for worker in RegisteredWorker.all(queue=queue):
        if worker.birth_date:
            found[not _at_work(worker)].append(worker)
    return found


def _at_work(worker: BaseWorker) -> bool:
    """Whether a worker runs and answers.

    Fault: a killed worker stays registered for a while; Redis shows at once that nobody subscribes to its channel. A worker that hangs
    keeps its subscription, but its heartbeat stops.
    """
    [(_, listening)] = worker.connection.pubsub_numsub(worker.pubsub_channel_name)
    return bool(listening) and silence(worker) <= _longest_gap(worker)


def ages_of_parts(ports: Ports) -> dict[Part, float]:
    """Compute the seconds since each part beside the workers last did its work; a day if there is no sweeper, which is always needed."""
    now, noted = ports.clock(), ports.heartbeat.noted()
    ages = {part: max(0.0, (now - at) / 1000) for part, at in noted.items()}
    return {Part.SWEEPER: float(REMEMBERED), **ages}


def silence(worker: BaseWorker) -> timedelta:
    """Compute the time since a worker's last heartbeat."""
    beat = worker.last_heartbeat or NEVER
    return datetime.now(UTC) - beat.replace(tzinfo=UTC)


def clock_ahead(worker: BaseWorker) -> float:
    """Compute by how many seconds, at least, the clock of a worker's machine is ahead of ours; one that is behind is missed instead."""
    return max(0.0, -silence(worker).total_seconds())


def _longest_gap(worker: BaseWorker) -> timedelta:
    """Return the longest gap between heartbeats that is normal for a worker in its state."""
    return BUSY_WITHIN if worker.get_state() == WorkerStatus.BUSY else HEARD_WITHIN
