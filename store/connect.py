"""Connections to Redis, with timeouts and retries set on purpose: a retried write would be a second write."""

from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from redis import ConnectionError as NoConnection
from redis import Redis, RedisError
from redis import TimeoutError as NoAnswer
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import ClusterError
from redis.retry import Retry
from redis.sentinel import Sentinel

Client: TypeAlias = Any
"""A Redis client that gives bytes. The library's own types allow for text at every place, which ours never gives."""
ANSWER_WITHIN = 10.0
CONNECT_WITHIN = 3.0
COPIED_WITHIN = 2000
"""Milliseconds for the replicas to have a write on their disks too."""


class NotCopied(RedisError):
    """It is written, but not on as many replicas as asked for. Whoever sent it must send it again, with the same key."""


AWAY = (NoConnection, NoAnswer, ClusterError, NotCopied)
"""What is raised when the store cannot answer now, whatever it was asked."""


def connect(url: str, *, answer_within: float = ANSWER_WITHIN) -> Client:
    """A client that gives bytes. `answer_within` must be longer than any blocking command it is used for."""
    options: dict[str, Any] = {
        "socket_timeout": answer_within,
        "socket_connect_timeout": CONNECT_WITHIN,
        "retry": Retry(NoBackoff(), 0),
        "health_check_interval": 30,
    }
    if url.startswith("redis+sentinel://"):
        return _by_sentinel(url, options)
    if url.startswith("redis+cluster://"):
        options.pop("retry")
        return RedisCluster.from_url(url.replace("redis+cluster", "redis", 1), **options)
    return Redis.from_url(url, **options)


def _by_sentinel(url: str, options: dict[str, Any]) -> Client:
    """`redis+sentinel://host:26379,other:26379/service/0?password=…`"""
    parts = urlsplit(url)
    hosts = [host.rpartition(":") for host in parts.netloc.rpartition("@")[2].split(",")]
    service, _, database = parts.path.strip("/").partition("/")
    sentinel: Client = Sentinel([(name, int(port)) for name, _, port in hosts], socket_timeout=CONNECT_WITHIN)  # type: ignore[no-untyped-call]
    return sentinel.master_for(service, db=int(database or 0), **dict(parse_qsl(parts.query)), **options)


def run_surely(redis: Client, script: Any, keys: list[str], args: list[Any], replicas: int) -> Any:
    """Run a script and, where replicas are asked for, answer only when they have its writes too."""
    if not replicas:
        return script(keys=keys, args=args)
    server = _server_of(redis, keys[0])
    try:
        with server.pipeline(transaction=False) as pipe:
            script(keys=keys, args=args, client=pipe)
            pipe.execute_command("WAITAOF", 0, replicas, COPIED_WITHIN)
            answer, (_, copied) = pipe.execute()
    except RedisError:
        if server is not redis:  # the slot may have moved to another server
            redis.nodes_manager.initialize()
        raise
    if copied < replicas:
        raise NotCopied(f"{copied} of {replicas} replicas have it")
    return answer


def _server_of(redis: Client, key: str) -> Client:
    """A write can be waited for only on the connection it was made on, so a Cluster's server is spoken to directly."""
    if not isinstance(redis, RedisCluster):
        return redis
    cluster: Client = redis
    return cluster.get_redis_connection(cluster.get_node_from_key(key))
