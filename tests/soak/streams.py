"""Thousands of open account streams on one API process, and moves meanwhile: `python -m tests.soak.streams 5000`.

The same moves are made at the same rate before any stream is open and while all are: nothing else may differ.
"""

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

import click

from marketpost.client import Client, ClientError
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import decode
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from tests import proof
from tests.bench.service import Step, script
from tests.mail.servers import free_port
from tests.running.live import MARKETPOST, Live, descendants, running, until
from tests.soak.players import Line, Person, Seen, Table, open_table
from tests.soak.watch import seconds_of

PAIRS = 20
"""Two players each, who are among those with streams."""
A_SECOND = 100
"""Moves of all of them together."""
HALF = 10
"""Seconds; moves are made for twice as long, so that one half can be compared with the other."""
WARM = 2
NO_SLOWER = 1.3
NONE_MAY_BE = ("streams that broke", "missed", "twice")
AT_ONCE = 200
"""Connections that are opened at the same time."""


@dataclass(slots=True)
class Listener:
    """One stream: the versions that its moves have made."""

    token: str
    open: bool = False
    broken: int = 0
    moved: list[tuple[str, int]] = field(default_factory=list)

    async def listen(self, host: str, port: int, places: asyncio.Semaphore) -> None:
        """Read the stream until the program ends; a connection that ends is counted and not opened again."""
        async with places:
            reader, writer = await asyncio.open_connection(host, port)
            head = f"GET /v1/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {self.token}\r\nAccept: text/event-stream\r\n\r\n"
            writer.write(head.encode())
            self.open = (await reader.readline()).split()[1:2] == [b"200"]
            while self.open and not (await reader.readline()).startswith(b"id: "):
                pass
        while line := await reader.readline():
            if line.startswith(b"data: "):
                self._hear(json.loads(line[6:]))
        self.broken += 1

    def _hear(self, event: dict[str, object]) -> None:
        if event["event"] == "moved":
            self.moved.append((str(event["game"]), int(str(event["version"]))))


@dataclass(slots=True)
class Crowd:
    """All streams, read by one thread."""

    url: str
    listeners: Sequence[Listener]

    def begin(self) -> None:
        threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True).start()

    async def _run(self) -> None:
        address, places = urlsplit(self.url), asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(
            *(each.listen(str(address.hostname), address.port or 80, places) for each in self.listeners), return_exceptions=True
        )

    def opened(self) -> int:
        return sum(each.open for each in self.listeners)


