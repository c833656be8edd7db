"""A worker runs our own jobs and no others, whatever somebody writes into the queue."""

import json
import os
import time
from pathlib import Path

import pytest
from rq import Queue
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from marketpost.store.connections import connect
from tests.service import PATIENCE, Service, service, worker
from workers.own_job import JOBS
from workers.queue import BOTS

FOREIGN = {
    "a function of Python's": ("os.system", ["touch {made}"], {}),
    "a callback after success": (JOBS["moves"], [], {"success_callback_name": "tests.workers.test_own_job.touch"}),
    "a callback after failure": ("os.system", [], {"failure_callback_name": "tests.workers.test_own_job.touch"}),
}


def touch(job: Job, *args: object) -> None:
    """What somebody would have run: leaves a file where the job says."""
    Path(os.environ["DATA_DIR"], "made").touch()


def enqueue(house: Service, queue: str, function: str, args: list[str], callbacks: dict[str, str]) -> Job:
    """As somebody who can write to the queue's Redis would, with rq's own means."""
    redis = connect(house.settings.queue_redis_url)
    job = Job.create(function, args=args, connection=redis, serializer=JSONSerializer, origin=queue, timeout=20, failure_ttl=60)
    job.save()
    if callbacks:
        redis.hset(job.key, mapping=dict(callbacks))
    redis.rpush(f"rq:queue:{queue}", job.id)
    return job


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_worker_does_not_run_what_a_stranger_put_into_the_queue(kind: str) -> None:
    function, args, callbacks = FOREIGN[kind]
    with service(workers=0) as house:
        made = Path(house.environment["DATA_DIR"], "made")
        job = enqueue(house, "moves", function, [arg.format(made=made) for arg in args], callbacks)
        with worker(house.environment), worker(house.environment, BOTS):
            ann = house.person("ann")
            game = house.against_bot(ann)
            answer = ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=20"})

        assert answer.json["status"] == "applied", "our own work goes on"
        assert not made.exists()
        assert not job.connection.lpos("rq:queue:moves", job.id), "it is not tried again"


def test_a_foreign_job_is_named_among_the_failed_ones() -> None:
    with service() as house:
        job = enqueue(house, "moves", "os.system", ["true"], {})
        queue = Queue("moves", connection=job.connection, serializer=JSONSerializer)
        until = time.monotonic() + PATIENCE
        while job.id not in FailedJobRegistry(queue=queue).get_job_ids() and time.monotonic() < until:
            time.sleep(0.02)

        failed = Job.fetch(job.id, connection=job.connection, serializer=JSONSerializer)
        assert "is not ours and was not run" in json.dumps(failed.latest_result().exc_string)
