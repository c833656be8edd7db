"""Metrics for Prometheus, collected from Redis on each request."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from api.http.context import Inside
from api.mail_metrics import mail_metrics
from api.service_metrics import service_metrics
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.outbound.gate import HeldBack
from marketpost.notify.channels import channels
from marketpost.notify.engine import GIVEN_UP
from marketpost.play.limits import Limit
from marketpost.play.moves.decide import NEVER_JUDGED
from marketpost.play.moves.submit import OutcomeStatus
from marketpost.play.ports import Ports
from workers.counters import BUCKETS, Counted, read
from workers.mail_counters import MailCounted, MailCounters
from workers.queue import BOTS

MOST_GAMES = 1000
"""At most so many games with pending work are read for the age of the oldest move."""


class Collected:
    """A Prometheus collector of metrics that are collected already."""

    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        yield from self._metrics


def text(inside: Inside) -> bytes:
    """Return all metrics in the text format of Prometheus."""
    counted = read(inside.work_queue.redis)
    registry = CollectorRegistry()
    mail = MailCounters(inside.work_queue.redis).read()
    decided = (_outcomes(counted), _latency(counted), _given_up(counted, mail))
    sent = (_deliveries(counted), _held(counted), _over_limits(inside.ports), *mail_metrics(inside, mail, counted.deliveries))
    registry.register(Collected([*_gauges(inside), *service_metrics(inside), *decided, *sent]))
    return generate_latest(registry)


def _gauges(inside: Inside) -> Iterator[Metric]:
    undecided, age = undecided_moves(inside.ports)
    yield GaugeMetricFamily("marketpost_queue_depth", "Games that wait for a worker.", inside.work_queue.waiting())
    yield GaugeMetricFamily("marketpost_bots_waiting", "Games in which bots are to decide.", inside.work_queue.waiting(BOTS))
    yield GaugeMetricFamily("marketpost_inbox_moves", "Moves accepted and not yet judged.", undecided)
    yield GaugeMetricFamily("marketpost_inbox_age_seconds", "Age of the oldest move that is not yet judged.", age)
    yield GaugeMetricFamily("marketpost_games_damaged", "Games whose log does not fit together.", len(inside.ports.damaged.all()))
    set_back = len(inside.ports.damaged.set_back(inside.ports.clock()))
    yield GaugeMetricFamily("marketpost_games_set_back", "Games whose log was found shorter than it had been, within a day.", set_back)
    yield from _waiting(inside)


def _waiting(inside: Inside) -> Iterator[Metric]:
    waiting = GaugeMetricFamily("marketpost_deliveries_waiting", "Deliveries that are still to be made.", labels=["channel"])
    age = GaugeMetricFamily("marketpost_delivery_age_seconds", "Age of the oldest delivery that is due or being tried.", labels=["channel"])
    now, deliveries = inside.ports.clock(), inside.mailer.deliveries
    for channel in channels():
        waiting.add_metric([channel], deliveries.waiting(channel))
        oldest = deliveries.oldest(channel, now)
        age.add_metric([channel], 0.0 if oldest is None else max(0.0, (now - oldest) / 1000))
    yield from (waiting, age)


def _deliveries(counted: Counted) -> Metric:
    labels = ["channel", "kind", "outcome"]
    metric = CounterMetricFamily("marketpost_deliveries", "Attempts to deliver letters and other notifications.", labels=labels)
    for names, number in counted.deliveries.items():
        metric.add_metric(names, number)
    return metric


def _given_up(counted: Counted, mail: MailCounted) -> Metric:
    """Count what we failed at and gave up. Each begins at 0, so that an alert sees the first."""
    metric = CounterMetricFamily("marketpost_given_up", "Moves, mails and deliveries that we failed at and gave up.", labels=["what"])
    metric.add_metric(["move"], counted.outcomes.get(NEVER_JUDGED, 0))
    metric.add_metric(["mail"], sum(number for (_, status), number in mail.inbound.items() if status == MessageStatus.GIVEN_UP))
    metric.add_metric(["delivery"], sum(number for (*_, outcome), number in counted.deliveries.items() if outcome == GIVEN_UP))
    return metric


def _over_limits(ports: Ports) -> Metric:
    metric = CounterMetricFamily("marketpost_over_limit", "What was refused because an actor had used all it may.", labels=["limit"])
    refused = ports.limits.counters.refused() if ports.limits.counters else {}
    for limit in Limit:
        metric.add_metric([limit], refused.get(limit, 0))
    return metric


def _held(counted: Counted) -> Metric:
    metric = CounterMetricFamily("marketpost_letters_held", "Letters that the gate for outgoing mail held back.", labels=["reason"])
    for reason in HeldBack:
        metric.add_metric([reason.label], counted.held.get(reason.label, 0))
    return metric


def undecided_moves(ports: Ports) -> tuple[int, float]:
    """Count the moves that are accepted and not yet judged, and the seconds that the oldest has waited."""
    waiting = [move.at for game, _ in ports.index.at_work()[:MOST_GAMES] for move in ports.games.pending(game)]
    return len(waiting), max(0.0, (ports.clock() - min(waiting)) / 1000) if waiting else 0.0


def _outcomes(counted: Counted) -> Metric:
    metric = CounterMetricFamily("marketpost_moves", "Moves by what became of them.", labels=["outcome"])
    for outcome in (OutcomeStatus.APPLIED, OutcomeStatus.REFUSED, NEVER_JUDGED):
        metric.add_metric([outcome], counted.outcomes.get(outcome, 0))
    return metric


def _latency(counted: Counted) -> Metric:
    sums = [sum(counted.latency[: number + 1]) for number in range(len(counted.latency))]
    buckets = [(str(bound), float(count)) for bound, count in zip((*BUCKETS, "+Inf"), sums, strict=True)]
    return HistogramMetricFamily("marketpost_move_seconds", "From accepted to decided.", buckets, counted.seconds)
