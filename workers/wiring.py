"""Puts the parts together for one process: settings, stores, queue."""

import time
from functools import cache, partial

from redis import RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from play.ports import Ports
from store.connect import Client, connect
from store.games import Games
from store.index import Index
from store.people import People
from store.settings import Settings
from workers import metrics

MOVES, MAIL, HOOKS = "moves", "mail", "hooks"
JOBS = {MOVES: "workers.jobs.moves", MAIL: "workers.jobs.mail", HOOKS: "workers.jobs.hooks"}
"""One queue for each kind of worker; each worker listens to one."""
ENOUGH_WAITING = 2
"""So many jobs on a queue wake everyone who is asleep; who is awake goes on by itself."""
JOB_TIMEOUT = 60


class Kicks:
    """Small jobs that wake a worker, and the list of games it then works off. All of it may be lost."""

    def __init__(self, redis: Client) -> None:
        self.redis = redis
        self.queues = {name: Queue(name, connection=redis, serializer=JSONSerializer) for name in JOBS}

    @property
    def queue(self) -> Queue:
        return self.queues[MOVES]

    def kick(self, game: str) -> None:
        """There is something to do in this game. If the queue does not answer, the sweeper comes by."""
        try:
            with self.redis.pipeline(transaction=False) as pipe:
                pipe.zadd("todo", {game: time.time()}, nx=True)
                pipe.llen(self.queues[MOVES].key)
                if pipe.execute()[1] < ENOUGH_WAITING:
                    self._enqueue(MOVES)
        except RedisError:
            return

    def wake(self, name: str = MAIL) -> None:
        try:
            if self.redis.llen(self.queues[name].key) < ENOUGH_WAITING:
                self._enqueue(name)
        except RedisError:
            return

    def _enqueue(self, name: str) -> None:
        self.queues[name].enqueue_call(JOBS[name], timeout=JOB_TIMEOUT, result_ttl=0, failure_ttl=600)

    def next_game(self) -> str | None:
        """The game that has waited longest. Whoever takes it and dies leaves it to the sweeper."""
        found = self.redis.zpopmin("todo")
        return str(found[0][0].decode()) if found else None

    def waiting(self) -> int:
        """How many games wait for a worker."""
        return int(self.redis.zcard("todo"))

    def tried(self, move: str) -> int:
        """How often somebody has begun to judge this move."""
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.incr(f"tried:{move}")
            pipe.expire(f"tried:{move}", 3600)
            return int(pipe.execute()[0])


def make_ports(settings: Settings, kicks: Kicks, *, remember: bool = False, answer_within: float = 10.0) -> Ports:
    redis = connect(settings.redis_url, answer_within=answer_within)
    return Ports(Games(redis, settings.wait_replicas), People(redis), Index(redis), kicks.kick, remembered={} if remember else None)


@cache
def worker_kicks() -> Kicks:
    return Kicks(connect(Settings.read().queue_redis_url))


@cache
def worker_ports() -> Ports:
    """Made at the first job and kept: a worker runs its jobs in one process, one after the other."""
    ports = make_ports(Settings.read(), worker_kicks(), remember=True)
    ports.decided = partial(metrics.count, worker_kicks().redis)
    return ports
