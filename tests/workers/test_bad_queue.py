"""A queue that takes nothing, or holds what is no job: workers stay, say so in a few lines, and go on when it is well again."""

import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import ConnectionError as NoConnection

from marketpost.store.connections import connect, connect_server
from tests.running.live import until
from tests.service import Service, service
from workers.liveness import find_workers
from workers.process_log import MOST_ALIKE, WINDOW, PlainLines
from workers.queue import BOTS, MOVES, WorkQueue


def applied(house: Service) -> bool:
    ann = house.person("ann")
    game = house.against_bot(ann)
    answer = ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=20"})
    return bool(answer.json["status"] == "applied")


@contextmanager
def worker(house: Service, said: Path, queue: str = "moves") -> "Iterator[subprocess.Popen[bytes]]":
    """As an operator starts it; what it says is in a file."""
    command = [sys.executable, "-m", "marketpost.cli.main", "worker", "--queue", queue]
    with open(said, "wb") as file:
        process = subprocess.Popen(command, env=house.environment, stdout=file, stderr=file)
    try:
        yield process
        process.terminate()
        process.wait(10)
    finally:
        process.kill()
        process.wait()


def test_workers_stay_while_the_queue_is_out_of_memory_and_go_on_when_it_is_not(tmp_path: Path) -> None:
    said = tmp_path / "moves"
    with service(workers=0) as house:
        queue, ann = connect(house.settings.queue_redis_url), house.person("ann")
        with worker(house, said) as mover, worker(house, tmp_path / "bots", "bots"):
            assert applied(house)
            queue.config_set("maxmemory", "1")
            until(said.read_text, 30)
            answer = ann.get("/ready")
            time.sleep(1)
            assert mover.poll() is None
            queue.config_set("maxmemory", "0")
            assert ann.get("/ready").status_code == 200
            assert applied(house)

    assert (answer.status_code, answer.json["code"]) == (503, "queue-away")
    assert "maxmemory" in said.read_text()
    assert "Traceback" not in said.read_text()
    assert mover.returncode == 0


def test_a_worker_is_counted_again_when_the_queue_has_lost_everything(tmp_path: Path) -> None:
    with service(workers=0) as house:
        work_queue = WorkQueue(connect(house.settings.queue_redis_url))
        with worker(house, tmp_path / "moves"), worker(house, tmp_path / "bots", "bots"):
            assert applied(house)
            connect_server(house.settings.queue_redis_url).flushall()
            assert applied(house)
            until(lambda: all(find_workers(work_queue.queues[name])[0] for name in (MOVES, BOTS)))


def test_ids_that_are_no_text_are_dropped_and_the_work_goes_on(tmp_path: Path) -> None:
    said = tmp_path / "moves"
    with service(workers=0) as house:
        queue = connect(house.settings.queue_redis_url)
        queue.rpush("rq:queue:moves", *(bytes([255, number]) for number in range(20)))
        with worker(house, said), worker(house, tmp_path / "bots", "bots"):
            until(lambda: not queue.llen("rq:queue:moves"), 30)
            assert applied(house)
            assert not queue.lrange("rq:queue:moves:intermediate", 0, -1)

    assert said.read_text().count("dropped a job whose id is not ours") == MOST_ALIKE
    assert "Traceback" not in said.read_text()


def test_the_same_trouble_is_told_in_a_few_plain_lines(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    log, handler = logging.getLogger("marketpost.tests"), caplog.handler
    plain = PlainLines()
    handler.addFilter(plain)
    try:
        for number in range(650):
            log.error("game %s: not finished", number, exc_info=NoConnection("no file descriptors"))
        clock[0] = WINDOW
        log.warning("game %s: another matter", 650)
        log.error("game %s: not finished", 651, exc_info=NoConnection("no file descriptors"))
    finally:
        handler.removeFilter(plain)

    lines = [record.getMessage() for record in caplog.records if record.name == log.name]
    assert len(lines) == MOST_ALIKE + 2
    assert lines[0] == "game 0: not finished: ConnectionError: no file descriptors"
    assert lines[-1].endswith(f"({650 - MOST_ALIKE} more lines like this one were left out before)")
    assert not any(record.exc_info for record in caplog.records if record.name == log.name)


def test_lines_of_rq_are_short_and_what_a_worker_says_itself_is_left_out() -> None:
    plain, log = PlainLines(), "rq.worker"
    failed = "Worker %s: job %s: exception raised while executing (%s)\n%s"
    traceback = "Traceback (most recent call last):\n  File\nValueError: Execution 1 not found in Redis\n"
    job = logging.LogRecord(log, logging.ERROR, "", 0, failed, ("w", "j", "workers.jobs.moves", traceback), None)
    quits = logging.LogRecord(log, logging.ERROR, "", 0, "Worker %s: found an unhandled exception, quitting...", ("w",), None)

    assert (plain.filter(job), plain.filter(quits)) == (True, False)
    assert job.getMessage() == (
        "Worker w: job j: exception raised while executing (workers.jobs.moves): ValueError: Execution 1 not found in Redis. "
        "Jobs hold nothing; the sweeper enqueues their work again"
    )
