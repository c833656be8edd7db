"""One call over HTTP to somebody we do not trust: to a checked address, for a short time, reading next to nothing."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from marketpost.notify.target_address import AddressNotAllowed, Networks, Resolve, WebhookTarget, open_addresses, read_url, resolve
from marketpost.rules.refusal import Refused
from marketpost.rules.words import Words

CONNECT_WITHIN = 3.0
DEADLINE = 10.0
"""Seconds for the whole call, whatever the other side does."""
READ_AT_MOST = 2048
SHOWN = 200
"""So much of an error is kept for the owner to see."""


@dataclass(frozen=True, slots=True)
class WebhookClient:
    """What came of a call: nothing if it was taken, else why not, as a key to our words and perhaps a value."""

    allowed: Networks = ()
    resolve: Resolve = resolve
    deadline: float = DEADLINE
    tls: ssl.SSLContext | None = None
    """Whose certificates are good; by default those that this machine trusts."""

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> str:
        try:
            return self._post(read_url(url, self.allowed), body, headers)
        except Refused:
            return "not-allowed"
        except ssl.SSLCertVerificationError as error:
            return f"certificate {error.verify_message}"[:SHOWN]
        except TimeoutError:
            return "no-answer"
        except (OSError, http.client.HTTPException, ValueError) as error:
            return _reason(error)

    def _post(self, target: WebhookTarget, body: bytes, headers: Mapping[str, str]) -> str:
        until = time.monotonic() + self.deadline
        with self._connected(target, until) as sock, _ended_by(sock, until):
            connection = http.client.HTTPConnection(target.host, target.port)
            connection.sock = sock
            connection.request("POST", target.path, body, {**headers, "Host": target.name, "Connection": "close"})
            with connection.getresponse() as answer:
                answer.read(READ_AT_MOST)  # so that an honest receiver is not cut off
                return _verdict(answer.status)

    @contextmanager
    def _connected(self, target: WebhookTarget, until: float) -> Iterator[socket.socket]:
        """To an address that was looked at just now, not to whatever the name stands for a moment later."""
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
    """Read once, and only where somebody is called."""
    return ssl.create_default_context()


def _first_to_answer(addresses: list[str], port: int) -> socket.socket:
    *others, last = addresses[:3]
    for address in others:
        try:
            return socket.create_connection((address, port), CONNECT_WITHIN)
        except OSError:
            continue
    return socket.create_connection((last, port), CONNECT_WITHIN)


@contextmanager
def _ended_by(sock: socket.socket, until: float) -> Iterator[None]:
    """A timeout counts from the last byte; this one does not begin again."""
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


def _verdict(status: int) -> str:
    if 200 <= status < 300:
        return ""
    return f"redirect {status}" if 300 <= status < 400 else f"status {status}"


def explain(words: Words, error: str) -> str:
    """Why a call was not taken, told in somebody's language."""
    key, _, value = error.partition(" ")
    return words.say(f"webhooks.{key}", value=value)


def _reason(error: Exception) -> str:
    """For the owner of the webhook: no word of what our side looks like."""
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
