"""How a process tells people things, by mail and by webhook, put together."""

from collections.abc import Mapping, Sequence
from functools import cache, partial

from marketpost.mail.outbound.compose import MessageComposer
from marketpost.mail.outbound.enqueue_letters import enqueue_letters
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.message import DkimKey, read_private
from marketpost.mail.outbound.transport import transport_for
from marketpost.notify.target_address import read_networks
from marketpost.notify.webhook_client import WebhookClient
from marketpost.notify.webhook_delivery import WebhookSender, enqueue_calls
from marketpost.play.log.game import Game
from marketpost.play.outbox.notices import Notice
from marketpost.play.people.preferences import recipients
from marketpost.play.ports import Ports
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.mail_queue import MailQueue, OutboundLetter
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from marketpost.store.webhook_queue import WebhookQueue
from workers import metrics
from workers.queue import HOOKS, WorkQueue, worker_ports, worker_queue


def make_mailer(settings: Settings, ports: Ports, work_queue: WorkQueue) -> Mailer:
    """Ports that tell by mail and by webhook, and everything mail needs of them."""
    redis = ports.games.redis
    transport = transport_for(settings.smtp_url or None, LocalMailbox(redis), settings.mail_domain)
    mailer = Mailer(ports, MailQueue(redis, settings.wait_replicas), settings, transport, _nobody, work_queue.wake, WebhookQueue(redis))
    mailer.compose = MessageComposer(mailer, _dkim(settings))
    ports.notify = partial(_tell, make_webhook_sender(mailer, work_queue))
    return mailer


def make_webhook_sender(mailer: Mailer, work_queue: WorkQueue) -> WebhookSender:
    caller = WebhookClient(read_networks(mailer.settings.webhook_allow))
    return WebhookSender(mailer, caller, partial(work_queue.wake, HOOKS), partial(metrics.count_call, work_queue.redis))


def _tell(webhook_sender: WebhookSender, notices: Sequence[Notice]) -> None:
    heard = recipients(webhook_sender.mailer.ports, webhook_sender.mailer.webhook_queue, notices)
    enqueue_letters(webhook_sender.mailer, heard)
    enqueue_calls(webhook_sender, heard)


def _nobody(mail: OutboundLetter, player: Player, game: Game | None, people: Mapping[str, Player]) -> bytes | None:
    """Until the mailer has its composer, which needs the mailer itself."""
    return None


def _dkim(settings: Settings) -> DkimKey | None:
    if not settings.dkim_key:
        return None
    return DkimKey(settings.mail_domain, settings.dkim_selector, read_private(settings.dkim_key))


@cache
def worker_mailer() -> Mailer:
    return make_mailer(Settings.read(), worker_ports(), worker_queue())


@cache
def worker_webhook_sender() -> WebhookSender:
    return make_webhook_sender(worker_mailer(), worker_queue())
