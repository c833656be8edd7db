"""Carries one mail to one recipient: over SMTP or LMTP, or into the local mailbox.

What became of it is said in one of three ways, and a mail that somebody has refused for good is never tried again.
"""

import contextlib
import re
import smtplib
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.generator import BytesGenerator
from email.policy import compat32
from functools import partial
from io import BytesIO
from typing import Literal, Protocol

from redis import RedisError

from mail.server import Server
from store.mailbox import Mailbox

CONNECT_WITHIN = 10.0
ANSWER_WITHIN = 30.0
CARRIED_WITHIN = 30.0
"""Seconds for all of it, from the greeting on: after a minute another worker would take the letter too."""
IDLE_FOR = 60.0
"""Seconds after which a connection is not used again: many servers have closed theirs by then."""
REASON_LENGTH = 200
PORTS = {"smtp": 25, "smtps": 465, "lmtp": 24}
OF_THE_SERVICE = {421, 503, 530, 534, 535, 538}
"""Answers that blame our login or our manners, not this mail: somebody must set things right, and then it can go."""
ADDRESS = re.compile(r"[^\s<>\"(),:;\\\x00-\x1f\x7f]+@[^\s<>\"(),:;@\\\x00-\x1f\x7f]+")
LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mail: the next server answers for it, or try again later, or it is refused for good."""

    kind: Literal["delivered", "later", "never"]
    reason: str = ""


def delivered() -> Fate:
    return Fate("delivered")


def later(reason: str) -> Fate:
    return Fate("later", clean(reason))


def never(reason: str) -> Fate:
    return Fate("never", clean(reason))


class Carrier(Protocol):
    def carry(self, sender: str, recipient: str, message: bytes) -> Fate: ...


def carrier_for(url: str | None, mailbox: Mailbox, hello: str | None = None) -> Carrier:
    """By `SMTP_URL` if there is one. `hello` is the name under which we greet a server."""
    return SmtpCarriers(url, hello) if url else MailboxCarrier(mailbox)


class MailboxCarrier:
    def __init__(self, mailbox: Mailbox, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self.mailbox, self.clock = mailbox, clock

    def carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            self.mailbox.add(recipient, sender, message, self.clock())
        except RedisError as error:
            return later(f"the local mailbox cannot be written: {error}")
        return delivered()


class _Refusal(Exception):
    """A server's answer to one of our commands that is not a yes."""

    def __init__(self, code: int, text: bytes) -> None:
        super().__init__(code, text)
        self.code = code
        self.reason = f"{code} {text.decode(errors='replace')}"

    def fate(self) -> Fate:
        return never(self.reason) if 500 <= self.code <= 599 and self.code not in OF_THE_SERVICE else later(self.reason)


