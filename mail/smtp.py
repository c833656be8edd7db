"""Connections to a mail server: kept between mails, replaced when they are no good any more, and cut off when they take too long."""

import contextlib
import re
import smtplib
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from functools import partial

from mail.dialogue import CLOSING, DATA, RSET, CannotSend, Refusal, ask, fit, give, mail_from, with_line_ends
from mail.fate import Fate, delivered, later, never
from mail.server import Server

CONNECT_WITHIN = 10.0
ANSWER_WITHIN = 30.0
CARRIED_WITHIN = 30.0
"""Seconds for all of it, from the greeting on: after a minute another worker would take the letter too."""
CUT_OFF_EVERY = 1.0
IDLE_FOR = 60.0
"""Seconds after which a connection is not used again: many servers have closed theirs by then."""
PORTS = {"smtp": 25, "smtps": 465, "lmtp": 24}
ADDRESS = re.compile(r"[^\s<>\"(),:;\\\x00-\x1f\x7f]+@[^\s<>\"(),:;@\\\x00-\x1f\x7f]+")


class SmtpCarriers:
    """As many connections as there are threads that carry something at the same time."""

    keeps = False

    def __init__(self, url: str, hello: str | None = None) -> None:
        self._new = partial(SmtpCarrier, url, hello, watch=Watch())
        self._free = [self._new()]
        weakref.finalize(self, _close_all, self._free)

    def carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        carrier = self._take()
        try:
            return carrier.carry(sender, recipient, message)
        finally:
            self._free.append(carrier)

    def _take(self) -> "SmtpCarrier":
        try:
            return self._free.pop()
        except IndexError:
            return self._new()


def _close_all(carriers: "list[SmtpCarrier]") -> None:
    for carrier in carriers:
        carrier.close()


