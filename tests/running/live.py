"""A real service in processes of its own, and the moves of a player over HTTP."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from click.testing import CliRunner

from marketpost.cli.doctor import DEFAULTS
from marketpost.cli.main import main
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from marketpost.store.connections import connect
from marketpost.store.embedded_redis import RedisServer, find_server, servers
from marketpost.store.parent_process import die_with
from marketpost.store.settings import Settings
from workers.queue import WorkQueue, make_ports

MARKETPOST = Path(sys.executable).with_name("marketpost")
READY_WITHIN = 180.0


def environment(data: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in DEFAULTS}
    return {**kept, "DATA_DIR": str(data), "MAIL_LISTEN": "off", **more}


def marketpost(data: Path, *arguments: str, given: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    command = [str(MARKETPOST), *arguments]
    return subprocess.run(command, env=environment(data, **more), input=given, capture_output=True, text=True, timeout=180, check=False)


def command(data: Path, *arguments: str, given: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """As `marketpost`, but in this process: where a command runs changes nothing of what it says."""
    unset = dict.fromkeys(DEFAULTS)
    done = CliRunner().invoke(main, arguments, input=given, env={**unset, **environment(data, **more)})
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def until(true: Callable[[], Any], within: float = 120.0) -> Any:
    """What it gives as soon as that is true."""
    end = time.monotonic() + within
    while not (found := true()):
        assert time.monotonic() < end, f"not within {within} s"
        time.sleep(0.05)
    return found


def exists(pid: int) -> bool:
    """Whether the process runs; one that only waits to be buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def descendants(pid: int) -> dict[int, str]:
    """Every process below this one, with its command line."""
    listing = subprocess.run(["ps", "-ewwo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()]
    found: dict[int, str] = {}
    parents = [pid]
    while parents:
        parent = parents.pop()
        for child, its_parent, command in rows:
            if int(its_parent) == parent:
                found[int(child)] = command
                parents.append(int(child))
    return found


class Live:
    """`marketpost up` on a data folder."""

    def __init__(self, data: Path, start: Sequence[str] = (), program: Path = MARKETPOST, pipe: Path | None = None, **more: str) -> None:
        self.data, self.environment, self.start, self.program = data, environment(data, **more), start, program
        self.said = data.parent / "said.txt"
        self._output = pipe or self.said
        self._start("0")

    def again(self) -> None:
        """After its end, on the same data and at the same address."""
        self._start(self.url.rpartition(":")[2])

    def _start(self, port: str) -> None:
        self.said.write_bytes(b"")
        with open(self._output, "ab") as said:
            command = [*self.start, str(self.program), "up", "--port", port]
            ours = os.getpid()
            self.process = subprocess.Popen(
                command,
                env=self.environment,
                stdout=said,
                stderr=said,
                process_group=0,
                preexec_fn=lambda: die_with(ours),
            )
        try:
            until(lambda: "is running at" in self.log() or self.process.poll() is not None, READY_WITHIN)
        except AssertionError:
            self.stop()
            raise
        assert self.process.poll() is None, self.log()
        self.url = self.log().split("is running at ")[1].split()[0]

    def log(self) -> str:
        return self.said.read_text()

    def pids(self, part: str) -> list[int]:
        return [pid for pid, command in descendants(self.process.pid).items() if part in command]

    def all_pids(self) -> list[int]:
        return [self.process.pid, *descendants(self.process.pid)]

    def kill(self, *pids: int) -> None:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    def stop(self, number: int = signal.SIGTERM) -> None:
        """It ends by itself what does not stop."""
        self.process.send_signal(number)
        self.process.wait(timeout=60)

    def work_queue(self) -> WorkQueue:
        return WorkQueue(connect(Settings.read(self.environment).queue_redis_url))

    def ports(self) -> Ports:
        return make_ports(Settings.read(self.environment), self.work_queue())


@contextmanager
def running(data: Path, start: Sequence[str] = (), program: Path = MARKETPOST, pipe: Path | None = None, **more: str) -> Iterator[Live]:
    """`start` is a command that starts it; `program` is the command of another installation; `pipe` leads its log to `said.txt`."""
    live = Live(data, start, program, pipe, **more)
    try:
        yield live
    finally:
        if live.process.poll() is None:
            live.stop()


class Reachable(Protocol):
    """A service that players reach, and whose stores we do."""

    url: str

    def ports(self) -> Ports: ...


class Ann:
    """A player who speaks HTTP and repeats a request until it is answered, as the service asks her to."""

    def __init__(self, live: Reachable, name: str = "Ann") -> None:
        self.live = live
        ports = live.ports()
        self.player = register(ports, f"{name.casefold()}@example.org", name).id
        self.token, _ = new_token(ports, self.player, "", ("play", "read"))

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{self.live.url}/v1/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def insist(self, method: str, path: str, body: Any = None, key: str = "") -> dict[str, Any]:
        def attempt() -> dict[str, Any] | None:
            try:
                return self.ask(method, path, body, key)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code != 503:
                        raise AssertionError(error.read()) from error
                return None
            except OSError:
                return None

        found: dict[str, Any] = until(attempt)
        return found

    def opens(self) -> str:
        """A game in which hers is the first decision."""
        return str(self.insist("POST", "games", {"rules": "portobello", "seats": [{"bot": "greedy"}, {"me": True}]})["id"])

    def moves(self, game: str) -> str:
        return str(self.insist("POST", f"games/{game}/moves", {"orders": "bobby 5"}, key="first")["id"])

    def status(self, game: str, move: str) -> str:
        return str(self.insist("GET", f"games/{game}/moves/{move}")["status"])

    def sees_it_decided(self, game: str, move: str, within: float = 120.0) -> None:
        assert until(lambda: (found := self.status(game, move)) != "queued" and found, within) == "applied"


@contextmanager
def stores(data: Path) -> Iterator[Ports]:
    """Only the two servers, without the service."""
    processes = [_serve(server) for server in servers(data, {})]
    try:
        for server in servers(data, {}):
            until(server.answers)
        settings = Settings.read(environment(data))
        yield make_ports(settings, WorkQueue(connect(settings.queue_redis_url)))
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def _serve(server: RedisServer) -> subprocess.Popen[bytes]:
    server.prepare()
    command = server.command(find_server(server.data))
    return subprocess.Popen(command, cwd=server.data, stdout=subprocess.DEVNULL)
