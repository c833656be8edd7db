"""`marketpost doctor`: which settings are set, what answers, what is durable, and what to do if not."""

import http.client
import os
import platform
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from redis import RedisError
from rq import Worker
from rq.worker import BaseWorker, WorkerStatus

from cli.reach import settings, shown
from hooks.address import read_networks
from play.ports import Ports
from store.connect import Client, connect
from store.embedded import CannotStart, holder
from store.hooks import Hooks
from store.settings import Settings
from workers.run import WORKER_TTL
from workers.wiring import JOB_TIMEOUT, Kicks, make_ports

OLDEST_PYTHON = (3, 11)
LEAST_FREE = 500_000_000
CLOCKS_APART = 2.0
NOT_BEFORE = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that says less has never been set."""
LONGEST_WAIT = 30.0
"""Seconds after which a move that nobody has judged means that something does not run."""
HEARD_WITHIN = timedelta(seconds=WORKER_TTL)
"""A worker that waits says twice in this time that it is there; one that is busy, when the job ends."""
BUSY_WITHIN = timedelta(seconds=JOB_TIMEOUT) + HEARD_WITHIN
MAIL_PORTS = {"smtp": 25, "smtps": 465, "imap": 143, "imaps": 993}
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


@click.command()
def doctor() -> None:
    """Say what is set, what answers, what is durable, and what to do where something is wrong."""
    given = {name for name in DEFAULTS if os.environ.get(name)}
    found = list(examine(settings(), given))
    for finding in found:
        click.echo(f"{finding.mark:<5}{finding.about:<17}{finding.says}")
        if finding.advice:
            click.echo(f"{'':<22}→ {finding.advice}")
    grave = [finding for finding in found if finding.mark == "BAD"]
    click.echo(f"\n{len(grave)} to be seen to." if grave else "\nAll is well.")
    sys.exit(1 if grave else 0)


def examine(found: Settings, given: set[str]) -> Iterator[Finding]:
    yield from _plain_settings(found, given)
    yield from _mail(found, given)
    yield _webhook_allow(found.webhook_allow)
    yield _python()
    yield _clock()
    games, queue = _server("REDIS_URL", found.redis_url, given), _server("QUEUE_REDIS_URL", found.queue_redis_url, given)
    yield games
    yield queue
    yield _public_url(found, given)
    if not games.advice:
        yield from _store(connect(found.redis_url, answer_within=3.0))
        yield _disk(found)
    if not queue.advice:
        yield from _queue(found, given)
    if not games.advice and not queue.advice:
        yield _inbox(ports := make_ports(found, Kicks(connect(found.queue_redis_url))))
        yield _calls(Hooks(ports.games.redis), ports.clock())


def _plain_settings(found: Settings, given: set[str]) -> Iterator[Finding]:
    yield Finding("DATA_DIR", f"{found.data.resolve()} ({_origin('DATA_DIR', given)})")
    yield Finding("MAIL_DOMAIN", f"{found.mail_domain} ({_origin('MAIL_DOMAIN', given)})")
    yield _secret_key(found, given)
    yield Finding("RATE_LIMITS", f"{found.rate_limits or 'the usual ones'} ({_origin('RATE_LIMITS', given)})")
    yield Finding("PROXIES", f"{found.proxies} ({_origin('PROXIES', given)})")


def _mail(found: Settings, given: set[str]) -> Iterator[Finding]:
    yield _mail_server("SMTP_URL", found.smtp_url, "mails stay in the local mailbox")
    yield _mail_server("IMAP_URL", found.imap_url, "no mailbox is polled")
    yield Finding("MAIL_LISTEN", f"{found.mail_listen} ({_origin('MAIL_LISTEN', given)})")
    yield Finding("INBOUND_SECRET", "set" if found.inbound_secret else "default: no mail provider may hand over mail")
    yield _dkim_key(found.dkim_key)
    yield Finding("DKIM_SELECTOR", f"{found.dkim_selector} ({_origin('DKIM_SELECTOR', given)})")


def _webhook_allow(text: str) -> Finding:
    try:
        networks = ", ".join(map(str, read_networks(text)))
    except ValueError as error:
        return Finding("WEBHOOK_ALLOW", f"set, but {error}", "write networks with commas between, such as `127.0.0.1/32, 10.1.0.0/16`")
    if not networks:
        return Finding("WEBHOOK_ALLOW", "default: webhooks lead to the open internet only")
    advice = "make sure that every player may reach what is there"
    return Finding("WEBHOOK_ALLOW", f"webhooks may also lead to {networks} (set)", advice, grave=False)


def _mail_server(name: str, url: str, without: str) -> Finding:
    if not url:
        return Finding(name, f"default: {without}")
    parts = urlsplit(url)
    try:
        port = parts.port or MAIL_PORTS.get(parts.scheme, 25)
        socket.create_connection((parts.hostname or "", port), timeout=3.0).close()
    except (OSError, ValueError) as error:
        return Finding(name, f"{shown(url)} (set) does not answer: {error}", f"check {name}, and that this server lets this machine in")
    return Finding(name, f"{shown(url)} (set) answers")


def _dkim_key(key: str) -> Finding:
    if not key:
        return Finding("DKIM_KEY", "default: mails are not signed")
    readable = "-----" in key or os.access(key, os.R_OK)
    return Finding("DKIM_KEY", "set", "" if readable else "it is neither a key in PEM nor a file that this user may read")


def _origin(name: str, given: set[str]) -> str:
    return "set" if name in given else "default"


def _secret_key(found: Settings, given: set[str]) -> Finding:
    if "SECRET_KEY" in given:
        return Finding("SECRET_KEY", "set")
    kept = found.data / "secret-key"
    says = f"default: {'kept' if kept.exists() else 'will be made'} in {kept}"
    advice = "" if found.embedded else "set SECRET_KEY if the service runs on more than one machine: it must be the same on all"
    return Finding("SECRET_KEY", says, advice, grave=False)


def _python() -> Finding:
    advice = "" if sys.version_info >= OLDEST_PYTHON else "install Python 3.11 or newer"
    return Finding("python", platform.python_version(), advice)


def _clock() -> Finding:
    now = datetime.now(UTC)
    return Finding("clock", now.strftime("%Y-%m-%d %H:%M:%S UTC"), "" if now > NOT_BEFORE else "set the clock of this machine")


def _server(name: str, url: str, given: set[str]) -> Finding:
    origin = _origin(name, given)
    if name == "QUEUE_REDIS_URL" and "cluster" in url.partition("://")[0]:
        return Finding(name, f"{shown(url)} ({origin})", "rq does not work on a Cluster: set QUEUE_REDIS_URL to a single Redis")
    began = time.monotonic()
    try:
        connect(url, answer_within=3.0).ping()
    except (RedisError, ValueError, CannotStart) as error:
        return Finding(name, f"{shown(url)} ({origin}) does not answer: {error}", _how_to_start(name, url, given))
    return Finding(name, f"{shown(url)} ({origin}) answers in {(time.monotonic() - began) * 1000:.1f} ms")


def _how_to_start(name: str, url: str, given: set[str]) -> str:
    if name in given or not url.startswith("unix:"):
        return f"check {name}, and that this Redis runs and lets this machine in"
    return f"start the service with `marketpost up`; or set {name}; or set DATA_DIR to the folder that the service uses"


def _public_url(found: Settings, given: set[str]) -> Finding:
    """A service on this machine is asked where it really is."""
    here = holder(found.data)
    url = found.public_url if "PUBLIC_URL" in given or not here else here[1]
    says = f"{url} ({'set' if 'PUBLIC_URL' in given else f'service with pid {here[0]}' if here else 'default'})"
    status = _ask(url + "/ready")
    if status == 200:
        return Finding("PUBLIC_URL", f"{says} is ready")
    said = f"answers {status} to /ready" if status else "does not answer"
    return Finding("PUBLIC_URL", f"{says} {said}", "start the service (`marketpost up` or `marketpost api`), or correct PUBLIC_URL")


def _ask(url: str) -> int:
    """The status of the answer; 0 if there is none."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        connection = kind(parts.netloc, timeout=3.0)
        connection.request("GET", parts.path)
        return connection.getresponse().status
    except (OSError, ValueError, http.client.HTTPException):
        return 0


