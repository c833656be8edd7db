"""Metrics about mail: what came in and became of it, bounces, complaints, and how long answers took."""

from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from api.http.context import Inside
from marketpost.mail.inbound.message_status import MessageStatus
from workers.mail_counters import ANSWER_BUCKETS, MailCounted, MailCounters


def mail_metrics(inside: Inside) -> Iterator[Metric]:
    """Yield the metrics about mail."""
    counted = MailCounters(inside.work_queue.redis).read()
    inbound = CounterMetricFamily("marketpost_inbound", "Inbound messages by verdict and outcome.", labels=["verdict", "outcome"])
    for names, number in sorted(counted.inbound.items()):
        inbound.add_metric(names, number)
    yield inbound
    by_status = Counter[str]()
    for (_, status), number in counted.inbound.items():
        by_status[status] += number
    yield CounterMetricFamily("marketpost_bounces", "Letters that came back.", by_status[MessageStatus.BOUNCE])
    yield CounterMetricFamily("marketpost_complaints", "Letters that were marked as spam.", by_status[MessageStatus.COMPLAINT])
    yield _answers(counted)
    yield from _canary(inside)


def _canary(inside: Inside) -> Iterator[Metric]:
    """Yield the moments of the canary, as soon as it has sent a letter."""
    found = inside.mailer.canary.read()
    if not found.sent:
        return
    yield GaugeMetricFamily("marketpost_canary_sent_timestamp_seconds", "When the canary last wrote to itself.", found.sent / 1000)
    yield GaugeMetricFamily("marketpost_canary_back_timestamp_seconds", "When an answer of the canary last came in.", found.back / 1000)
    yield GaugeMetricFamily("marketpost_canary_seconds", "From the letter of the canary to its answer, the last time.", found.took / 1000)


def _answers(counted: MailCounted) -> Metric:
    sums = [sum(counted.answers[: number + 1]) for number in range(len(counted.answers))]
    buckets = [(str(bound), float(count)) for bound, count in zip((*ANSWER_BUCKETS, "+Inf"), sums, strict=True)]
    return HistogramMetricFamily("marketpost_answer_seconds", "From a message to the delivery of its answer.", buckets, counted.seconds)
