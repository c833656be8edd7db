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
from collections.abc import Callable, Iterator, Sequence
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
CUT_OFF_EVERY = 1.0
IDLE_FOR = 60.0
"""Seconds after which a connection is not used again: many servers have closed theirs by then."""
REASON_LENGTH = 200
PORTS = {"smtp": 25, "smtps": 465, "lmtp": 24}
RSET, DATA = "RSET", "DATA"
GO_ON, CLOSING = 354, 421
OF_THE_SERVICE = {CLOSING, 503, 530, 534, 535, 538}
"""Answers that blame our login or our manners, not this mail: somebody must set things right, and then it can go."""
ADDRESS = re.compile(r"[^\s<>\"(),:;\\\x00-\x1f\x7f]+@[^\s<>\"(),:;@\\\x00-\x1f\x7f]+")
LINE_END = re.compile(rb"\r\n|\r|\n")
WITHIN_LINES = bytes({*range(256)} - {*b"\r\n"})


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
            return self._carry(sender, recipient, _with_line_ends(message))

    def _carry(self, sender: str, recipient: str, message: bytes) -> Fate:
        try:
            client = self._begin(sender, recipient, message)
            _give(client, _fit(client, message))
            self._used_at, self._amid = self.clock(), False
        except _Refusal as refusal:
            if refusal.code == CLOSING or not 400 <= refusal.code <= 599:
                self.close()
            return refusal.fate()
        except _CannotSend as error:
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
            except _Refusal as refusal:
                if refusal.code != CLOSING:
                    raise
            except (OSError, smtplib.SMTPException):
                pass
            self.close()
        client = self._connect()
        self._used_at, self._amid = self.clock(), False
        return self._announce(client, sender, recipient, message)

    def _announce(self, client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> smtplib.SMTP:
        commands = [*([RSET] if self._amid else []), _mail_from(client, sender, recipient, message), f"RCPT TO:<{recipient}>", DATA]
        self._amid = True
        for group in [commands] if client.has_extn("pipelining") else [[each] for each in commands]:
            _ask(client, group)
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


class Watch:
    """Cuts off whoever carries one mail for too long: a timeout counts from the last byte, and this one does not begin again.

    One thread for all connections, which sleeps until the first of them is late, and ends when none is at work then.
    """

    def __init__(self) -> None:
        self._until: dict[SmtpCarrier, float] = {}
        self._lock = threading.Lock()
        self._awake = False

    @contextlib.contextmanager
    def over(self, carrier: SmtpCarrier) -> Iterator[None]:
        with self._lock:
            self._until[carrier] = time.monotonic() + CARRIED_WITHIN
            if not self._awake:
                threading.Thread(target=self._look_on, daemon=True).start()
                self._awake = True
        try:
            yield
        finally:
            with self._lock:
                del self._until[carrier]

    def _look_on(self) -> None:
        wait = CARRIED_WITHIN
        while wait:
            time.sleep(wait)
            wait = self._cut_off()

    def _cut_off(self) -> float:
        """Those that are late, again and again: a connection that was kept is replaced then. Seconds until the next time."""
        with self._lock:
            now, self._awake = time.monotonic(), bool(self._until)
            for carrier in [carrier for carrier, until in self._until.items() if until <= now]:
                carrier.cut_off()
            first = min(self._until.values(), default=now)
            return (first - now if first > now else CUT_OFF_EVERY) if self._until else 0.0


class _CannotSend(Exception):
    """This mail cannot go by this server, whatever we do."""


def _send_at_once(connection: socket.socket) -> None:
    """The end of a mail does not wait until the rest of it has arrived."""
    with contextlib.suppress(OSError):  # a socket in the file system never waits
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _mail_from(client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> str:
    options = [f"SIZE={len(message)}"] if client.has_extn("size") else []
    if not message.isascii() and client.has_extn("8bitmime"):
        options.append("BODY=8BITMIME")
    if not (sender + recipient).isascii() or not _head(message).isascii():
        if client.has_extn("smtputf8"):
            client.command_encoding = "utf-8"
            options.append("SMTPUTF8")
        elif not (sender + recipient).isascii():
            raise _CannotSend("the mail server takes no addresses with letters beyond a to z")
    return " ".join([f"MAIL FROM:<{sender}>", *options])


def _ask(client: smtplib.SMTP, commands: Sequence[str]) -> None:
    """All at once (RFC 2920). The first no counts, but every answer is heard, so that none is taken for that to the next mail."""
    client.send("".join(f"{command}\r\n" for command in commands))
    refusals: list[_Refusal] = []
    try:
        answers = [_hear(client, command, refusals) for command in commands]
        if refusals and answers[-1] == GO_ON:
            _give_nothing(client, answers[-2])
    except (OSError, smtplib.SMTPException):
        if not refusals:
            raise
    if refusals:
        raise refusals[0]


def _hear(client: smtplib.SMTP, command: str, refusals: "list[_Refusal]") -> int:
    code, text = client.getreply()
    if code != GO_ON if command == DATA else not 200 <= code <= 299:
        refusals.append(_Refusal(CLOSING if command == RSET else code, text))  # who cannot forget is not spoken to any more
    if code == CLOSING:
        raise refusals[0]
    return code


def _give_nothing(client: smtplib.SMTP, to_recipient: int) -> None:
    """A server waits for the mail although it has said no. Without a recipient an empty one goes to nobody; else only silence does."""
    if 200 <= to_recipient <= 299:
        client.close()
        return
    client.send(b".\r\n")
    client.getreply()


def _give(client: smtplib.SMTP, message: bytes) -> None:
    client.send(_to_the_dot(message))
    code, text = client.getreply()
    if not 200 <= code <= 299:
        raise _Refusal(code, text)


def _to_the_dot(message: bytes) -> bytes:
    """A dot alone in a line ends the mail, so that one at the beginning of a line is doubled."""
    dotted = (b"\r\n" + message).replace(b"\r\n.", b"\r\n..")[2:]
    return dotted + (b".\r\n" if dotted.endswith(b"\r\n") else b"\r\n.\r\n")


def _fit(client: smtplib.SMTP, message: bytes) -> bytes:
    """For an old server, eight bits in seven. A signature over the body would not survive; ours are made over seven."""
    if message.isascii() or client.has_extn("8bitmime"):
        return message
    written = BytesIO()
    BytesGenerator(written, mangle_from_=False, policy=compat32.clone(cte_type="7bit", linesep="\r\n")).flatten(message_from_bytes(message))
    return written.getvalue()


def _with_line_ends(message: bytes) -> bytes:
    """As mail demands them; our own letters have them already."""
    ends = message.translate(None, WITHIN_LINES)
    return message if ends == b"\r\n" * (len(ends) // 2) else LINE_END.sub(b"\r\n", message)


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
