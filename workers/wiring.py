"""Puts the parts together for one process: settings, stores, queue."""

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

QUEUE = "moves"
KICK = "workers.jobs.kick"
KICK_WITHIN = 15
"""Seconds for which a kick that nobody has taken up yet stands for all others of its game."""
JOB_TIMEOUT = 60


class Kicks:
    """Small jobs that say: there is something to do in this game. Any of them may be lost."""

    def __init__(self, redis: Client) -> None:
        self.redis = redis
        self.queue = Queue(QUEUE, connection=redis, serializer=JSONSerializer)

    def kick(self, game: str) -> None:
        """One kick waiting is enough. If the queue does not answer, the sweeper comes by."""
        try:
            if self.redis.set(f"kicked:{game}", 1, nx=True, ex=KICK_WITHIN):
                self.queue.enqueue_call(KICK, args=(game,), timeout=JOB_TIMEOUT, result_ttl=0, failure_ttl=600)
        except RedisError:
            return

    def taken(self, game: str) -> None:
        """From here on a new move needs a new kick: it may come too late for this one."""
        self.redis.delete(f"kicked:{game}")

    def tried(self, move: str) -> int:
        """How often somebody has begun to judge this move."""
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.incr(f"tried:{move}")
            pipe.expire(f"tried:{move}", 3600)
            return int(pipe.execute()[0])


def make_ports(settings: Settings, kicks: Kicks, *, remember: bool = False, answer_within: float = 10.0) -> Ports:
    redis = connect(settings.redis_url, answer_within=answer_within)
    return Ports(Games(redis), People(redis), Index(redis), kicks.kick, remembered={} if remember else None)


@cache
def worker_kicks() -> Kicks:
    return Kicks(connect(Settings.read().queue_redis_url))


@cache
def worker_ports() -> Ports:
    """Made at the first job and kept: a worker runs its jobs in one process, one after the other."""
    ports = make_ports(Settings.read(), worker_kicks(), remember=True)
    ports.decided = partial(metrics.count, worker_kicks().redis)
    return ports
