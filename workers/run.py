"""A worker process, and the sweeper, which enqueues again what was lost between the store and the queue, and tidies the store."""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from redis import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from marketpost.mail.canary import send_canary
from marketpost.notify.channels import target_channels
from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.verify import clear_repaired, find_damage
from marketpost.play.log.game import GameStatus
from marketpost.play.people.erasure import finish_erasures
from marketpost.play.people.guests import erase_idle_guests
from marketpost.play.ports import Ports
from marketpost.store.connections import ELSEWHERE
from marketpost.store.delivery_queue import EMAIL, DeliveryQueue
from marketpost.store.game_index import QUIET_AFTER
from marketpost.store.heartbeat import BEAT_EVERY, Part
from marketpost.store.mail_queue import MailQueue
from marketpost.store.settings import Settings
from workers.notifier import make_mailer, worker_parts
from workers.own_job import OwnJob, OwnQueue
from workers.process_settings import register
from workers.queue import BOTS, HOOKS, MAIL, MOVES, make_ports, make_queue, stopping

SWEEP_EVERY = 5.0
LOOK_EVERYWHERE = 20.0
CHECKED_AT_ONCE = 100
"""Games whose hashes the sweeper checks each time it looks everywhere."""
WORKER_TTL = 30
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 15.0
"""Seconds after which a worker tries a queue again that could not be used; each later attempt waits twice as long, up to the second."""
NICE = 10
"""Niceness of bot workers (`man 2 nice`): the moves of people get the CPU first."""
log = logging.getLogger("marketpost.sweeper")


def work(queue: str = MOVES) -> None:
    """Run a worker on one queue, in this process: rq does not fork, so that imports and caches last from job to job."""
    import_module("workers.jobs")
    if queue == BOTS:
        os.nice(NICE)
    listens, pause = worker_parts().work_queue.queues[queue], FIRST_PAUSE
    while not stopping.is_set():
        began = time.monotonic()
        _work_while_it_goes(listens)
        pause = FIRST_PAUSE if time.monotonic() - began > LONGEST_PAUSE else min(LONGEST_PAUSE, pause * 2)
        _wait(pause)


def _work_while_it_goes(listens: Queue) -> None:
    """Run one rq worker until it is told to stop, or ends because the queue cannot be used.

    Fault: rq's worker ends when its Redis is away or out of memory. It is begun again, so that work goes on when the queue is back.
    """
    try:
        worker = QueueWorker(
            [listens],
            connection=listens.connection,
            serializer=JSONSerializer,
            job_class=OwnJob,
            queue_class=OwnQueue,
            worker_ttl=WORKER_TTL,
        )
        worker.log_job_description = False
        worker.work(logging_level="WARNING")
    except RedisError as error:
        log.warning("the queue's Redis cannot be used, this worker waits for it: %s; `marketpost doctor` says more", error)
    except StopRequested:
        return


def _wait(seconds: float) -> None:
    """Wait before the next attempt, unless this process is told to stop; rq's handler of signals raises meanwhile."""
    with suppress(StopRequested, RedisError):
        stopping.wait(seconds)


class QueueWorker(SimpleWorker):
    """A worker that sets `stopping` on a warm shutdown, so that its job ends early; rq would wait for the job, which is long while many
    play."""

    max_connection_wait_time = LONGEST_PAUSE

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Tell that this worker runs.

        Fault: a Redis of the queue that was started again knows of no worker. It is registered again, or the doctor would miss it for ever.
        """
        if pipeline is None and not self.connection.hexists(self.key, "birth"):
            self.connection.delete(self.key)
            self.register_birth()
        super().heartbeat(timeout, pipeline)

    def register_birth(self) -> None:
        """Tell that this worker begins, and with which settings."""
        super().register_birth()  # type: ignore[no-untyped-call]
        register(self, worker_parts().mailer.settings)

    def handle_warm_shutdown_request(self) -> None:
        """Let the running job end early."""
        stopping.set()

    def run_maintenance_tasks(self) -> None:
        """Clean rq's registries; what somebody else has written into them does not stop the worker."""
        try:
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]
        except UnicodeDecodeError as error:
            log.warning("rq's lists of jobs hold an id that is not ours, and are not cleaned: %s", error)