class SmtpCarriers:
    """As many connections as there are threads that carry something at the same time."""

    def __init__(self, url: str, hello: str | None = None) -> None:
        self._new = partial(SmtpCarrier, url, hello)
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

    def __init__(self, url: str, hello: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.server = Server.parse(url, PORTS)
        self.hello, self.clock = hello, clock
        self._client: smtplib.SMTP | None = None
        self._used_at = 0.0
        self._amid = False
        """Whether the last mail was begun and not taken, which the server must forget before the next."""

    def carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            sender, recipient = _plain_domain(sender) if sender else "", _plain_domain(recipient)
        except ValueError as error:
            return never(str(error))
        with self._hurried():
            return self._carry(sender, recipient, _with_line_ends(message))

    def _carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            client = self._begin(sender, recipient, message)
            _ask(client, f"RCPT TO:<{recipient}>")
            _give(client, _fit(client, message))
            self._used_at, self._amid = self.clock(), False
        except _Refusal as refusal:
            if refusal.code == 421 or not 400 <= refusal.code <= 599:
                self.close()
            return refusal.fate()
        except _CannotSend as error:
            return never(str(error))
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            return later(_in_words(error))
        return delivered()

    @contextlib.contextmanager
    def _hurried(self) -> Iterator[None]:
        """A timeout counts from the last byte; this one does not begin again."""
        done = threading.Event()
        threading.Thread(target=self._cut_off_unless, args=(done,), daemon=True).start()
        try:
            yield
        finally:
            done.set()

    def _cut_off_unless(self, done: threading.Event) -> None:
        """Again and again: a connection that was kept is replaced when it is cut off."""
        patience = CARRIED_WITHIN
        while not done.wait(patience):
            client, patience = self._client, 1.0
            with contextlib.suppress(OSError):
                if client and client.sock:
                    socket.socket.shutdown(client.sock, socket.SHUT_RDWR)  # of the connection itself, below TLS

    def _begin(self, sender: str, recipient: str, message: bytes) -> smtplib.SMTP:
        """Up to MAIL FROM. A connection that was kept and is no good any more is replaced, and nobody need know."""
        if client := self._kept():
            try:
                if self._amid:
                    _ask(client, "RSET")
                return self._announce(client, sender, recipient, message)
            except _Refusal as refusal:
                if refusal.code != 421:
                    raise
            except (OSError, smtplib.SMTPException):
                pass
            self.close()
        client = self._connect()
        self._used_at = self.clock()
        return self._announce(client, sender, recipient, message)

    def _announce(self, client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> smtplib.SMTP:
        self._amid = True
        _announce(client, sender, recipient, message)
        return client

    def _kept(self) -> smtplib.SMTP | None:
        self.close_if_idle()
        return self._client

    def _connect(self) -> smtplib.SMTP:
        self._client = client = self._reach()
        try:
            if client.sock:
                client.sock.settimeout(ANSWER_WITHIN)
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
                raise _Refusal(454, text)
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


class _CannotSend(Exception):
    """This mail cannot go by this server, whatever we do."""


def _announce(client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> None:
    options = [f"SIZE={len(message)}"] if client.has_extn("size") else []
    if not message.isascii() and client.has_extn("8bitmime"):
        options.append("BODY=8BITMIME")
    if not (sender + recipient).isascii() or not _head(message).isascii():
        if client.has_extn("smtputf8"):
            client.command_encoding = "utf-8"
            options.append("SMTPUTF8")
        elif not (sender + recipient).isascii():
            raise _CannotSend("the mail server takes no addresses with letters beyond a to z")
    _ask(client, " ".join([f"MAIL FROM:<{sender}>", *options]))


def _ask(client: smtplib.SMTP, command: str) -> None:
    code, text = client.docmd(command)
    if not 200 <= code <= 299:
        raise _Refusal(code, text)


def _give(client: smtplib.SMTP, message: bytes) -> None:
    try:
        code, text = client.data(message)
    except smtplib.SMTPDataError as error:
        said = error.smtp_error
        raise _Refusal(error.smtp_code, said if isinstance(said, bytes) else said.encode()) from None
    if not 200 <= code <= 299:
        raise _Refusal(code, text)


def _fit(client: smtplib.SMTP, message: bytes) -> bytes:
    """For an old server, eight bits in seven. A signature over the body would not survive; ours are made over seven."""
    if message.isascii() or client.has_extn("8bitmime"):
        return message
    written = BytesIO()
    BytesGenerator(written, mangle_from_=False, policy=compat32.clone(cte_type="7bit", linesep="\r\n")).flatten(message_from_bytes(message))
    return written.getvalue()


def _with_line_ends(message: bytes) -> bytes:
    """As mail demands them; our own letters have them already."""
    right = message.count(b"\r\n") == message.count(b"\r") == message.count(b"\n")
    return message if right else LINE_END.sub(b"\r\n", message)


def _head(message: bytes) -> bytes:
    return message.partition(b"\r\n\r\n")[0]


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


def clean(reason: str) -> str:
    """One short line without anything that could harm a log or a page."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in reason).split())
    return line if len(line) <= REASON_LENGTH else line[: REASON_LENGTH - 1] + "…"