def _store(redis: Client) -> Iterator[Finding]:
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


def _durability(redis: Client) -> Iterator[Finding]:
    for name, wanted in DURABLE.items():
        value = _config(redis, name)
        if value == wanted:
            yield Finding(name, value)
        elif value:
            yield Finding(name, f"{value}: {WHY[name]}", f"set `{name} {wanted}` in the configuration of the games' Redis")
        else:
            yield Finding(name, "cannot be seen from here", f"make sure that it is `{wanted}`: otherwise {WHY[name]}", grave=False)


def _config(redis: Client, name: str) -> str:
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


def _store_clock(redis: Client) -> Finding:
    seconds, micros = redis.time()
    apart = abs(time.time() - seconds - micros / 1e6)
    return Finding("", f"{apart:.1f} s apart from ours", "" if apart < CLOCKS_APART else "let all machines set their clocks by NTP")


def _disk(found: Settings) -> Finding:
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


def _queue(found: Settings, given: set[str]) -> Iterator[Finding]:
    if found.queue_redis_url == found.redis_url:
        advice = "set QUEUE_REDIS_URL to a Redis of its own: jobs need not be durable, and each waits for the disk now"
        yield Finding("queue", "shares the games' Redis", advice, grave=False)
    kicks = Kicks(connect(found.queue_redis_url))
    yield from _asked("workers", lambda: _workers(kicks))


