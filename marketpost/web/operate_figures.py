"""Figures for the operator's page: what waits for whom since when, and what became of letters and other deliveries."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from redis import RedisError

from api.http.context import Inside
from api.metrics import undecided_moves
from marketpost.notify.channels import channels
from marketpost.store.delivery_queue import EMAIL
from workers.counters import read
from workers.liveness import find_workers
from workers.queue import BOTS, HOOKS, MAIL, MOVES


@dataclass(frozen=True, slots=True)
class WaitingWork:
    """What waits for one kind of worker."""

    name: str
    """The word for it, or the name of a channel."""
    count: int
    oldest: float | None
    """Seconds that the oldest has waited; None if nothing waits that is due."""
    workers: int


def queues(inside: Inside) -> list[WaitingWork]:
    """List what waits; empty if one of the Redis servers does not answer."""
    try:
        return list(_queues(inside))
    except RedisError:
        return []


def _queues(inside: Inside) -> Iterator[WaitingWork]:
    now, queue, deliveries = inside.ports.clock(), inside.work_queue, inside.mailer.deliveries
    workers = {name: len(find_workers(each)[0]) for name, each in queue.queues.items()}
    moves, age = undecided_moves(inside.ports)
    yield WaitingWork("moves", moves, age if moves else None, workers[MOVES])
    yield WaitingWork("bots", queue.waiting(BOTS), queue.oldest(BOTS), workers[BOTS])
    inbound = inside.mailer.mail_queue
    yield WaitingWork("inbound", inbound.unread(), _age(now, inbound.oldest_unread()), workers[MAIL])
    for channel in sorted(channels(), key=lambda name: (name != EMAIL, name)):
        count = deliveries.waiting(channel)
        if count or channel == EMAIL:
            yield WaitingWork(channel, count, _age(now, deliveries.oldest(channel, now)), workers[MAIL if channel == EMAIL else HOOKS])


def _age(now: int, since: int | None) -> float | None:
    return None if since is None else max(0.0, (now - since) / 1000)


def deliveries_by_outcome(inside: Inside) -> dict[str, Counter[str]]:
    """Count attempts to deliver by channel and outcome, letters first; empty if the queue's Redis does not answer."""
    counts: dict[str, Counter[str]] = {EMAIL: Counter()}
    try:
        found = read(inside.work_queue.redis).deliveries
    except RedisError:
        return {}
    for (channel, _, outcome), number in sorted(found.items()):
        counts.setdefault(channel, Counter())[outcome] += number
    return counts


def held_letters(inside: Inside) -> dict[str, int]:
    """Count the letters that the gate held back, by reason; empty if the queue's Redis does not answer."""
    try:
        return dict(sorted(read(inside.work_queue.redis).held.items()))
    except RedisError:
        return {}
