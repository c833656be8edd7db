"""Check the stores and the queues, for the doctor and the operator's page: whether accepted moves are durable, and whether workers run."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from redis import RedisError
from rq import Queue

from marketpost.notify.channels import target_channels
from marketpost.play.ports import Ports
from marketpost.store.canary_rounds import CanaryRounds, CanaryStore
from marketpost.store.delivery_queue import EMAIL, DeliveryQueue
from marketpost.store.heartbeat import REMEMBERED, Part
from marketpost.store.owner import OwnedByAnother, check
from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings
from workers.counters import read_letters
from workers.liveness import ages_of_parts, clock_ahead, find_workers, silence
from workers.process_settings import differing, digests
from workers.queue import WorkQueue

MOST_NAMED = 50
"""Damaged games that are listed by id; their number is shown in any case."""
LEAST_FREE = 500_000_000
"""Bytes that must be free on the disk of the games."""
CLOCKS_APART = 2.0
"""Seconds by which the clocks of Redis and of this machine may differ."""
NOT_BEFORE = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time has never been set."""
SILENT_AFTER = {Part.SWEEPER: 60.0, Part.MAIL_DOOR: 60.0, Part.MAILBOX: 900.0}
"""Seconds after which a part counts as gone; a mailbox is looked at every five minutes where its server announces mail."""
SILENT = {
    Part.SWEEPER: "start one: `marketpost sweeper`; without it no deadline is kept",
    Part.MAIL_DOOR: "see that `marketpost mail-in` runs: nobody takes in the answers of players",
    Part.MAILBOX: "see what `marketpost mail-in` logs: the mailbox at IMAP_URL cannot be read",
}
FAILING_FOR = 900.0
"""Seconds after which letters that fail are no hiccup of one server any more; an alert is raised then too."""
MOST_REFUSED, REFUSED_SHARE = 5, 0.2
"""Letters that may be refused for good within an hour or two, and their share of all attempts; above both, an alert is raised too."""
DRAINED_FOR = 1800.0
"""Seconds after which a drain counts as forgotten; an alert is raised then too."""
CANARY_LATE = 900.0
"""Seconds after which a letter of the canary that has not come back counts as lost; an alert is raised then too."""
ENDS_REDIS = "its own log says why it ended: a disk that is full or read-only ends the Redis of the games"
NO_KEY = "not compared: this machine has no SECRET_KEY"
LATE_AFTER = 30.0
"""Seconds after which a move that nobody has judged means that a process does not run."""
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
"""The settings of Redis under which an accepted move is never lost."""
WHY = {
    "appendonly": "games are lost at a restart",
    "appendfsync": "moves that were accepted may be lost at a crash",
    "maxmemory-policy": "games may be evicted when memory is short",
}
"""Consequence of each setting of `DURABLE` that has another value."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    about: str
    says: str
    advice: str = ""
    """Advice for the operator; empty if nothing is wrong."""
    grave: bool = True
    """Whether it must be mended; otherwise it is a note."""
    paste: str = ""
    """Lines to be pasted elsewhere, such as a DNS record; printed as they are."""

    @property
    def mark(self) -> str:
        """`ok`, `note` or `BAD`."""
        return "ok" if not self.advice else "BAD" if self.grave else "note"


def of_owner(redis: RedisClient, settings: Settings) -> Finding:
    """Check that these games belong to the service with this key and mail domain."""
    if not _has_key(settings):
        return Finding("owner", NO_KEY)
    try:
        check(redis, Settings.read())
    except OwnedByAnother as error:
        return Finding("owner", "another service", str(error))
    return Finding("owner", f"the service of {settings.mail_domain}")


def _has_key(settings: Settings) -> bool:
    """Whether this machine knows the secret key; reading the settings without it would make one."""
    return bool(os.environ.get("SECRET_KEY")) or (settings.data / "secret-key").exists()


def of_store(redis: RedisClient) -> Iterator[Finding]:
    """Check that the games' Redis is durable, has memory, writes its file, is the primary, and has the right time."""
    yield from _durability(redis)
    yield from _asked("memory", lambda: _memory(redis.info("memory")))
    yield from _asked("last write", lambda: _last_write(redis.info("persistence")))
    yield from _asked("role", lambda: _role(redis.info("replication")))
    yield from _asked("store's clock", lambda: _store_clock(redis))


def _asked(about: str, ask: Callable[[], Finding]) -> Iterator[Finding]:
    """Run one check; report a note if this Redis, which another party may run, does not allow it."""
    try:
        yield replace(ask(), about=about)
    except (RedisError, AttributeError, KeyError, TypeError) as error:
        yield Finding(about, f"cannot be read: {error}", "check it where this Redis runs", grave=False)


def _durability(redis: RedisClient) -> Iterator[Finding]:
    """Check each of the `DURABLE` settings."""
    for name, wanted in DURABLE.items():
        value = _config(redis, name)
        if value == wanted:
            yield Finding(name, value)
        elif value:
            yield Finding(name, f"{value}: {WHY[name]}", f"set `{name} {wanted}` in the configuration of the games' Redis")
        else:
            yield Finding(name, "cannot be read from here", f"make sure that it is `{wanted}`: otherwise {WHY[name]}", grave=False)


