"""Thousands of open account streams on one API process, and moves meanwhile: `python -m tests.soak.streams 5000`."""

import asyncio
import json
import resource
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import click

from marketpost.client import Client, ClientError
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from tests import proof
from tests.mail.servers import free_port
from tests.running.live import MARKETPOST, Live, descendants, running, until

PLAYERS = 10
MOVES = 5
"""Of each player, without streams and again with all of them."""
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


def accounts(ports: Ports, count: int) -> list[str]:
    """Register so many players and return their tokens."""
    found = (register(ports, f"reader{number}@example.org", f"Reader {number}").id for number in range(count))
    return [new_token(ports, player, "", ("play", "read"))[0] for player in found]


def open_games(url: str, tokens: Sequence[str]) -> list[tuple[Client, str]]:
    """Open a game against a bot for each player."""
    clients = [Client(url, token) for token in tokens]
    return [(each, each.open_game({"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]})["id"]) for each in clients]


def move_times(games: Sequence[tuple[Client, str]]) -> list[float]:
    """Let each player move a few times, one player after the other; return the seconds that each move took."""
    found = []
    for _ in range(MOVES):
        for client, game in games:
            steps = until(lambda client=client, game=game: client.list_legal(game)["steps"], 60.0)
            began = time.monotonic()
            made = client.submit_orders(game, {"orders": steps[-1]}, wait=20)
            found.append(time.monotonic() - began)
            assert made["status"] == "applied", made
    return found


def in_log(client: Client, game: str) -> list[tuple[str, int]]:
    return [(game, entry["version"]) for entry in client.pages(client.list_events, game) if entry["kind"] == "moved"]


@dataclass(frozen=True, slots=True)
class OneApi:
    """A single API process beside those of the service."""

    url: str
    pid: int

    def memory(self) -> float:
        """MB of the process that serves connections."""
        [worker] = descendants(self.pid)
        return int(Path(f"/proc/{worker}/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

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


def measure(ports: Ports, api: OneApi, count: int) -> dict[str, str]:
    tokens = accounts(ports, count)
    games = open_games(api.url, tokens[:PLAYERS])
    for client, _ in games:
        client.list_account_events(limit=1)
    move_times(games)  # the first moves load what later ones find
    before, small = move_times(games), api.memory()
    quiet = {game: len(in_log(client, game)) for client, game in games}
    crowd = Crowd(api.url, [Listener(token) for token in tokens])
    began = time.monotonic()
    crowd.begin()
    until(lambda: crowd.opened() == count, 300.0)
    opened = time.monotonic() - began
    during, large = move_times(games), api.memory()
    logs = [Counter(in_log(client, game)[quiet[game] :]) for client, game in games]
    until(lambda: all(log <= Counter(each.moved) for log, each in zip(logs, crowd.listeners, strict=False)), 60.0)
    heard = [Counter(each.moved) for each in crowd.listeners[:PLAYERS]]
    return {
        "streams open at once": f"{crowd.opened()}, after {opened:.0f} s",
        "streams that broke": str(sum(each.broken for each in crowd.listeners)),
        "memory of the API process": f"{small:.0f} MB without streams, {large:.0f} MB with them",
        "a move, median": f"{median(before) * 1000:.0f} ms without streams, {median(during) * 1000:.0f} ms with them",
        "moves compared": str(sum(map(Counter.total, logs))),
        "missed": str(sum(map(Counter.total, (log - got for log, got in zip(logs, heard, strict=True))))),
        "twice": str(sum(number - 1 for got in heard for number in got.values())),
    }


@click.command()
@click.argument("streams", type=click.IntRange(PLAYERS))
@click.option("--proof", "to_prove", is_flag=True, help="Write the figures to docs/proof.md.")
def main(streams: int, to_prove: bool) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        live = held.enter_context(running(folder / "data", LIMITS="off"))
        found = measure(live.ports(), held.enter_context(one_api(live)), streams)
    for name, figure in found.items():
        click.echo(f"{name}: {figure}")
    if to_prove:
        proof.write("make streams", proof.table([("what", "figure"), *found.items()]))


if __name__ == "__main__":
    main()
