"""What the doctor finds in the stores and the queue: is everything kept that was accepted, and is somebody at work?"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from redis import RedisError
from rq import Queue, Worker
from rq.worker import BaseWorker, WorkerStatus

from marketpost.play.ports import Ports
from marketpost.store.owner import OwnedByAnother, check
from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings
from marketpost.store.webhook_queue import WebhookQueue
from workers.queue import JOB_TIMEOUT, make_queue
from workers.run import WORKER_TTL

LEAST_FREE = 500_000_000
CLOCKS_APART = 2.0
NOT_BEFORE = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that says less has never been set."""
LONGEST_WAIT = 30.0
"""Seconds after which a move that nobody has judged means that something does not run."""
HEARD_WITHIN = timedelta(seconds=WORKER_TTL)
"""A worker that waits says twice in this time that it is there; one that is busy, when the job ends."""
BUSY_WITHIN = timedelta(seconds=JOB_TIMEOUT) + HEARD_WITHIN
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
WHY = {
    "appendonly": "games are lost at a restart",
    "appendfsync": "moves that were accepted may be lost at a crash",
    "maxmemory-policy": "games may be thrown away when memory is short",
}


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    says: str
    advice: str = ""
    """What to do. Empty if all is well."""
    grave: bool = True
    """Otherwise it is only worth knowing."""

    @property
    def mark(self) -> str:
        return "ok" if not self.advice else "BAD" if self.grave else "note"


def of_owner(redis: RedisClient, settings: Settings) -> Finding:
    """Do these games belong to the service with this key and mail domain?"""
    if not os.environ.get("SECRET_KEY") and not (settings.data / "secret-key").exists():
        return Finding("owner", "not compared: this machine has no SECRET_KEY")
    try:
        check(redis, Settings.read())
    except OwnedByAnother as error:
        return Finding("owner", "another service", str(error))
    return Finding("owner", f"the service of {settings.mail_domain}")


def of_store(redis: RedisClient) -> Iterator[Finding]:
    """Is what has been accepted kept?"""
    yield from _durability(redis)
    yield from _asked("memory", lambda: _memory(redis.info("memory")))
    yield from _asked("last write", lambda: _last_write(redis.info("persistence")))
    yield from _asked("role", lambda: _role(redis.info("replication")))
    yield from _asked("store's clock", lambda: _store_clock(redis))


def _asked(about: str, ask: Callable[[], Finding]) -> Iterator[Finding]:
    """A Redis run by somebody else may not answer everything."""
    try:
        yield replace(ask(), about=about)
    except (RedisError, AttributeError, KeyError, TypeError) as error:
        yield Finding(about, f"cannot be seen: {error}", "look at it where this Redis is run", grave=False)


def _durability(redis: RedisClient) -> Iterator[Finding]:
    for name, wanted in DURABLE.items():
        value = _config(redis, name)
        if value == wanted:
            yield Finding(name, value)
        elif value:
            yield Finding(name, f"{value}: {WHY[name]}", f"set `{name} {wanted}` in the configuration of the games' Redis")
        else:
            yield Finding(name, "cannot be seen from here", f"make sure that it is `{wanted}`: otherwise {WHY[name]}", grave=False)


def _config(redis: RedisClient, name: str) -> str:
    """By CONFIG GET; where that is forbidden, by INFO."""
    try:
        return _word(redis.config_get(name)[name])
    except (RedisError, KeyError):
        pass
    try:
        if name == "appendonly":
            return "yes" if redis.info("persistence").get("aof_enabled") else "no"
        return _word(redis.info("memory").get("maxmemory_policy", "")) if name == "maxmemory-policy" else ""
    except RedisError:
        return ""