def sweep_for_ever(settings: Settings, stop: threading.Event) -> None:
    """Sweep every few seconds until told to stop; errors are logged."""
    work_queue = make_queue(settings)
    ports = make_ports(settings, work_queue)
    inbound, deliveries = MailQueue(ports.games.redis), DeliveryQueue(ports.games.redis)
    canary = make_mailer(settings, work_queue, ports) if settings.canary_every and settings.smtp_url else None
    looked, leaving, unchecked = -LOOK_EVERYWHERE, set[str](), list[str]()
    while not stop.wait(SWEEP_EVERY):
        try:
            if time.monotonic() - looked >= LOOK_EVERYWHERE:
                look_everywhere(ports, time.time())
                looked = time.monotonic()
                leaving = finish_erasures(ports, leaving)
                erase_idle_guests(ports)
                clear_repaired(ports)
                unchecked = check_some(ports, unchecked)
            sweep(ports, work_queue.enqueue, work_queue.enqueue_behind, time.time())
            for competition in ports.competitions.due(ports.clock()):
                work_queue.enqueue_behind(competition)
            if ports.searches.has_work():
                work_queue.enqueue_behind(ports.searches.WORK)
            if abs(ports.clock() - ports.heartbeat.last()) > BEAT_EVERY:  # also if the clock was set back
                work_queue.wake(MOVES)
            if canary and canary.canary.claim(settings.canary_every):
                send_canary(canary)
            if inbound.due(ports.clock()) or deliveries.due(ports.clock(), EMAIL):
                work_queue.wake(MAIL)
            if ports.analyses.due(ports.clock()):
                work_queue.wake(BOTS)
            if deliveries.due(ports.clock(), *target_channels()):
                work_queue.wake(HOOKS)
            ports.heartbeat.note(Part.SWEEPER, ports.clock())
        except RedisError as error:
            log.warning("cannot sweep: %s", error)
        except Exception:
            log.exception("the sweep failed")


def check_some(ports: Ports, unchecked: list[str]) -> list[str]:
    """Check the hashes of the next few games, so that damage is found also where nobody plays; returns those that are left."""
    games = unchecked or ports.games.all_games()
    for _ in find_damage(ports, games[:CHECKED_AT_ONCE]):
        pass
    return games[CHECKED_AT_ONCE:]


def look_everywhere(ports: Ports, now: float) -> None:
    """Announce games with work that are missing from the index.

    Fault: the index may be lost, or the store restored to an earlier moment. Their moves and notices are found by scanning keys.
    """
    listed = {game for game, _ in ports.index.at_work()}
    for game in ports.games.unfinished() - listed:
        ports.index.announce(game, now)


def sweep(ports: Ports, enqueue: Callable[[str], None], enqueue_behind: Callable[[str], None], now: float) -> int:
    """Enqueue games with undecided moves, undelivered notices or a deadline; drop the quiet ones and compact finished ones.

    Damaged games are left alone until they are repaired.
    """
    found, damaged = 0, ports.damaged.all()
    for game in ports.index.clocks_due(int(now * 1000)):
        if game not in damaged:
            found += 1
            enqueue_behind(game)
    for game, announced in ports.index.at_work():
        if game in damaged:
            continue
        if _may_have_work(ports, game):
            found += 1
            enqueue(game)
        elif announced < now - QUIET_AFTER:
            ports.index.drop(game, announced)
            if ports.index.holds(GameStatus.OVER, game):
                compact(ports, game)
    return found


def _may_have_work(ports: Ports, game: str) -> bool:
    """Whether moves or notices wait in a game; True if the store cannot say so now, so that the other games are still swept."""
    try:
        return ports.games.has_work(game)
    except ELSEWHERE:
        return True
