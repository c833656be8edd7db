"""Guard connections that libraries make for us: only to addresses on the open internet, and ended at a fixed time.

Fault: a player types an address that leads into our network, at once, by a redirect, or by a name that changes its address between a check
and a connection (DNS rebinding). Python's audit hook `socket.connect` sees the very address of every connection, whichever library makes it
and however it came by it, before it is made.
"""

import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from typing import Any

from marketpost.notify.target_address import LOWEST_FREE_PORT, WEB_PORTS, AddressNotAllowed, Networks, is_open


@dataclass(slots=True)
class ConnectionGuard:
    """What one thread may connect to, and what it has connected."""

    allowed: Networks
    refused: bool = False
    """Whether a connection was refused."""
    late: threading.Event = field(default_factory=threading.Event)
    """Set when the time was over."""
    sockets: list[socket.socket] = field(default_factory=list)

    def check(self, connecting: socket.socket, address: Any) -> None:
        """Refuse an address that is not on the open internet; note a socket that is."""
        if not self.late.is_set() and self._is_open(address):
            self.sockets.append(connecting)
            return
        self.refused = not self.late.is_set()
        raise AddressNotAllowed("this address may not be called")

    def _is_open(self, address: Any) -> bool:
        if not isinstance(address, tuple):  # a socket of this machine's own
            return False
        host, port = address[:2]
        try:
            return (port in WEB_PORTS.values() or port >= LOWEST_FREE_PORT) and is_open(ip_address(host), self.allowed)
        except ValueError:  # a name, which would be looked up after this check
            return False

    def end(self) -> None:
        """Shut all connections down: a receiver that sends a byte now and then would hold its thread for ever."""
        self.late.set()
        for each in self.sockets:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)  # of the connection itself, below TLS


_thread = threading.local()


def _audit(event: str, args: tuple[Any, ...]) -> None:
    """Check a connection that a guarded thread is about to make."""
    if event == "socket.connect" and (guard := getattr(_thread, "guard", None)):
        guard.check(*args)


@cache
def _watch() -> None:
    """Begin to watch connections. Python offers no way to end it; threads without a guard are not affected."""
    sys.addaudithook(_audit)


@contextmanager
def guarded(allowed: Networks, seconds: float) -> Iterator[ConnectionGuard]:
    """Guard all connections that this thread makes within the block, and shut them down after some seconds."""
    _watch()
    guard = ConnectionGuard(allowed)
    timer = threading.Timer(seconds, guard.end)
    timer.daemon = True
    _thread.guard = guard
    timer.start()
    try:
        yield guard
    finally:
        timer.cancel()
        _thread.guard = None