def _workers(kicks: Kicks) -> Finding:
    workers = Worker.all(queue=kicks.queue)
    silent = sorted(since for worker in workers if (since := _silence(worker)) > _own_time(worker))
    alive = len(workers) - len(silent)
    gone = [f"{since.total_seconds():.0f} s" for since in silent]
    says = f"{alive} alive, {kicks.queue.count} jobs waiting" + (f"; others not heard of for {', '.join(gone)}" if gone else "")
    return Finding("", says, "" if alive else "start some: `marketpost worker`, or all at once with `marketpost up`")


def _silence(worker: BaseWorker) -> timedelta:
    beat = worker.last_heartbeat or NOT_BEFORE
    return datetime.now(UTC) - beat.replace(tzinfo=UTC)


def _own_time(worker: BaseWorker) -> timedelta:
    return BUSY_WITHIN if worker.get_state() == WorkerStatus.BUSY else HEARD_WITHIN


def _inbox(ports: Ports) -> Finding:
    """The sweeper finds whatever got lost within seconds, so nothing may wait long."""
    waiting = [move.at for game, _ in ports.index.at_work() for move in ports.games.pending(game)]
    age = (ports.clock() - min(waiting)) / 1000 if waiting else 0.0
    advice = "see that workers and a sweeper run (`marketpost worker`, `marketpost sweeper`), and what they log"
    return Finding("inbox", f"{len(waiting)} moves wait, the oldest for {age:.0f} s", advice if age > LONGEST_WAIT else "")


def _calls(hooks: Hooks, now: int) -> Finding:
    late = hooks.due(now - int(LONGEST_WAIT * 1000))
    advice = "see that `marketpost worker --queue hooks` and a sweeper run, and what they log"
    return Finding("webhooks", f"{hooks.waiting()} calls wait, {late} of them are late", advice if late else "")


DEFAULTS = {
    "REDIS_URL": "embedded",
    "QUEUE_REDIS_URL": "`REDIS_URL`, else embedded",
    "WAIT_REPLICAS": "0",
    "DATA_DIR": "data",
    "PUBLIC_URL": "http://127.0.0.1:8000",
    "MAIL_DOMAIN": "localhost",
    "SECRET_KEY": "made at the first start, kept in `DATA_DIR`",
    "RATE_LIMITS": "the usual ones",
    "PROXIES": "0",
    "SMTP_URL": "the local mailbox",
    "MAIL_LISTEN": "127.0.0.1:2525",
    "IMAP_URL": "none",
    "INBOUND_SECRET": "none",
    "DKIM_KEY": "mails are not signed",
    "DKIM_SELECTOR": "marketpost",
    "WEBHOOK_ALLOW": "none",
}
"""Every setting and what holds without it."""