def _word(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _memory(told: dict[str, Any]) -> Finding:
    used, most = int(told["used_memory"]), int(told.get("maxmemory", 0))
    says = f"{_megabytes(used)} used" + (f" of {_megabytes(most)}" if most else ", no limit set")
    return Finding("memory", says, "give the games' Redis more memory before it refuses writes" if most and used > 0.8 * most else "")


def _last_write(told: dict[str, Any]) -> Finding:
    status = _word(told.get("aof_last_write_status", "ok"))
    return Finding("", status, "" if status == "ok" else "the disk of the games' Redis does not take writes: is it full?")


def _role(told: dict[str, Any]) -> Finding:
    role = _word(told["role"])
    says = f"{role}, {told.get('connected_slaves', 0)} replicas"
    return Finding("", says, "" if role == "master" else "this is a replica: set REDIS_URL to the primary, or to redis+sentinel://…")


def _store_clock(redis: RedisClient) -> Finding:
    seconds, micros = redis.time()
    apart = abs(time.time() - seconds - micros / 1e6)
    return Finding("", f"{apart:.1f} s apart from ours", "" if apart < CLOCKS_APART else "let all machines set their clocks by NTP")


def of_disk(found: Settings) -> Finding:
    """Redis writes its file anew beside the old one, so there must be room for both."""
    if not found.embedded:
        return Finding("disk", "of the games' Redis: not seen from here", "watch it there: without room it stops", grave=False)
    free = shutil.disk_usage(found.data).free
    used = _size(found.data / "games")
    low = free < max(LEAST_FREE, 2 * used)
    says = f"{_megabytes(free)} free, games take {_megabytes(used)}"
    return Finding("disk", says, f"make room on the disk of {found.data.resolve()}: when it is full the service stops" if low else "")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _megabytes(number: int) -> str:
    return f"{number / 1e6:,.1f} MB"


def of_queue(found: Settings) -> Iterator[Finding]:
    if found.queue_redis_url == found.redis_url:
        advice = "set QUEUE_REDIS_URL to a Redis of its own: jobs need not be durable, and each waits for the disk now"
        yield Finding("queue", "shares the games' Redis", advice, grave=False)
    work_queue = make_queue(found)
    for name, queue in work_queue.queues.items():
        yield from _asked(f"workers: {name}", partial(_workers, queue))


def _workers(queue: Queue) -> Finding:
    """Each worker listens to one queue, so many at one of them help none of the others."""
    workers = Worker.all(queue=queue)
    lost = [worker for worker in workers if not _at_work(worker)]
    missed = ", ".join(f"pid {worker.pid} on {worker.hostname} ({_silence(worker).total_seconds():.0f} s)" for worker in lost)
    says = f"{len(workers) - len(lost)} at work, {queue.count} jobs waiting" + (f"; no longer heard of: {missed}" if lost else "")
    advice = f"start some: `marketpost worker --queue {queue.name}`, or all at once with `marketpost up`"
    return Finding("", says, "" if len(workers) > len(lost) else advice)


def _at_work(worker: BaseWorker) -> bool:
    """One that was killed stays on the list for a while, but no longer listens, which Redis knows at once; one that hangs falls silent."""
    [(_, listening)] = worker.connection.pubsub_numsub(worker.pubsub_channel_name)
    return bool(listening) and _silence(worker) <= _own_time(worker)


def _silence(worker: BaseWorker) -> timedelta:
    beat = worker.last_heartbeat or NOT_BEFORE
    return datetime.now(UTC) - beat.replace(tzinfo=UTC)


def _own_time(worker: BaseWorker) -> timedelta:
    return BUSY_WITHIN if worker.get_state() == WorkerStatus.BUSY else HEARD_WITHIN


def of_inbox(ports: Ports) -> Finding:
    """The sweeper finds whatever got lost within seconds, so nothing may wait long."""
    waiting = [move.at for game, _ in ports.index.at_work() for move in ports.games.pending(game)]
    age = (ports.clock() - min(waiting)) / 1000 if waiting else 0.0
    advice = "see that workers and a sweeper run (`marketpost worker`, `marketpost sweeper`), and what they log"
    return Finding("inbox", f"{len(waiting)} moves wait, the oldest for {age:.0f} s", advice if age > LONGEST_WAIT else "")


def of_calls(hooks: WebhookQueue, now: int) -> Finding:
    late = hooks.due(now - int(LONGEST_WAIT * 1000))
    advice = "see that `marketpost worker --queue hooks` and a sweeper run, and what they log"
    return Finding("webhooks", f"{hooks.waiting()} calls wait, {late} of them are late", advice if late else "")
