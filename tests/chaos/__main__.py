"""`python -m tests.chaos --redis 50 --seed 7`: how often each fault strikes can be chosen; the seed makes it the same again."""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from marketpost.store.packed_entries import MARK
from tests import proof
from tests.chaos.count import NONE_MAY_BE, count, count_mails
from tests.chaos.faults import FAULTS, Clock, Site, small_disk, strike
from tests.chaos.log_reader import LogReader
from tests.chaos.mailbox import Mailbox
from tests.chaos.onlookers import unpaired
from tests.chaos.players import CORRESPONDENTS, Tally, players
from tests.chaos.post import Sink
from tests.cluster import free_port
from tests.running.live import READY_WITHIN, running, until

MUST_BE = ("applied", "mails acknowledged")
NONE_EITHER = ("mails lost", "more than doubled", "streams that told otherwise", "leagues not paired")


def options(command: Callable[..., None]) -> Callable[..., None]:
    for name, (times, _) in reversed(FAULTS.items()):
        command = click.option(f"--{name}", default=times, show_default=True, type=click.IntRange(0))(command)
    return command


@click.command()
@options
@click.option("--log", "keep_log", type=click.Path(path_type=Path), help="Copy what the service logged into this file.")
@proof.seeded
def chaos(seed: int, keep_log: Path | None, to_prove: bool, **times: int) -> None:
    """Hurt a running service at random while people play over REST and by mail, and count what was acknowledged.

    Each number says how often: that part is killed with -9 (`everything`: all at once), the file of the games is cut, rq's keys
    are deleted, the mail server is away, the disk is full, the clock jumps, the store does not answer for 5 s, a worker stands still,
    the store or the queue is out of memory, ids that are no text come into the queue, a byte of a game is flipped, a newer version
    writes, all connections to the stores are cut, the store alone is set back to an earlier moment, the list of
    what is to do is lost, every process is told to end one after the other, workers with wrong settings or of the previous release
    are started, the store is adopted by this release, an account stream is cut at every event, workers die while a league is paired,
    a game, a letter and a mail become unreadable, the mail server or the IMAP mailbox behaves badly, or nobody reads the log, or
    nobody is there to read it.
    """
    began = time.monotonic()
    done, result = run(seed, {name.replace("_", "-"): number for name, number in times.items()}, keep_log)
    for name, figure in result.items():
        click.echo(f"{name:>24}  {figure}")
    fine = all(result[name] for name in MUST_BE) and not any(result[name] for name in (*NONE_MAY_BE, *NONE_EITHER))
    if to_prove:
        blows = [(f"blow: {name}", str(number)) for name, number in sorted(done.items()) if number]
        told = [(name, str(figure)) for name, figure in result.items()]
        proof.write("make chaos", proof.table([("", "how many"), *blows, ("seconds", f"{time.monotonic() - began:.0f}"), *told]), seed)
    sys.exit(0 if fine else 1)


def run(seed: int, times: dict[str, int], keep_log: Path | None = None) -> tuple[Counter[str], dict[str, Any]]:
    """What was done how often, and what came of it."""
    dice, tally, done = random.Random(seed), Tally(), Counter[str]()
    names = _shuffled(times, dice)
    with tempfile.TemporaryDirectory(prefix="marketpost-chaos-") as folder, small_disk(Path(folder) / "data") as no_disk:
        sink, clock, door, log = Sink(), Clock(Path(folder)), free_port(), LogReader(Path(folder), keep_log)
        mailbox = Mailbox() if times.get("bad-mailbox") else None
        around = {"SMTP_URL": sink.url, "MAIL_LISTEN": f"127.0.0.1:{door}", "LIMITS": "off", **clock.environment}
        around |= {"IMAP_URL": mailbox.url} if mailbox else {}
        with running(Path(folder) / "data", pipe=log.pipe, **around) as live:
            live.ports().games.redis.delete(MARK)  # as in a store that the previous release began, until the blow `adopt`
            site = Site(live, sink, clock, tally, dice, no_disk, log, mailbox)
            with players(live, tally, seed, sink, door, mailbox):
                _strike_all(site, names, seed, done)
            since = time.monotonic()
            result = count(live, tally, since) | count_mails(live, tally, sink, clock)
            result |= {"streams that told otherwise": sum(map(bool, site.streams)), "leagues not paired": unpaired(live, site.leagues)}
            for why in filter(None, site.streams):
                click.echo(f"stream: {why}")
        sink.close()
        log.close()
        if mailbox:
            mailbox.close()
    return done, result


def _shuffled(times: dict[str, int], dice: random.Random) -> list[str]:
    """Draw the order of the blows: the store is adopted by this release after the last worker of the previous one."""
    names = [name for name, number in times.items() if name != "adopt" for _ in range(number)]
    dice.shuffle(names)
    earliest = max((place for place, name in enumerate(names, 1) if name == "previous-worker"), default=0)
    for _ in range(times.get("adopt", 0)):
        names.insert(dice.randint(earliest, len(names)), "adopt")
    return names


def _strike_all(site: Site, names: list[str], seed: int, done: Counter[str]) -> None:
    left_out: dict[str, str] = {}
    until(lambda: len(site.tally.mails) >= CORRESPONDENTS, READY_WITHIN)
    with click.progressbar(names, file=sys.stderr, label=f"seed {seed}", item_show_func=lambda name: name or "") as bar:
        for name in bar:
            if name not in left_out:
                why = strike(site, name)
                left_out |= {name: why} if why else {}
                done[name] += not why
    for name, why in left_out.items():
        click.echo(f"left out: {name}, because {why}")
    time.sleep(2)


if __name__ == "__main__":
    chaos()
