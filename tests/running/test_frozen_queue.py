"""A queue's Redis that takes connections and never answers: people are served without it, and `/ready` says so."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.http.app import QUEUE_ANSWERS_WITHIN
from api.http.context import inside
from marketpost.store.connections import connect_server
from tests.running.live import until
from tests.service import Person, Service, service, worker
from workers.liveness import find_workers
from workers.queue import MOVES

ONCE = 2 * QUEUE_ANSWERS_WITHIN + 1.5
"""Seconds for a request that finds out: one answer for its connection and one for its command, on a busy machine."""


@pytest.fixture(scope="module")
def frozen() -> Iterator[tuple[Service, Person]]:
    """A service with limits whose workers have been looked at, as Prometheus does; then the queue's Redis stands still."""
    with service(workers=0, LIMITS="") as found, worker(found.environment):
        ann = found.person("ann")
        until(lambda: find_workers(inside(found.app).work_queue.queues[MOVES])[0], 30.0)
        assert ann.client.get("/metrics").status_code == 200
        pid = connect_server(found.settings.queue_redis_url).info("server")["process_id"]
        os.kill(pid, signal.SIGSTOP)
        try:
            yield found, ann
        finally:
            os.kill(pid, signal.SIGCONT)


def test_whoever_asks_whether_it_is_ready_is_not_kept_waiting(frozen: tuple[Service, Person]) -> None:
    """Several at once: all but one by new connections, made after the workers were looked at."""
    pool = ThreadPoolExecutor(3)
    asked = [pool.submit(frozen[0].app.test_client().get, "/ready") for _ in range(3)]
    try:
        answers = [each.result(ONCE) for each in asked]
    finally:
        pool.shutdown(wait=False)

    assert [(each.status_code, each.json["code"]) for each in answers] == [(503, "queue-away")] * 3


def test_one_request_waits_for_it_and_the_next_ones_do_not(frozen: tuple[Service, Person]) -> None:
    ann, began = frozen[1], time.monotonic()
    opened = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]})
    first = time.monotonic() - began
    shown = [ann.get(f"/v1/games/{opened.json['id']}").status_code for _ in range(5)]

    assert opened.status_code == 201
    assert first < ONCE
    assert shown == [200] * 5
    assert time.monotonic() - began - first < QUEUE_ANSWERS_WITHIN
