"""Metrics about mail: what came in and became of it, bounces, complaints, and how long answers took."""

from collections import Counter
from collections.abc import Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from api.http.context import Inside
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.outbound.attempt import OutcomeKind
from marketpost.store.delivery_queue import EMAIL
from workers.mail_counters import ANSWER_BUCKETS, MailCounted


def mail_metrics(inside: Inside, counted: MailCounted, deliveries: Mapping[tuple[str, ...], int]) -> Iterator[Metric]:
    """Yield the metrics about mail; attempts to deliver are counted by channel, kind and outcome."""
    inbound = CounterMetricFamily("marketpost_inbound", "Inbound messages by verdict and outcome.", labels=["verdict", "outcome"])
    for names, number in sorted(counted.inbound.items()):
        inbound.add_metric(names, number)
    yield inbound
    by_status = Counter[str]()
    for (_, status), number in counted.inbound.items():
        by_status[status] += number
    refused = sum(number for (channel, _, outcome), number in deliveries.items() if (channel, outcome) == (EMAIL, OutcomeKind.BOUNCED))
    yield CounterMetricFamily("marketpost_bounces", "Letters that came back or were refused.", by_status[MessageStatus.BOUNCE] + refused)
    yield CounterMetricFamily("marketpost_complaints", "Letters that were marked as spam.", by_status[MessageStatus.COMPLAINT])
    yield _answers(counted)
    yield from _canary(inside)


def _canary(inside: Inside) -> Iterator[Metric]:
    """Yield the moments of the canary, while it is on and has sent a letter: a round by hand must raise no alert later."""
    found = inside.mailer.canary.read()
    if not found.sent or not inside.settings.canary_every:
        return
    yield GaugeMetricFamily("marketpost_canary_sent_timestamp_seconds", "When the canary last wrote to itself.", found.sent / 1000)
    yield GaugeMetricFamily("marketpost_canary_back_timestamp_seconds", "When an answer of the canary last came in.", found.back / 1000)
    yield GaugeMetricFamily("marketpost_canary_seconds", "From the letter of the canary to its answer, the last time.", found.took / 1000)


def _answers(counted: MailCounted) -> Metric:
    sums = [sum(counted.answers[: number + 1]) for number in range(len(counted.answers))]
    buckets = [(str(bound), float(count)) for bound, count in zip((*ANSWER_BUCKETS, "+Inf"), sums, strict=True)]
    return HistogramMetricFamily("marketpost_answer_seconds", "From a message to the delivery of its answer.", buckets, counted.seconds)
