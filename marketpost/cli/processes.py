"""`marketpost api`, `worker`, `mail-in` and `sweeper`: the processes of the service one by one, for several machines."""

import os
import signal
import sys
import threading
from contextlib import suppress
from functools import partial

import click
from redis import RedisError

from marketpost.cli.store_access import redis_must_answer, settings, store_must_be_ours
from marketpost.mail.inbound.authentication import authenticate
from marketpost.mail.inbound.imap_poller import watch
from marketpost.mail.inbound.own_addresses import is_own_address
from marketpost.mail.inbound.receive import receive
from marketpost.mail.inbound.smtp_door import take_from_smtp
from marketpost.mail.inbound.smtp_listener import ListenAddress, run
from marketpost.play.ports import Ports
from marketpost.store.heartbeat import Part
from marketpost.store.settings import Settings
from workers.notifier import make_mailer
from workers.own_job import JOBS
from workers.process_log import log_plainly
from workers.queue import MOVES, make_queue
from workers.run import sweep_for_ever, work

PROCESSES = 2


@click.command()
@click.option("--bind", default="127.0.0.1:8000", show_default=True, help="HOST:PORT, or fd://NUMBER for a socket handed over.")
@click.option("--processes", default=PROCESSES, show_default=True, type=click.IntRange(1))
def api(bind: str, processes: int) -> None:
    """Answer requests over HTTP."""
    store_must_be_ours()
    # A process of its own: gevent has to change the standard library before anything else is loaded.
    options = ["--config", "python:api.http.gunicorn_settings", "--bind", bind, "--workers", str(processes), "api.http.served:served()"]
    os.execv(sys.executable, [sys.executable, "-P", "-m", "api.http.gunicorn", *options])


@click.command()
@click.option("--queue", default=MOVES, show_default=True, type=click.Choice(list(JOBS)), help="The kind of work. A worker does one.")
def worker(queue: str) -> None:
    """Judge moves, let bots decide, send and read mail, or call webhooks.

    Start about as many for moves as there are cores, and one for each of the others.
    """
    log_plainly(settings())
    redis_must_answer()
    store_must_be_ours()
    work(queue)


@click.command("mail-in")
def mail_in() -> None:
    """Receive replies: by SMTP or LMTP where MAIL_LISTEN says, and from the mailbox at IMAP_URL."""
    log_plainly(settings())
    redis_must_answer()
    store_must_be_ours()
    found = Settings.read()
    mailer = make_mailer(found, make_queue(found))

    def alive(part: Part) -> None:
        with suppress(RedisError):
            mailer.ports.heartbeat.note(part, mailer.ports.clock())

    def take_from_imap(raw: bytes, sender: str, recipients: list[str]) -> None:
        receive(mailer, raw, recipients, authenticate(found, raw))

    stop = threading.Event()
    with suppress(RedisError):
        expect_mailbox(mailer.ports, is_set=bool(found.imap_url))
    if found.imap_url:
        mailbox = partial(watch, found.imap_url, take_from_imap, stop, alive=partial(alive, Part.MAILBOX))
        threading.Thread(target=mailbox, daemon=True).start()
    if found.mail_listen == "off":
        signal.signal(signal.SIGTERM, lambda *_: stop.set())
        stop.wait()
        return
    try:
        listen = ListenAddress.parse(found.mail_listen, found.mail_domain)
        run(listen, partial(take_from_smtp, mailer), partial(is_own_address, mailer), partial(alive, Part.MAIL_DOOR))
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on {found.mail_listen}: {error.strerror or error}. MAIL_LISTEN=HOST:PORT names another door, `off` none"
        ) from error


def expect_mailbox(ports: Ports, *, is_set: bool) -> None:
    """Miss the mailbox from now on, or no more where it was taken away on purpose: its alert would last for a day."""
    if is_set:
        ports.heartbeat.expect(Part.MAILBOX, ports.clock())
    else:
        ports.heartbeat.miss_no_more(Part.MAILBOX)


@click.command()
def sweeper() -> None:
    """Find moves and notices that got lost on their way to a worker. One is enough; several do no harm."""
    store_must_be_ours()
    log_plainly(settings())
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sweep_for_ever(Settings.read(), stop)
