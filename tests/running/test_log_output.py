"""A log that cannot be written stops nothing: a full disk, a pipe whose reader is gone, a reader that never reads."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from marketpost.store.parent_process import die_with
from tests.cluster import free_port
from tests.running.live import MARKETPOST, READY_WITHIN, descendants, environment, until
from workers.log_output import MOST_WAITING, LogOutput

NOISY = """
import sys
from workers.log_output import LogOutput
from marketpost.cli.supervisor import ChildProcess, Supervisor
from marketpost.store.embedded_redis import start
part = ChildProcess("noisy", lambda: start(["sh", "-c", "seq 100000; exec sleep 60"]), 1.0)
supervisor = Supervisor(LogOutput(2))
supervisor.start([part])
supervisor.watch()
supervisor.stop([[part]])
"""
"""A supervisor whose part says more than any pipe or memory may hold, and then goes on."""
ALONE = """
import logging, sys
from marketpost.store.settings import Settings
from workers.process_log import log_plainly
log_plainly(Settings.read())
for number in range(10000):
    logging.getLogger("marketpost").warning("x" * 999 + str(number))
sys.exit(0)
"""
"""A process of the service that was started by itself, as a worker on another machine, and has much to say."""
SERVED = """
import logging
def app(environ, start_response):
    for number in range(1000):
        logging.getLogger("marketpost.api").error("x" * 999 + environ["QUERY_STRING"] + str(number))
    start_response("200 OK", [])
    return [b"answered"]
"""
"""An application that has much to say, for gunicorn as `marketpost api` starts it."""


@contextmanager
def full_disk() -> Iterator[int]:
    with open("/dev/full", "wb") as disk:
        yield disk.fileno()


@contextmanager
def reader_is_gone() -> Iterator[int]:
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@contextmanager
def nobody_reads() -> Iterator[int]:
    reading, writing = os.pipe()
    yield writing
    os.close(writing)
    os.close(reading)


SINKS = [full_disk, reader_is_gone, nobody_reads]


def started(command: list[str], output: int, env: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    ours = os.getpid()
    return subprocess.Popen(command, env=env, stdout=output, stderr=output, process_group=0, preexec_fn=lambda: die_with(ours))


@pytest.mark.parametrize("sink", SINKS)
def test_the_supervisor_starts_a_dead_part_again_and_stops_when_told(sink: Callable[[], "Iterator[int]"]) -> None:
    with sink() as output, started([sys.executable, "-c", NOISY], output) as supervisor:  # type: ignore[attr-defined]
        (first,) = until(lambda: [pid for pid, command in descendants(supervisor.pid).items() if command == "sleep 60"])
        os.kill(first, signal.SIGKILL)
        until(lambda: [pid for pid, command in descendants(supervisor.pid).items() if command == "sleep 60" and pid != first])
        supervisor.terminate()

        assert supervisor.wait(timeout=60) == 0


@pytest.mark.parametrize("sink", SINKS)
def test_a_process_alone_goes_on_and_ends_well(sink: Callable[[], "Iterator[int]"]) -> None:
    with sink() as output, started([sys.executable, "-c", ALONE], output) as process:  # type: ignore[attr-defined]
        assert process.wait(timeout=60) == 0


def test_the_api_alone_answers_while_nobody_reads_its_log(tmp_path: Path) -> None:
    (tmp_path / "served.py").write_text(SERVED)
    port = free_port()
    options = ["--config", "python:api.http.gunicorn_settings", "--bind", f"127.0.0.1:{port}", "--workers", "2", "served:app"]
    env = os.environ | {"PYTHONPATH": f"{tmp_path}:{os.getcwd()}"}
    with nobody_reads() as output, started([sys.executable, "-m", "gunicorn", *options], output, env) as api:
        until(lambda: _answers(port), READY_WITHIN)
        for _ in range(5):
            assert _answers(port)
        api.terminate()

        assert api.wait(timeout=60) == 0


def test_the_whole_service_runs_on_while_nobody_reads_its_log(tmp_path: Path) -> None:
    port = free_port()
    with nobody_reads() as output:
        os.set_blocking(output, False)
        while _fill(output):
            pass
        os.set_blocking(output, True)
        service = started([str(MARKETPOST), "up", "--port", str(port)], output, environment(tmp_path / "data"))
        until(lambda: _answers(port), READY_WITHIN)
        (killed,) = _sweepers(service.pid)
        os.kill(killed, signal.SIGKILL)
        until(lambda: [pid for pid in _sweepers(service.pid) if pid != killed])
        service.terminate()

        assert service.wait(timeout=60) == 0


def _fill(pipe: int) -> bool:
    try:
        return os.write(pipe, bytes(4096)) > 0
    except BlockingIOError:
        return False


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=60) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _sweepers(supervisor: int) -> list[int]:
    return [pid for pid, command in descendants(supervisor).items() if "marketpost.cli.main sweeper" in command]


def test_lines_that_were_dropped_are_counted_and_told_when_there_is_room_again() -> None:
    reading, writing = os.pipe()
    output = LogOutput(writing)
    line = "x" * 999
    for _ in range(2 * MOST_WAITING // 1000):
        output.say(line)
    said = b""
    while b"went on meanwhile" not in said:
        said += os.read(reading, 65536)
        output.flush()
    os.close(reading)
    os.close(writing)

    kept = said.count(line.encode() + b"\n")
    told = f"{2 * MOST_WAITING // 1000 - kept} lines of this log were dropped, because nobody read it; the service went on meanwhile\n"
    assert kept
    assert said.endswith(f"\n{told}".encode())
