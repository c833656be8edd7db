"""Assembles what a process needs to read mail, send letters and call webhooks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from marketpost.mail.outbound.compose import MessageComposer
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.message import DkimKey, read_private
from marketpost.mail.outbound.transport import transport_for
from marketpost.notify.assembly import Notifier
from marketpost.notify.enqueue import notify
from marketpost.notify.target_address import read_networks
from marketpost.notify.webhook_client import WebhookClient
from marketpost.play.moves.decide import DecideCallbacks
from marketpost.play.ports import Ports
from marketpost.store.canary_rounds import CanaryStore
from marketpost.store.channel_targets import ChannelTargets
from marketpost.store.delivery_queue import DeliveryQueue
from marketpost.store.letter_counts import LetterCounts
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.mail_queue import MailQueue
from marketpost.store.settings import Settings
from workers import counters
from workers.mail_counters import MailCounters
from workers.queue import BEHIND_OTHER_BOTS, HOOKS, WorkQueue, make_ports, make_queue


def make_mailer(settings: Settings, work_queue: WorkQueue, ports: Ports | None = None) -> Mailer:
    """Assemble the mailer of a process; with `ports`, on existing connections."""
    ports = ports or make_ports(settings, work_queue)
    redis = ports.games.redis
    counted = MailCounters(work_queue.redis)
    transport = transport_for(settings.smtp_url or None, LocalMailbox(redis), settings.mail_domain)
    return Mailer(
        ports,
        MailQueue(redis, settings.wait_replicas),
        settings,
        transport,
        MessageComposer(_dkim(settings)),
        work_queue.wake,
        DeliveryQueue(redis),
        ChannelTargets(redis),
        LetterCounts(redis),
        partial(counters.count_held, work_queue.redis),
        counted.inbound,
        counted.answered,
        CanaryStore(redis),
    )


def make_notifier(mailer: Mailer, work_queue: WorkQueue) -> Notifier:
    """Assemble the delivery engine of a process."""
    http = WebhookClient(read_networks(mailer.settings.webhook_allow))
    return Notifier(mailer, http, partial(work_queue.wake, HOOKS), partial(counters.count_delivery, work_queue.redis))


def make_callbacks(mailer: Mailer, work_queue: WorkQueue) -> DecideCallbacks:
    """Assemble the callbacks that deciding moves needs."""
    return DecideCallbacks(
        notify=partial(notify, make_notifier(mailer, work_queue)),
        count_attempts=work_queue.count_attempts,
        reset_attempts=partial(counters.reset_attempts, work_queue.redis),
        count_outcomes=partial(counters.count, work_queue.redis),
        call_bots=partial(call_bots, mailer.ports, work_queue),
    )


def call_bots(ports: Ports, work_queue: WorkQueue, games: Sequence[str]) -> None:
    """Call the bots of these games; anyone can become a guest, so bots in games of guests come after all others."""
    hosts = {id: game.host for id, game in ports.games_now(games).items()}
    people = ports.players.find_all(set(hosts.values()))
    of_guests = [id for id in games if id in hosts and (host := people.get(hosts[id])) and host.is_guest]
    work_queue.call_bots([id for id in games if id not in of_guests])
    work_queue.call_bots(of_guests, BEHIND_OTHER_BOTS)


def _dkim(settings: Settings) -> DkimKey | None:
    if not settings.dkim_key:
        return None
    return DkimKey(settings.mail_domain, settings.dkim_selector, read_private(settings.dkim_key))


@dataclass(frozen=True, slots=True)
class WorkerParts:
    """What the jobs of a worker process use."""

    work_queue: WorkQueue
    mailer: Mailer
    notifier: Notifier
    callbacks: DecideCallbacks


@cache
def worker_parts() -> WorkerParts:
    """Assemble a worker process at its first job; all later jobs use the same parts."""
    settings = Settings.read()
    work_queue = make_queue(settings)
    mailer = make_mailer(settings, work_queue)
    return WorkerParts(work_queue, mailer, make_notifier(mailer, work_queue), make_callbacks(mailer, work_queue))