def accounts(ports: Ports, count: int) -> list[Person]:
    """Register so many players."""
    found = (register(ports, f"reader{number}@example.org", f"Reader {number}").id for number in range(count))
    return [Person(player, new_token(ports, player, "", ("play", "read"))[0]) for player in found]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players with a connection of their own, who make the same moves in one game after the other."""

    line: Line
    people: Sequence[Person]
    orders: Sequence[Step]

    def tables(self, moves: int, name: str) -> list[Table]:
        """Open as many games as so many moves need."""
        games = -(-moves // len(self.orders))
        return [open_table(self.line, self.people, "portobello", f"{name}-{number}") for number in range(games)]

    def play(self, tables: Sequence[Table], moves: int, begin: float, every: float) -> list[float]:
        """Send one move at each moment until the time for all is over; return the seconds from sending each to its outcome."""
        found = []
        steps = ((table, step) for table in tables for step in self.orders)
        for number, (table, (seat, orders)) in zip(range(moves), steps, strict=False):
            if (now := time.monotonic()) > begin + moves * every:
                break
            time.sleep(max(0.0, begin + number * every - now))
            headers = {"Idempotency-Key": f"{table.id}-{number}", "Prefer": "wait=20"}
            began = time.monotonic()
            status, told = self.line.ask(self.people[seat], "POST", f"games/{table.id}/moves", {"orders": orders}, **headers)
            found.append(time.monotonic() - began)
            assert status == 200, told
        return found


@dataclass(frozen=True, slots=True)
class Played:
    """How long moves at that rate took, and the processor time meanwhile."""

    games: list[str]
    halves: tuple[list[float], list[float]]
    """Seconds of each move, in the first half of the time and in the second."""
    rate: float
    """Moves a second that were really made."""
    api: float
    """Seconds of CPU a move in the API process, and in all processes of the service with it."""
    all: float

    @property
    def times(self) -> list[float]:
        return [*chain(*self.halves)]


def play(pairs: Sequence[Pair], name: str, live: Live, api: "OneApi", seconds: int = 2 * HALF) -> Played:
    """Let all pairs move at the same rate, one shortly after the other."""
    every = len(pairs) / A_SECOND
    moves = round(seconds / every)
    tables = [pair.tables(moves, f"{name}-{number}") for number, pair in enumerate(pairs)]
    before, began = (api.computed(), api.computed() + computed(live)), time.monotonic()
    with ThreadPoolExecutor(len(pairs)) as threads:
        begun = [
            threads.submit(pair.play, mine, moves, began + number / A_SECOND, every)
            for number, (pair, mine) in enumerate(zip(pairs, tables, strict=True))
        ]
        times = [each.result() for each in begun]
    took, made = time.monotonic() - began, sum(map(len, times))
    after = api.computed(), api.computed() + computed(live)
    halves = [each for mine in times for each in mine[: len(mine) // 2]], [each for mine in times for each in mine[len(mine) // 2 :]]
    spent = [(now - then) / made for then, now in zip(before, after, strict=True)]
    return Played([table.id for mine in tables for table in mine], halves, made / took, spent[0], spent[1])


def computed(live: Live) -> float:
    """Seconds of CPU of all processes of the service so far."""
    return sum(map(seconds_of, live.all_pids()))


def in_logs(ports: Ports, games: Sequence[str]) -> Counter[tuple[str, int]]:
    """List every move of these games, with the version that it made."""
    stored = ((game, entry) for game in games for entry in ports.games.read(game))
    return Counter((game, entry.version) for game, entry in stored if isinstance(decode(entry.data).action, Moved))


@dataclass(frozen=True, slots=True)
class OneApi:
    """A single API process beside those of the service."""

    url: str
    pid: int

    def memory(self) -> float:
        """MB of the process that serves connections."""
        [worker] = descendants(self.pid)
        return int(Path(f"/proc/{worker}/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

    def computed(self) -> float:
        """Seconds of CPU so far."""
        return sum(map(seconds_of, (self.pid, *descendants(self.pid))))

    def answers(self) -> bool:
        try:
            return bool(Client(self.url).health())
        except ClientError:
            return False


@contextmanager
def one_api(live: Live) -> Iterator[OneApi]:
    address = f"127.0.0.1:{free_port()}"
    process = subprocess.Popen([str(MARKETPOST), "api", "--processes", "1", "--bind", address], env=live.environment)
    api = OneApi(f"http://{address}", process.pid)
    try:
        until(api.answers, 60.0)
        yield api
    finally:
        process.terminate()
        process.wait()


def measure(live: Live, api: OneApi, count: int) -> dict[str, str]:
    ports = live.ports()
    people, orders, seen = accounts(ports, count), script(10_000), Seen()
    pairs = [Pair(Line(api.url, seen), people[2 * number : 2 * number + 2], orders) for number in range(PAIRS)]
    play(pairs, "warm", live, api, WARM)
    without, small = play(pairs, "without", live, api), api.memory()
    crowd = Crowd(api.url, [Listener(person.token) for person in people])
    began = time.monotonic()
    crowd.begin()
    until(lambda: crowd.opened() == count, 300.0)
    opened = time.monotonic() - began
    play(pairs, "warm-again", live, api, WARM)
    during, large = play(pairs, "with", live, api), api.memory()
    moved = in_logs(ports, during.games)
    listeners = crowd.listeners[: 2 * PAIRS]

    def heard() -> Counter[tuple[str, int]]:
        return Counter(event for each in listeners for event in list(each.moved) if event in moved)

    with suppress(AssertionError):  # what is missed then is told below
        until(lambda: heard().total() >= 2 * moved.total(), 60.0)
    told = heard()
    ratio = median(during.times) / median(without.times)
    first, second = map(median, without.halves)
    return {
        "streams open at once": f"{crowd.opened()}, after {opened:.0f} s",
        "streams that broke": str(sum(each.broken for each in crowd.listeners)),
        "memory of the API process": f"{small:.0f} MB without streams, {large:.0f} MB with them",
        "moves a second": f"{without.rate:.0f} without streams, {during.rate:.0f} with them; {A_SECOND} were to be made",
        "a move, from sending to its outcome": f"{_times(without)} without streams, {_times(during)} with them",
        "median with ÷ without streams": f"{ratio:.2f}, goal ≤ {NO_SLOWER}: {'ok' if ratio <= NO_SLOWER else 'short'}",
        "second ÷ first half without streams": f"{second / first:.2f}",
        "CPU a move, API process": f"{without.api * 1e3:.1f} ms without streams, {during.api * 1e3:.1f} ms with them",
        "CPU a move, all processes": f"{without.all * 1e3:.1f} ms without streams, {during.all * 1e3:.1f} ms with them",
        "events of moves compared": f"{2 * moved.total():,}",
        "missed": str(sum(max(0, 2 - told[event]) for event in moved)),
        "twice": str(sum(max(0, number - 2) for number in told.values())),
    }


def _times(played: Played) -> str:
    return f"p50 {median(played.times) * 1e3:.1f} ms, p99 {quantiles(played.times, n=100)[98] * 1e3:.0f} ms"


@click.command()
@click.argument("streams", type=click.IntRange(2 * PAIRS))
@click.option("--proof", "to_prove", is_flag=True, help="Write the figures to docs/proof.md.")
def main(streams: int, to_prove: bool) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        live = held.enter_context(running(folder / "data", LIMITS="off"))
        found = measure(live, held.enter_context(one_api(live)), streams)
    for name, figure in found.items():
        click.echo(f"{name}: {figure}")
    if to_prove:
        proof.write("make streams", proof.table([("what", "figure"), *found.items()]))
    sys.exit(any(found[name] != "0" for name in NONE_MAY_BE))


if __name__ == "__main__":
    main()