def _config(redis: RedisClient, name: str) -> str:
    """Read a setting of Redis by CONFIG GET; where that is forbidden, by INFO; empty if neither tells."""
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
    """Check that the disk has room for the games twice: Redis rewrites its file beside the old one."""
    if not found.embedded:
        return Finding("disk", "of the games' Redis: cannot be read from here", "watch it there: if full, no write is taken", grave=False)
    free = shutil.disk_usage(found.data).free
    used = _size(found.data / "games")
    low = free < max(LEAST_FREE, 2 * used)
    says = f"{_megabytes(free)} free, games take {_megabytes(used)}"
    return Finding("disk", says, f"make room on the disk of {found.data.resolve()}: when it is full the service stops" if low else "")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _megabytes(number: int) -> str:
    return f"{number / 1e6:,.1f} MB"


def of_queue(found: Settings, work_queue: WorkQueue) -> Iterator[Finding]:
    """Check that the queue has a Redis of its own, and that every queue has workers."""
    if found.queue_redis_url == found.redis_url:
        advice = "set QUEUE_REDIS_URL to a Redis of its own: jobs need not be durable, and each waits for the disk now"
        yield Finding("queue", "shares the games' Redis", advice, grave=False)
    for name, queue in work_queue.queues.items():
        yield from _asked(f"workers: {name}", partial(_workers, queue))


def _workers(queue: Queue) -> Finding:
    """Check that at least one worker serves this queue. A worker serves one queue only."""
    at_work, lost = find_workers(queue)
    missed = ", ".join(f"pid {worker.pid} on {worker.hostname} ({silence(worker).total_seconds():.0f} s)" for worker in lost)
    says = f"{len(at_work)} at work, {queue.count} jobs waiting" + (f"; no heartbeat from: {missed}" if lost else "")
    advice = f"start some: `marketpost worker --queue {queue.name}`, or all at once with `marketpost up`"
    if fast := [
        f"pid {worker.pid} on {worker.hostname} ({ahead:.0f} s)" for worker in at_work if (ahead := clock_ahead(worker)) > CLOCKS_APART
    ]:
        return Finding(
            "", f"{says}; clocks that are ahead: {', '.join(fast)}", "let all machines set their clocks by NTP: time runs out too early"
        )
    return Finding("", says, "" if at_work else advice)


def of_settings(found: Settings, work_queue: WorkQueue) -> Finding:
    """List the workers that were started with other settings, or with another release, than this process."""
    if not _has_key(found):
        return Finding("", NO_KEY)
    own, told = digests(Settings.read()), []
    for name, queue in work_queue.queues.items():
        for worker in find_workers(queue)[0]:
            if different := differing(worker, own):
                told.append(f"pid {worker.pid} on {worker.hostname} ({name}): {', '.join(different)}")
    if not told:
        return Finding("", "all workers have the same")
    return Finding("", f"others have {'; '.join(told)}", "restart those workers, unless they are to have others", grave=False)


def of_drain(ports: Ports) -> Finding:
    """Check that nobody has forgotten to resume."""
    since = ports.drain.since()
    if not since:
        return Finding("drain", "none: everything is accepted")
    age = (ports.clock() - since) / 1000
    return Finding("drain", f"nothing new is accepted for {age:.0f} s", "`marketpost resume` accepts everything again", age > DRAINED_FOR)


def of_refusals(work_queue: WorkQueue, deliveries: DeliveryQueue) -> Finding:
    """Check that the smart host does not refuse our letters for good; what it defers is told with the letters that wait."""
    recent = read_letters(work_queue.redis)
    says = f"{recent.refused} of {recent.attempts} attempts within an hour or two"
    last = deliveries.find(recent.last) if recent.last else None
    many = recent.refused > MOST_REFUSED and recent.refused > REFUSED_SHARE * recent.attempts
    advice = "see why the smart host at SMTP_URL refuses them, and whom `marketpost suppressions list` shows: after three no more is sent"
    return Finding("", f"{says}, the last: {last.reason}" if last else says, advice if many else "")


def of_parts(ports: Ports) -> Iterator[Finding]:
    """Check that the sweeper runs, and that the mail door and the mailbox do that have been seen within a day."""
    for part, age in ages_of_parts(ports).items():
        says = f"not seen for {age:.0f} s" if age < REMEMBERED else "not seen for a day"
        yield Finding(part, says, SILENT[part] if age > SILENT_AFTER[part] else "")


def of_inbox(ports: Ports) -> Finding:
    """Check that no move waits for long: the sweeper finds lost ones within seconds."""
    waiting = [move.at for game, _ in ports.index.at_work() for move in ports.games.pending(game)]
    age = (ports.clock() - min(waiting)) / 1000 if waiting else 0.0
    advice = "see that workers and a sweeper run (`marketpost worker`, `marketpost sweeper`), and what they log"
    return Finding("inbox", f"{len(waiting)} moves wait, the oldest for {age:.0f} s", advice if age > LATE_AFTER else "")


