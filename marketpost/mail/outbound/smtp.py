"""Deliver messages with smtplib over connections that stay open between messages; a delivery that takes too long is cut off."""

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

from marketpost.mail.outbound.attempt import DeliveryOutcome, bounced, delivered, rejected, retry_later
from marketpost.mail.outbound.bounded_smtp import BoundedLMTP, BoundedReplies, BoundedSMTPS, EndlessReply
from marketpost.mail.outbound.smtp_server_url import MailServer

CONNECT_WITHIN = 10.0
"""Seconds to connect."""
ANSWER_WITHIN = 30.0
"""Seconds without a byte from the server."""
DELIVERED_WITHIN = 30.0
"""Seconds for a whole delivery; less than the lease, after which another worker would send the letter too."""
IDLE_FOR = 60.0
"""Seconds after which a connection is not used again: many servers have closed theirs by then."""
PORTS = {"smtp": 25, "smtps": 465, "lmtp": 24}
OF_THE_SERVICE = {421, 503, 530, 534, 535, 538}
"""Replies about our login or session, not about this message: retried until the operator has mended the settings."""
OF_POLICY = re.compile(r"[45]\.7\.\d")
"""The beginning of a reply, after its code, that says that we may not send (RFC 3463): before the message is shown, this is about us."""
ADDRESS = re.compile(r"[^\s<>\"(),:;\\\x00-\x1f\x7f]+@[^\s<>\"(),:;@\\\x00-\x1f\x7f]+")
LINE_END = re.compile(rb"\r\n|\r|\n")


class SmtpTransportPool:
    """A pool of connections: one for each thread that delivers at the same time."""

    stores_mail = False

    def __init__(self, url: str, hello: str | None = None) -> None:
        self._new = partial(SmtpTransport, url, hello)
        self._free = [self._new()]
        weakref.finalize(self, _close_all, self._free)

    def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        """Deliver a message over a connection that no other thread uses."""
        transport = self._take()
        try:
            return transport.deliver(sender, recipient, message)
        finally:
            self._free.append(transport)

    def _take(self) -> "SmtpTransport":
        try:
            return self._free.pop()
        except IndexError:
            return self._new()


def _close_all(transports: "list[SmtpTransport]") -> None:
    for transport in transports:
        transport.close()