class SmtpCarrier:
    """Keeps its connection open between mails. Belongs to one thread at a time."""

    def __init__(
        self, url: str, hello: str | None = None, clock: Callable[[], float] = time.monotonic, watch: "Watch | None" = None
    ) -> None:
        self.server = Server.parse(url, PORTS)
        self.hello, self.clock, self._watch = hello, clock, watch or Watch()
        self._client: smtplib.SMTP | None = None
        self._used_at = 0.0
        self._amid = False
        """Whether the last mail was begun and not taken, which the server must forget before the next."""

    def carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            sender, recipient = _plain_domain(sender) if sender else "", _plain_domain(recipient)
        except ValueError as error:
            return never(str(error))
        with self._watch.over(self):
            return self._carry(sender, recipient, with_line_ends(message))

    def _carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            client = self._begin(sender, recipient, message)
            give(client, fit(client, message))
            self._used_at, self._amid = self.clock(), False
        except Refusal as refusal:
            if refusal.code == CLOSING or not 400 <= refusal.code <= 599:
                self.close()
            return refusal.fate()
        except CannotSend as error:
            return never(str(error))
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            return later(_in_words(error))
        return delivered()

    def cut_off(self) -> None:
        client = self._client
        with contextlib.suppress(OSError):
            if client and client.sock:
                socket.socket.shutdown(client.sock, socket.SHUT_RDWR)  # of the connection itself, below TLS

    def _begin(self, sender: str, recipient: str, message: bytes) -> smtplib.SMTP:
        """Until the server waits for the mail. A connection that was kept and is no good any more is replaced, and nobody need know."""
        if client := self._kept():
            try:
                return self._announce(client, sender, recipient, message)
            except Refusal as refusal:
                if refusal.code != CLOSING:
                    raise
            except (OSError, smtplib.SMTPException):
                pass
            self.close()
        client = self._connect()
        self._used_at, self._amid = self.clock(), False
        return self._announce(client, sender, recipient, message)

    def _announce(self, client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> smtplib.SMTP:
        commands = [*([RSET] if self._amid else []), mail_from(client, sender, recipient, message), f"RCPT TO:<{recipient}>", DATA]
        self._amid = True
        for group in [commands] if client.has_extn("pipelining") else [[each] for each in commands]:
            ask(client, group)
        return client

    def _kept(self) -> smtplib.SMTP | None:
        self.close_if_idle()
        return self._client

    def _connect(self) -> smtplib.SMTP:
        self._client = client = self._reach()
        try:
            if client.sock:
                client.sock.settimeout(ANSWER_WITHIN)
                _send_at_once(client.sock)
            client.ehlo_or_helo_if_needed()
            self._encrypt(client)
            if self.server.user:
                client.login(self.server.user, self.server.password)
        except BaseException:
            self._client = None
            client.close()
            raise
        return client

    def _reach(self) -> smtplib.SMTP:
        server = self.server
        if server.scheme == "smtps":
            return smtplib.SMTP_SSL(server.host, server.port, self.hello, timeout=CONNECT_WITHIN, context=server.tls())
        kind = smtplib.LMTP if server.scheme == "lmtp" else smtplib.SMTP
        return kind(server.host, server.port, self.hello, timeout=CONNECT_WITHIN)

    def _encrypt(self, client: smtplib.SMTP) -> None:
        wanted = self.server.starttls
        if wanted == "require" or (wanted == "if-offered" and client.has_extn("starttls")):
            code, text = client.starttls(context=self.server.tls())
            if code != 220:
                raise Refusal(454, text)
            client.ehlo_or_helo_if_needed()

    def close_if_idle(self) -> None:
        if self._client and self.clock() - self._used_at > IDLE_FOR:
            self.close()

    def close(self) -> None:
        client, self._client = self._client, None
        if client:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                if client.sock:
                    client.sock.settimeout(1.0)
                client.docmd("QUIT")
            client.close()


class Watch:
    """Cuts off whoever carries one mail for too long: a timeout counts from the last byte, and this one does not begin again.

    One for all connections, which looks when the first of them is late, and no more when none is at work then.
    """

    def __init__(self, within: float = CARRIED_WITHIN) -> None:
        self.within = within
        self._until: dict[SmtpCarrier, float] = {}
        self._lock = threading.Lock()
        self._looks = False

    @contextlib.contextmanager
    def over(self, carrier: "SmtpCarrier") -> Iterator[None]:
        with self._lock:
            if not self._looks:
                self._look_in(self.within)
            self._until[carrier] = time.monotonic() + self.within
        try:
            yield
        finally:
            with self._lock:
                del self._until[carrier]

    def _look_in(self, seconds: float) -> None:
        """Where no thread can be started nobody looks, and whoever carries the next mail tries again to have one."""
        timer = threading.Timer(seconds, self._cut_off)
        timer.daemon = True
        timer.start()
        self._looks = True

    def _cut_off(self) -> None:
        """Those that are late, again and again: a connection that was kept is replaced then."""
        with self._lock:
            now, self._looks = time.monotonic(), False
            for carrier in [carrier for carrier, until in self._until.items() if until <= now]:
                carrier.cut_off()
            if self._until:
                first = min(self._until.values())
                self._look_in(first - now if first > now else CUT_OFF_EVERY)


def _send_at_once(connection: socket.socket) -> None:
    """The end of a mail does not wait until the rest of it has arrived."""
    with contextlib.suppress(OSError):  # a socket in the file system never waits
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _plain_domain(address: str) -> str:
    """The address with a domain of ASCII letters, as every server understands it."""
    if not ADDRESS.fullmatch(address):
        raise ValueError("not a mail address")
    name, _, domain = address.rpartition("@")
    try:
        return f"{name}@{domain if domain.isascii() else domain.encode('idna').decode()}"
    except UnicodeError:
        raise ValueError("not a mail address: its domain cannot be") from None


def _in_words(error: Exception) -> str:
    match error:
        case smtplib.SMTPAuthenticationError():
            return f"the mail server does not take our name and password: {error.smtp_code} {_text(error.smtp_error)}"
        case smtplib.SMTPResponseException():
            return f"{error.smtp_code} {_text(error.smtp_error)}"
        case ssl.SSLCertVerificationError():
            return f"the mail server's certificate is not good: {error.verify_message}"
        case TimeoutError():
            return "the mail server does not answer in time"
        case smtplib.SMTPServerDisconnected() if isinstance(error.__context__, TimeoutError):
            return "the mail server does not answer in time"
        case smtplib.SMTPServerDisconnected():
            return "the mail server closed the connection"
        case _:
            return f"no way to the mail server: {error}"


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said
