"""Our own doors for mail, opened for a test: SMTP and LMTP with the verdict of real DNS lookups."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from smtplib import SMTP
from threading import Thread

from marketpost.mail.inbound.own_addresses import is_own_address
from marketpost.mail.inbound.smtp_door import take_from_smtp
from marketpost.mail.inbound.smtp_listener import ListenAddress, serve
from tests.mail.desk import Desk
from tests.mail.servers import answers, eventually, free_port

NOT_HERE = "10.0.0.0/8"
"""A network that this machine is not in: then it counts as somebody else's server, for which SPF is checked."""


@contextmanager
def smtp_door(desk: Desk, *, lmtp: bool = False) -> Iterator[int]:
    """Our own server with our own addresses; its port."""
    loop, stop, port = asyncio.new_event_loop(), asyncio.Event(), free_port()
    listen = ListenAddress("127.0.0.1", port, lmtp)
    taking = serve(listen, partial(take_from_smtp, desk.mailer), partial(is_own_address, desk.mailer), stop)
    thread = Thread(target=loop.run_until_complete, args=(taking,))
    thread.start()
    try:
        eventually(lambda: answers(port))
        yield port
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


def by_smtp(desk: Desk, raw: bytes, sender: str, *recipients: str) -> None:
    """Handed over in a session of its own, and acted on."""
    with smtp_door(desk) as port, SMTP("127.0.0.1", port, "mx.example.org", timeout=30) as client:
        client.sendmail(sender, recipients, raw)
    desk.work()


def trust(desk: Desk, authserv: str = "", dns: int = 0, relays: str = NOT_HERE) -> None:
    """Set whose `Authentication-Results` count, and the port of the DNS server on this machine."""
    found = {"trusted_authserv": authserv, "dns_servers": f"127.0.0.1:{dns}" if dns else "", "mail_relays": relays}
    desk.mailer.settings = replace(desk.mailer.settings, **found)
