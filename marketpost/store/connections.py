"""Connections to Redis, with timeouts set on purpose. Those to a single server never retry by themselves: that could write twice."""

import re
import time
from collections.abc import Sequence
from typing import Any, TypeAlias, cast
from urllib.parse import parse_qsl, urlsplit

from redis import ConnectionError as NoConnection
from redis import Redis, RedisError
from redis import TimeoutError as NoAnswer
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import ClusterError, NoScriptError, OutOfMemoryError, ReadOnlyError, ResponseError
from redis.retry import Retry
from redis.sentinel import Sentinel

from marketpost.store.redis_client import RedisClient, RedisScript, Value

Call: TypeAlias = tuple[Sequence[str], Sequence[Value]]
"""The keys and arguments of a script."""
ANSWER_WITHIN = 10.0
CONNECT_WITHIN = 3.0
MOST_CONNECTIONS = 4000
"""Most connections of a process to one server, which allows ten thousand. The API needs one for each event stream."""
COPIED_WITHIN = 2000
"""Milliseconds in which the replicas must have a write on their disks."""


LEFT_ALONE_FOR = 5.0
"""Seconds for which a server that did not answer is not asked for what can be done without it."""


class Absence:
    """Remembers for `LEFT_ALONE_FOR` that a server did not answer, so that not every request waits for it anew."""

    def __init__(self) -> None:
        self._until = float("-inf")

    def note(self, error: RedisError) -> None:
        """Note an error of the server; one that it answered with is none of these."""
        if isinstance(error, (NoConnection, NoAnswer)):
            self._until = time.monotonic() + LEFT_ALONE_FOR

    def lasts(self) -> bool:
        """Whether the server is to be left alone now."""
        return time.monotonic() < self._until


class NotCopied(RedisError):
    """Raised where a write is on fewer replicas than asked for. The sender must send it again with the same idempotency key."""


StoreFault: TypeAlias = RedisError
"""Any error of the store: it is read-only, full, or does not answer."""
AWAY = (NoConnection, NoAnswer, ClusterError, NotCopied, OutOfMemoryError, ReadOnlyError)
NOT_NOW = re.compile(r"(?:^|caused error: )(?:MISCONF|NOREPLICAS|BUSY) ")
"""Error messages, of one command or of one in a pipeline, of a store that takes no writes until somebody repairs it: it cannot save,
has lost its replicas, or is blocked by a script."""

ELSEWHERE = (ClusterError, ResponseError)
"""Errors of a Cluster that works, but not for this game: its slot is moving from one server to another."""


def is_away(error: Exception) -> bool:
    """Whether the error says that the store cannot work now, and nothing about the request."""
    return isinstance(error, AWAY) or (isinstance(error, ResponseError) and NOT_NOW.search(str(error)) is not None)


def connect(url: str, *, answer_within: float = ANSWER_WITHIN) -> RedisClient:
    """Connect to a server, a Sentinel's primary or a Cluster. `answer_within` must be longer than any blocking command it is used for."""
    if not url.startswith("redis+cluster://"):
        return typed(connect_server(url, answer_within=answer_within))
    return typed(RedisCluster.from_url(url.replace("redis+cluster", "redis", 1), **_options(answer_within)))


def connect_server(url: str, *, answer_within: float = ANSWER_WITHIN) -> Redis:
    """Connect to a server or a Sentinel's primary, as rq and the rate limiter need it."""
    options = {**_options(answer_within), "retry": Retry(NoBackoff(), 0)}
    return _by_sentinel(url, options) if url.startswith("redis+sentinel://") else Redis.from_url(url, **options)


def typed(redis: Redis | RedisCluster) -> RedisClient:
    """Cast a connection to the types that ours return: none of them decodes responses."""
    return cast("RedisClient", redis)


def _options(answer_within: float) -> dict[str, Any]:
    return {
        "socket_timeout": answer_within,
        "socket_connect_timeout": CONNECT_WITHIN,
        "health_check_interval": 30,
        "max_connections": MOST_CONNECTIONS,
    }


def check_url(url: str) -> None:
    """Raise ValueError if this is not the URL of a Redis, whether or not one answers there."""
    connect_server(url.replace("redis+cluster://", "redis://", 1))


def _by_sentinel(url: str, options: dict[str, Any]) -> Redis:
    """Connect to the primary of `redis+sentinel://host:26379,other:26379/service/0?password=…`."""
    parts = urlsplit(url)
    hosts = [host.rpartition(":") for host in parts.netloc.rpartition("@")[2].split(",")]
    service, _, database = parts.path.strip("/").partition("/")
    sentinel = Sentinel([(name, int(port)) for name, _, port in hosts], socket_timeout=CONNECT_WITHIN)  # type: ignore[no-untyped-call]
    return cast("Redis", sentinel.master_for(service, db=int(database or 0), **dict(parse_qsl(parts.query)), **options))  # type: ignore[no-untyped-call]


def run_surely(redis: RedisClient, script: RedisScript, keys: Sequence[str], args: Sequence[Value], replicas: int) -> Any:
    """Run a script and, where replicas are asked for, return only when they have its writes on their disks."""
    return run_all(redis, script, [(keys, args)], replicas)[0]


def run_all(redis: RedisClient, script: RedisScript, calls: Sequence[Call], replicas: int = 0) -> list[Any]:
    """Run a script for several calls in one request, in this order: a server then waits for its disk and its replicas once.

    On a Cluster each server is called directly, because WAITAOF covers only the writes of its own connection.
    """
    if not (cluster := _cluster(redis)):
        return _run(redis, script, calls, replicas)
    shares: dict[Any, list[int]] = {}
    for place, (keys, _) in enumerate(calls):
        shares.setdefault(cluster.get_node_from_key(keys[0]), []).append(place)  # type: ignore[no-untyped-call]
    answers: dict[int, Any] = {}
    for node, places in shares.items():
        share = [calls[place] for place in places]
        try:
            answers |= zip(places, _run(typed(cluster.get_redis_connection(node)), script, share, replicas), strict=True)
        except RedisError:  # the slot may have moved to another server
            cluster.nodes_manager.initialize()
            raise
    return [answers[place] for place in range(len(calls))]


def _cluster(redis: object) -> RedisCluster | None:
    return redis if isinstance(redis, RedisCluster) else None


def _run(server: RedisClient, script: RedisScript, calls: Sequence[Call], replicas: int) -> list[Any]:
    try:
        return _pipe(server, script, calls, replicas)
    except NoScriptError:
        server.script_load(script.script)
        return _pipe(server, script, calls, replicas)


def _pipe(server: RedisClient, script: RedisScript, calls: Sequence[Call], replicas: int) -> list[Any]:
    with server.pipeline(transaction=False) as pipe:
        for keys, args in calls:
            pipe.evalsha(script.sha, len(keys), *keys, *args)
        if replicas:
            # WAITAOF covers only writes of this connection. A repeated request writes nothing if another connection wrote before;
            # this probe is newer than that write, so waiting for the probe waits for it too.
            pipe.set(f"probe:{calls[0][0][0]}", 1, px=1)
            pipe.execute_command("WAITAOF", 0, replicas, COPIED_WITHIN)
        answers = pipe.execute()
    if replicas and (copied := answers[-1][1]) < replicas:
        raise NotCopied(f"{copied} of {replicas} replicas have it")
    return answers[: len(calls)]
