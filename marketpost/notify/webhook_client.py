"""Make one HTTP call to an untrusted server: to a checked address, within ten seconds, reading at most two kilobytes."""

import http.client
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.notify.target_address import AddressNotAllowed, Networks, Resolve, WebhookTarget, open_addresses, read_url, resolve
from marketpost.rules.refusal import Refused
from marketpost.rules.words import Words

CONNECT_WITHIN = 3.0
"""Seconds to connect to one address."""
DEADLINE = 10.0
"""Seconds for the whole call, including name lookup, TLS and a slow answer."""
READ_AT_MOST = 2048
"""Bytes of a response that are read."""
RETRY_AFTER = "Retry-After"
SECONDS = re.compile(r"[0-9]{1,6}")
HEADERS: Mapping[str, str] = {"Content-Type": "application/json", "User-Agent": "Marketpost"}
"""Headers of every call."""
SHOWN = 200
"""Characters of an error that are stored for the owner of the webhook."""


@dataclass(frozen=True, slots=True)
class WebhookClient:
    """Posts JSON to URLs that players gave. The reason of a failure is a key of our words, perhaps with a value behind it."""

    allowed: Networks = ()
    resolve: Resolve = resolve
    deadline: float = DEADLINE
    tls: ssl.SSLContext | None = None
    """Which certificates are accepted; by default those that this machine trusts."""

    def post(self, url: str, body: bytes, headers: Mapping[str, str] = HEADERS) -> DeliveryOutcome:
        """Make one call; never raises for what the receiver or the network does. Every failure may pass: receivers are mended."""
        try:
            return self._post(read_url(url, self.allowed), body, {**HEADERS, **headers})
        except Refused:
            return retry_later("not-allowed")
        except ssl.SSLCertVerificationError as error:
            return retry_later(f"certificate {error.verify_message}"[:SHOWN])
        except TimeoutError:
            return retry_later("no-answer")
        except (OSError, http.client.HTTPException, ValueError) as error:
            return retry_later(_reason(error))

    def _post(self, target: WebhookTarget, body: bytes, headers: Mapping[str, str]) -> DeliveryOutcome:
        """Connect, post the body, and judge the status of the response."""
        until = time.monotonic() + self.deadline
        with self._connected(target, until) as sock, _ended_by(sock, until):
            connection = http.client.HTTPConnection(target.host, target.port)
            connection.sock = sock
            connection.request("POST", target.path, body, {**headers, "Host": target.name, "Connection": "close"})
            with connection.getresponse() as answer:
                answer.read(READ_AT_MOST)  # so that an honest receiver is not cut off
                return _verdict(answer.status, answer.headers.get(RETRY_AFTER))

    @contextmanager
    def _connected(self, target: WebhookTarget, until: float) -> Iterator[socket.socket]:
        """Connect to the address that was just checked.

        Race: the name's owner may change its address between our check and our connection (DNS rebinding). We connect to the checked
        address and never look the name up again.
        """
        addresses = open_addresses(target, self.resolve, self.allowed)
        with _first_to_answer(addresses, target.port) as plain:
            plain.settimeout(max(0.1, until - time.monotonic()))
            if target.scheme == "http":
                yield plain
                return
            with (self.tls or _trusting()).wrap_socket(plain, server_hostname=target.host.rstrip(".")) as secured:
                yield secured


@cache
def _trusting() -> ssl.SSLContext:
    """Load the machine's certificates once per process, at the first call."""
    return ssl.create_default_context()


def _first_to_answer(addresses: list[str], port: int) -> socket.socket:
    """Connect to the first of up to three addresses that accepts."""
    *others, last = addresses[:3]
    for address in others:
        try:
            return socket.create_connection((address, port), CONNECT_WITHIN)
        except OSError:
            continue
    return socket.create_connection((last, port), CONNECT_WITHIN)


@contextmanager
def _ended_by(sock: socket.socket, until: float) -> Iterator[None]:
    """Shut the connection down at a fixed time.

    Fault: a receiver that sends a byte now and then restarts the socket's own timeout for ever. A timer thread shuts the socket down.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        try:
            socket.socket.shutdown(sock, socket.SHUT_RDWR)  # of the connection itself, below TLS, which is in use elsewhere
        except OSError:
            return

    timer = threading.Timer(max(0.0, until - time.monotonic()), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError) as error:
        if late.is_set():
            raise TimeoutError from error
        raise
    finally:
        timer.cancel()
    if late.is_set():  # what looked like the end of an answer was ours
        raise TimeoutError


def _verdict(status: int, asked: str | None) -> DeliveryOutcome:
    """Return what the status of an answer means, and for how long the receiver asks to be left alone."""
    if 200 <= status < 300:
        return delivered()
    return retry_later(f"redirect {status}" if 300 <= status < 400 else f"status {status}", wait_asked(asked))


def wait_asked(retry_after: str | None) -> int:
    """Read the header Retry-After, in milliseconds; 0 where it has a date, or is missing."""
    return int(retry_after) * 1000 if retry_after and SECONDS.fullmatch(retry_after) else 0


def explain(words: Words, error: str) -> str:
    """Explain in the player's language why a call was not accepted."""
    key, _, value = error.partition(" ")
    return words.say(f"webhooks.{key}", value=value)


def _reason(error: Exception) -> str:
    """Choose the reason that the webhook's owner may read; it reveals nothing about our network."""
    match error:
        case AddressNotAllowed():
            return "not-allowed"
        case socket.gaierror():
            return "unknown-name"
        case ConnectionRefusedError():
            return "refused"
        case ConnectionError():
            return "broken-off"
        case ssl.SSLError():
            return "no-tls"
        case http.client.HTTPException() | ValueError():
            return "unreadable"
        case _:
            return "unreachable"
