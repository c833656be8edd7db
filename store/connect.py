"""Connections to Redis, with timeouts and retries set on purpose: a retried write would be a second write."""

from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.retry import Retry
from redis.sentinel import Sentinel

Client: TypeAlias = Any
"""A Redis client that gives bytes. The library's own types allow for text at every place, which ours never gives."""
ANSWER_WITHIN = 10.0
CONNECT_WITHIN = 3.0


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
