"""The mail side of a process, put together."""

from functools import cache, partial
from pathlib import Path

from mail.carrier import carrier_for
from mail.compose import Composing
from mail.message import Key
from mail.post import Office, tell
from play.ports import Ports
from store.mailbox import Mailbox
from store.people import Player
from store.post import Mail, Post
from store.settings import Settings
from workers.wiring import Kicks, worker_kicks, worker_ports


def make_office(settings: Settings, ports: Ports, kicks: Kicks) -> Office:
    """Ports that tell by mail, and everything mail needs of them."""
    redis = ports.games.redis
    carrier = carrier_for(settings.smtp_url or None, Mailbox(redis), settings.mail_domain)
    office = Office(ports, Post(redis, settings.wait_replicas), settings, carrier, _nobody, kicks.wake)
    office.compose = Composing(office, _dkim(settings))
    ports.tell = partial(tell, office)
    return office


def _nobody(mail: Mail, player: Player) -> bytes | None:
    """Until the office has its composer, which needs the office itself."""
    return None


def _dkim(settings: Settings) -> Key | None:
    if not settings.dkim_key:
        return None
    key = settings.dkim_key
    return Key(settings.mail_domain, settings.dkim_selector, key.encode() if "-----" in key else Path(key).read_bytes())


@cache
def worker_office() -> Office:
    return make_office(Settings.read(), worker_ports(), worker_kicks())
