"""Metrics of what the service consists of: workers, the heartbeat, both Redis servers, games, and inbound mail that waits."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from redis import RedisError

from api.http.context import Inside
from marketpost.play.log.game import GameStatus
from marketpost.store.redis_client import RedisClient
from workers.liveness import ages_of_parts, clock_ahead, find_workers


def service_metrics(inside: Inside) -> Iterator[Metric]:
    """Collect the gauges of the whole service."""
    yield _workers(inside)
    yield _heartbeat(inside)
    yield _parts(inside)
    yield _drain(inside)
    yield _clocks(inside)
    yield _games(inside)
    yield from _inbound(inside)
    yield from _servers(inside)


def _workers(inside: Inside) -> Metric:
    metric = GaugeMetricFamily("marketpost_workers", "Workers that are at work.", labels=["queue"])
    for name, queue in inside.work_queue.queues.items():
        metric.add_metric([name], len(find_workers(queue)[0]))
    return metric


def _heartbeat(inside: Inside) -> Metric:
    last, now = inside.ports.heartbeat.last(), inside.ports.clock()
    age = max(0.0, (now - last) / 1000) if last else 0.0
    return GaugeMetricFamily("marketpost_heartbeat_age_seconds", "Since a worker that judges moves last told that it runs.", age)


def _parts(inside: Inside) -> Metric:
    metric = GaugeMetricFamily("marketpost_part_age_seconds", "Since a part beside the workers last did its work.", labels=["part"])
    for part, age in ages_of_parts(inside.ports).items():
        metric.add_metric([part], age)
    return metric


def _drain(inside: Inside) -> Metric:
    since = inside.ports.drain.since()
    age = max(0.0, (inside.ports.clock() - since) / 1000) if since else 0.0
    return GaugeMetricFamily(
        "marketpost_draining_seconds", "Since the service accepts nothing new, because it drains; 0 if it does not.", age
    )


def _clocks(inside: Inside) -> Metric:
    metric = GaugeMetricFamily("marketpost_clock_seconds", "What a clock shows, to be compared with that of Prometheus.", labels=["of"])
    now = inside.ports.clock() / 1000
    metric.add_metric(["api"], now)
    workers = [worker for queue in inside.work_queue.queues.values() for worker in find_workers(queue)[0]]
    metric.add_metric(["workers"], now + max(map(clock_ahead, workers), default=0.0))
    for name, redis in (("games", inside.ports.games.redis), ("queue", inside.work_queue.redis)):
        with suppress(RedisError, TypeError, ValueError):  # a Cluster has several
            seconds, micros = redis.time()
            metric.add_metric([name], seconds + micros / 1e6)
    return metric


def _inbound(inside: Inside) -> Iterator[Metric]:
    now, oldest = inside.ports.clock(), inside.mailer.mail_queue.oldest_unread()
    age = max(0.0, (now - oldest) / 1000) if oldest else 0.0
    yield GaugeMetricFamily("marketpost_inbound_waiting", "Inbound messages that nobody has read.", inside.mailer.mail_queue.unread())
    yield GaugeMetricFamily("marketpost_inbound_age_seconds", "Age of the oldest of them.", age)


def _games(inside: Inside) -> Metric:
    metric = GaugeMetricFamily("marketpost_games", "Games by status.", labels=["status"])
    for status in GameStatus:
        metric.add_metric([status], inside.ports.index.count(status))
    return metric


def _servers(inside: Inside) -> Iterator[Metric]:
    used = GaugeMetricFamily("marketpost_redis_memory_bytes", "Memory that Redis uses.", labels=["server"])
    most = GaugeMetricFamily("marketpost_redis_memory_limit_bytes", "Memory that Redis may use; 0 without a limit.", labels=["server"])
    writes = GaugeMetricFamily("marketpost_redis_writes", "1 if Redis could write its file the last time.", labels=["server"])
    for server, redis in (("games", inside.ports.games.redis), ("queue", inside.work_queue.redis)):
        told = _info(redis)
        used.add_metric([server], int(told.get("used_memory", 0)))
        most.add_metric([server], int(told.get("maxmemory", 0)))
        writes.add_metric([server], float(str(told.get("aof_last_write_status", "ok")) == "ok"))
    yield from (used, most, writes)


def _info(redis: RedisClient) -> dict[str, Any]:
    """Read what Redis tells of its memory and its file; nothing where whoever runs it forbids that."""
    try:
        return {**redis.info("memory"), **redis.info("persistence")}
    except RedisError:
        return {}