def of_damage(ports: Ports) -> Finding:
    """List the games whose logs were found damaged, when somebody played or viewed them or by the sweeper."""
    damaged = [f"{game} (version {version})" for game, version in ports.damaged.all().items()]
    if not damaged:
        return Finding("damaged games", "none")
    advice = "`marketpost verify GAME` looks at one again; `marketpost restore FILE --game GAME` brings it back from a backup"
    return Finding("damaged games", f"{len(damaged)}: {', '.join(damaged[:MOST_NAMED])}", advice)


def of_set_back(ports: Ports) -> Finding:
    """List the games that have lost entries, when a process found them that had read these."""
    games = ports.damaged.set_back(ports.clock())
    if not games:
        return Finding("set back", "none")
    advice = "see why the games' Redis has lost writes: no `appendfsync always`, a replica that was promoted, a file that was cut?"
    return Finding("set back", f"{len(games)} games within a day: {', '.join(games[:MOST_NAMED])}", advice)


def of_letters(deliveries: DeliveryQueue, now: int) -> Finding:
    """Check that the smart host takes our letters, by those that failed and wait for another attempt."""
    waiting, failing = deliveries.waiting(), deliveries.failing_letters()
    if failing:
        age = (now - (failing[0].failing_since or now)) / 1000
        says = f"{waiting} wait, {len(failing)} of them have failed, the oldest for {age:.0f} s: {failing[0].reason}"
        advice = "see why the smart host at SMTP_URL does not take them; `marketpost trace MESSAGE` tells of one"
        return Finding("letters", says, advice, grave=age > FAILING_FOR)
    late = deliveries.due(now - int(LATE_AFTER * 1000), EMAIL)
    advice = "see that `marketpost worker --queue mail` and a sweeper run, and what they log"
    return Finding("letters", f"{waiting} wait, {late} of them are late", advice if late else "")


def of_canary(found: Settings, rounds: CanaryRounds, now: int) -> Finding:
    """Check that the letters of the service to itself come back, if it writes any."""
    if not found.canary_every or not rounds.sent:
        return Finding("canary", "has sent no letter")
    late = max(rounds.sent - rounds.back, now - rounds.back - CANARY_LATE * 1000) / 1000
    says = f"came back {(now - rounds.back) / 1000:.0f} s ago" if rounds.back else "never came back"
    advice = "letters are lost on their way out or back: `marketpost canary` says how far one gets"
    return Finding("canary", says, advice if late > CANARY_LATE else "", grave=rounds.back > 0)


def of_calls(deliveries: DeliveryQueue, now: int) -> Finding:
    """Check that nothing is late that goes to webhooks and other targets."""
    late, waiting = deliveries.due(now - int(LATE_AFTER * 1000), *target_channels()), sum(map(deliveries.waiting, target_channels()))
    advice = "see that `marketpost worker --queue hooks` and a sweeper run, and what they log"
    return Finding("webhooks", f"{waiting} calls wait, {late} of them are late", advice if late else "")


def of_work(ports: Ports) -> Iterator[Finding]:
    """Check what waits in the games' Redis, whether games are damaged or set back, and the parts that look after it."""
    deliveries, now = DeliveryQueue(ports.games.redis), ports.clock()
    yield of_drain(ports)
    yield from of_parts(ports)
    yield from (of_inbox(ports), of_damage(ports), of_set_back(ports), of_letters(deliveries, now), of_calls(deliveries, now))


def examine_stores(found: Settings, ports: Ports, work_queue: WorkQueue) -> Iterator[Finding]:
    """List the findings about both Redis servers and what waits in them; what a server that does not answer would tell is left out."""
    games, queue = (_answering(name, redis) for name, redis in (("REDIS_URL", ports.games.redis), ("QUEUE_REDIS_URL", work_queue.redis)))
    yield from (games, queue)
    if not games.advice:
        yield from of_store(ports.games.redis)
        yield of_owner(ports.games.redis, found)
        yield of_disk(found)
    if not queue.advice:
        yield from of_queue(found, work_queue)
    if not games.advice:
        yield from of_work(ports)
    if not games.advice and not queue.advice:
        yield from of_both(found, ports, work_queue)


def of_both(found: Settings, ports: Ports, work_queue: WorkQueue) -> Iterator[Finding]:
    """List the findings that need both Redis servers."""
    yield of_canary(found, CanaryStore(ports.games.redis).read(), ports.clock())
    yield from _asked("refused letters", lambda: of_refusals(work_queue, DeliveryQueue(ports.games.redis)))
    yield from _asked("settings", lambda: of_settings(found, work_queue))


def _answering(name: str, redis: RedisClient) -> Finding:
    began = time.monotonic()
    try:
        redis.ping()
    except RedisError as error:
        return Finding(name, f"does not answer: {error}", f"check {name}, and that this Redis runs and lets this machine in; {ENDS_REDIS}")
    return Finding(name, f"answers in {(time.monotonic() - began) * 1000:.1f} ms")
