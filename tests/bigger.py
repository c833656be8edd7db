"""More than one machine: `python -m tests.bigger`. Games on a Cluster, the queue under Sentinels; masters are killed while people play.

Workers and APIs come and go meanwhile. At the end all logs are read: what was acknowledged must count, once.
"""

import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from tests import proof
from tests.chaos.count import NONE_MAY_BE, count
from tests.chaos.players import Tally, players
from tests.cluster import Cluster, Watched, cluster, free_port, watched
from tests.running.live import MARKETPOST, Live, running

TOGETHER = 4.0
"""Seconds between two blows."""


@dataclass(frozen=True, slots=True)
class Site:
    """Everything there is, and how to hurt it."""

    games: Cluster
    queue: Watched
    live: Live
    dice: random.Random

    def kill_a_master_of_the_games(self) -> None:
        """Its replica takes over; when it is back it is the replica. Until then nothing can be copied, so nothing is acknowledged."""
        victim = self.dice.choice(self.games.masters)
        victim.kill()
        time.sleep(TOGETHER)
        victim.start()

    def kill_the_master_of_the_queue(self) -> None:
        self.queue.master.kill()

    def start_and_stop_workers(self) -> None:
        self._come_and_go(["worker"], ["worker"])

    def start_and_stop_an_api(self) -> None:
        self._come_and_go(*(["api", "--bind", f"127.0.0.1:{free_port()}"] for _ in range(2)))

    def _come_and_go(self, *parts: list[str]) -> None:
        came = [subprocess.Popen([str(MARKETPOST), *part], env=self.live.environment, stdout=subprocess.DEVNULL) for part in parts]
        time.sleep(TOGETHER / 2)
        assert not any(each.poll() for each in came), "they end by themselves"
        came[0].kill()
        came[1].terminate()
        for each in came:
            each.wait()


BLOWS: dict[str, Callable[[Site], None]] = {
    "a master of the games is killed": Site.kill_a_master_of_the_games,
    "two workers come, one is killed, one stopped": Site.start_and_stop_workers,
    "the master of the queue is killed": Site.kill_the_master_of_the_queue,
    "two APIs come, one is killed, one stopped": Site.start_and_stop_an_api,
}


@contextmanager
def site(folder: Path, seed: int, replicas: int) -> Iterator[Site]:
    with cluster(folder / "games") as games, watched(folder / "queue") as queue:
        where = {"REDIS_URL": games.url, "QUEUE_REDIS_URL": queue.url, "WAIT_REPLICAS": str(replicas), "LIMITS": "off"}
        with running(folder / "data", **where) as live:
            yield Site(games, queue, live, random.Random(seed))


class Gaps:
    """The longest time in which no move was acknowledged."""

    def __init__(self, tally: Tally) -> None:
        self.tally, self.longest = tally, 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        seen, since = 0, time.monotonic()
        while not self._stop.wait(0.02):
            if len(self.tally.acknowledged) > seen:
                seen, since = len(self.tally.acknowledged), time.monotonic()
            self.longest = max(self.longest, time.monotonic() - since)

    def end(self) -> float:
        self._stop.set()
        self._thread.join()
        return self.longest


def strike_all(site: Site, tally: Tally, seed: int, between: float = TOGETHER) -> dict[str, float]:
    """One blow after the other while people play; the longest silence after each."""
    silences = {}
    with players(site.live, tally, seed):
        time.sleep(between)
        for name, blow in BLOWS.items():
            gaps = Gaps(tally)
            blow(site)
            time.sleep(between)
            silences[name] = gaps.end()
    return silences


@click.command()
@click.option("--between", default=8.0, show_default=True, help="Seconds between two blows.")
@click.option("--wait-replicas", default=1, show_default=True)
@proof.seeded
def bigger(seed: int, between: float, wait_replicas: int, to_prove: bool) -> None:
    """Kill masters, workers and APIs of a service on many servers, and count."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="marketpost-bigger-") as folder, site(Path(folder), seed, wait_replicas) as there:
        silences = strike_all(there, tally, seed, between)
        result = count(there.live, tally, time.monotonic())
    click.echo(f"seed {seed}, WAIT_REPLICAS={wait_replicas}; the longest time in which no move was acknowledged:")
    for name, seconds in silences.items():
        click.echo(f"{seconds:>8.1f} s  {name}")
    for name, figure in result.items():
        click.echo(f"{name:>24}  {figure}")
    if to_prove:
        silent = [(f"longest silence: {name}", f"{seconds:.1f} s") for name, seconds in silences.items()]
        figures = [(name, str(figure)) for name, figure in result.items()]
        proof.write("make bigger", proof.table([(f"WAIT_REPLICAS={wait_replicas}", "figure"), *silent, *figures]), seed)
    sys.exit(0 if result["applied"] and not any(result[name] for name in NONE_MAY_BE) else 1)


if __name__ == "__main__":
    bigger()