class SmtpTransport:
    """One connection to a mail server, kept open between messages. Used by one thread at a time."""

    def __init__(
        self, url: str, hello: str | None = None, clock: Callable[[], float] = time.monotonic, within: float = DELIVERED_WITHIN
    ) -> None:
        self.server = MailServer.parse(url, PORTS)
        self.hello, self.clock, self.within = hello, clock, within
        self._client: smtplib.SMTP | None = None
        self._used_at = 0.0
        self._late = False

    def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        """Make one attempt; an error of the network or the server is an outcome, not an exception."""
        try:
            sender, recipient = _plain_domain(sender) if sender else "", _plain_domain(recipient)
        except ValueError as error:
            return rejected(str(error))
        with self._watched():
            try:
                return self._give(self._ready(), sender, recipient, LINE_END.sub(b"\r\n", message))
            except OSError as error:
                self.close()
                return retry_later("the mail server does not answer in time" if self._late else _in_words(error))

    def _give(self, client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        """Send a message on an open connection, and translate the server's reply into an outcome."""
        try:
            client.sendmail(sender, [recipient], message, [] if (sender + recipient).isascii() else ["SMTPUTF8"])
        except smtplib.SMTPRecipientsRefused as refused:
            return _refused_unseen(*refused.recipients[recipient], for_good=bounced)
        except smtplib.SMTPSenderRefused as refused:
            return _refused_unseen(refused.smtp_code, refused.smtp_error)
        except smtplib.SMTPDataError as refused:
            return _refused(refused.smtp_code, refused.smtp_error)
        except smtplib.SMTPNotSupportedError:
            return rejected("the mail server accepts no addresses with letters beyond a to z")
        self._used_at = self.clock()
        return delivered()

    def _ready(self) -> smtplib.SMTP:
        """Return the open connection if the server accepts RSET on it, else a new one."""
        client = self._client
        if client and client.sock and self.clock() - self._used_at <= IDLE_FOR:
            with contextlib.suppress(OSError):
                if client.rset()[0] == 250:
                    return client
        self.close()
        return self._connect()

    def _connect(self) -> smtplib.SMTP:
        """Open a connection, with TLS and login as configured."""
        self._client = client = self._reach()
        if self._late:  # while there was no connection to be cut off
            raise TimeoutError
        if client.sock:
            client.sock.settimeout(ANSWER_WITHIN)
            _send_at_once(client.sock)
        client.ehlo_or_helo_if_needed()
        wanted = self.server.starttls
        if wanted == "require" or (wanted == "if-offered" and client.has_extn("starttls")):
            client.starttls(context=self.server.tls())
        if self.server.user:
            client.login(self.server.user, self.server.password)
        self._used_at = self.clock()
        return client

    def _reach(self) -> smtplib.SMTP:
        """Connect by SMTP, SMTPS or LMTP."""
        server = self.server
        if server.scheme == "smtps":
            return BoundedSMTPS(server.host, server.port, self.hello, timeout=CONNECT_WITHIN, context=server.tls())
        kind = BoundedLMTP if server.scheme == "lmtp" else BoundedReplies
        return kind(server.host, server.port, self.hello, timeout=CONNECT_WITHIN)

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """Cut the connection off when the delivery takes too long.

        Fault: a server that sends a byte now and then restarts the socket's timeout for ever. A timer thread shuts the socket down.
        """
        self._late = False
        timer = threading.Timer(self.within, self._cut_off)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # or it might cut off the next mail

    def _cut_off(self) -> None:
        """Shut the connection down, from the timer thread."""
        self._late = True
        client = self._client
        with contextlib.suppress(OSError):
            if client and client.sock:
                socket.socket.shutdown(client.sock, socket.SHUT_RDWR)  # of the connection itself, below TLS

    def close(self) -> None:
        """Close the connection politely, within a second."""
        client, self._client = self._client, None
        if client and client.sock:
            with contextlib.suppress(OSError):
                client.sock.settimeout(1.0)
                client.quit()
            client.close()


def _refused(code: int, text: bytes | str, for_good: Callable[[str], DeliveryOutcome] = rejected) -> DeliveryOutcome:
    """Translate a refusal: for good if the reply is about the message or address, else to be retried."""
    reason = f"{code} {_text(text)}"
    return for_good(reason) if 500 <= code <= 599 and code not in OF_THE_SERVICE else retry_later(reason)


def _refused_unseen(code: int, text: bytes | str, for_good: Callable[[str], DeliveryOutcome] = rejected) -> DeliveryOutcome:
    """Translate a refusal before the message was shown: retried if it is about our right to send, as when a relay does not know us."""
    return retry_later(f"{code} {_text(text)}") if OF_POLICY.match(_text(text)) else _refused(code, text, for_good)


def _send_at_once(connection: socket.socket) -> None:
    """Switch Nagle's algorithm off, so that the end of a message is not delayed."""
    with contextlib.suppress(OSError):  # a socket in the file system never waits
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _plain_domain(address: str) -> str:
    """Write the domain of an address in ASCII (IDNA), which every server accepts."""
    if not ADDRESS.fullmatch(address):
        raise ValueError("not a mail address")
    name, _, domain = address.rpartition("@")
    try:
        return f"{name}@{domain if domain.isascii() else domain.encode('idna').decode()}"
    except UnicodeError:
        raise ValueError("not a mail address: its domain cannot be written in ASCII") from None


def _in_words(error: OSError) -> str:
    """Return the reason of a failed attempt as a sentence."""
    match error:
        case smtplib.SMTPAuthenticationError():
            return f"the mail server does not accept our user name and password: {error.smtp_code} {_text(error.smtp_error)}"
        case smtplib.SMTPResponseException():
            return f"{error.smtp_code} {_text(error.smtp_error)}"
        case ssl.SSLCertVerificationError():
            return f"the mail server's certificate is not good: {error.verify_message}"
        case TimeoutError():
            return "the mail server does not answer in time"
        case smtplib.SMTPServerDisconnected() if isinstance(error.__context__, TimeoutError):
            return "the mail server does not answer in time"
        case smtplib.SMTPServerDisconnected() if isinstance(error.__context__, EndlessReply):
            return str(error.__context__)
        case smtplib.SMTPServerDisconnected():
            return "the mail server closed the connection"
        case _:
            return f"the mail server cannot be reached: {error}"


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said
