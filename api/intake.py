"""How requests come in: whole, or not at all. One that is sent slowly, or never to its end, costs a little memory but no thread."""

import re
import socket
import struct
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from gunicorn.workers.gthread import TConn, ThreadWorker  # type: ignore[import-untyped]

LARGEST_HEAD = 64 * 1024
LARGEST_BODY = 128 * 1024
BEGUN_WITHIN = 10.0
"""Seconds for a head; what follows may take as much longer as the slowest line needs."""
SLOWEST = 4096
"""Bytes in a second."""
SEEN_OFF_WITHIN = 2.0
"""Seconds in which somebody who was answered may still be sending: closed at once, the answer might not reach them."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*0*(\d{1,15})", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r]*chunked", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)
CHUNK = re.compile(rb"([0-9a-f]+)[^\r\n]*\r\n", re.IGNORECASE)


Garbled = ParseException
"""A request, or the body of one, that does not fit together."""


class TooLarge(Exception):
    """More than we hold for anybody."""


class Caller(TConn):  # type: ignore[misc]
    """A connection, and what has come of its next request. Only where that ends is looked for here; it is read by gunicorn."""

    def __init__(self, worker: "Intake", sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, sock, client, server)
        self.worker = worker
        # Past what is taken in here, only who knows the secret of a mail provider is read from: they may pause, not vanish.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(BEGUN_WITHIN), 0))
        self.init()

    def begin(self) -> None:
        """What was sent along with the request before is the beginning of this one."""
        self.came = bytearray(self.parser.unreader.take_buffered())
        self.body = self.ends = 0
        self.chunked = self.whole = False
        self.timeout = time.monotonic() + BEGUN_WITHIN
        self.sock.setblocking(False)

    def take(self) -> bool:
        """Whether it is to be answered now."""
        if not self.body:
            self._look_for_head()
        if self.chunked:
            self._follow_chunks()
        self.whole = self.body > 0 and not self.chunked and len(self.came) >= self.ends
        return self.whole or self.ends - self.body > LARGEST_BODY

    def _look_for_head(self) -> None:
        # Not from the very beginning: an empty line may stand before a request.
        end = self.came.find(b"\r\n\r\n", 1)
        if (len(self.came) if end < 0 else end) > LARGEST_HEAD:
            raise TooLarge(431, "Request Header Fields Too Large")
        if end < 0:
            return
        head = bytes(self.came[: end + 2])
        self.body = end + 4
        length, self.chunked = LENGTH.search(head), bool(CHUNKED.search(head))
        self.ends = self.body + (int(length[1]) if length and not self.chunked else 0)
        self.timeout += (LARGEST_BODY if self.chunked else self.ends - self.body) / SLOWEST
        if EXPECTS.search(head) and (self.chunked or len(self.came) < self.ends):
            self.sock.send(CONTINUE)

    def _follow_chunks(self) -> None:
        while line := CHUNK.match(self.came, self.ends):
            if not int(line[1], 16):
                self.chunked = self.came.find(b"\r\n\r\n", line.end() - 2) < 0
                return
            self.ends = line.end() + int(line[1], 16) + 2
        if max(len(self.came), self.ends) - self.body > LARGEST_BODY:
            raise TooLarge(413, "Content Too Large")
        # A line that is none will be refused when it is read.
        self.chunked = self.came.find(b"\r\n", self.ends) < 0

    def close(self, graceful: bool = False) -> None:
        """Waiting until the other side has closed too must not be done here, where everybody's requests come in."""
        if graceful and self.worker.alive:
            self.worker.see_off(self)
        else:
            super().close()


class Intake(ThreadWorker):  # type: ignore[misc]
    """Takes requests in and gives a thread to each that is whole."""

    def accept(self, listener: socket.socket) -> None:
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        self.enqueue_req(Caller(self, sock, client, listener.getsockname()))

    def enqueue_req(self, conn: Caller) -> None:
        conn.begin()
        self._wait(conn, self._receive)
        if conn.came:
            self._go_on(conn)
        else:
            self._receive(conn, conn.sock)

    def _wait(self, conn: Caller, then: Any) -> None:
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(then, conn))

    def _no_longer(self, conn: Caller) -> None:
        self.pending_conns.remove(conn)
        self.poller.unregister(conn.sock)

    def _receive(self, conn: Caller, sock: socket.socket) -> None:
        try:
            came = sock.recv(LARGEST_HEAD)
        except BlockingIOError:
            return
        except OSError:
            came = b""
        conn.came += came
        if came:
            self._go_on(conn)
        else:
            self._drop(conn)

    def _go_on(self, conn: Caller) -> None:
        try:
            ready = conn.take()
        except TooLarge as refused:
            self._refuse(conn, *refused.args)
        except OSError:
            self._drop(conn)
        else:
            if ready:
                self._hand_over(conn)

    def _hand_over(self, conn: Caller) -> None:
        self._no_longer(conn)
        conn.parser.unreader.unread(bytes(conn.came))
        conn.came.clear()
        super().enqueue_req(conn)

    def _keepalive_after(self, conn: Caller, keepalive: bool) -> bool:
        """What is still to come of a request that was answered already is not waited for."""
        return conn.whole and bool(super()._keepalive_after(conn, keepalive))

    def _refuse(self, conn: Caller, status: int, reason: str) -> None:
        self._no_longer(conn)
        with suppress(OSError):
            util.write_error(conn.sock, status, reason, "")
        self.nr_conns -= 1
        conn.close(graceful=True)

    def see_off(self, conn: Caller) -> None:
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            util.close(conn.sock)
            return
        self.nr_conns += 1
        conn.came.clear()
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + SEEN_OFF_WITHIN
        self._wait(conn, self._ignore)

    def _ignore(self, conn: Caller, sock: socket.socket) -> None:
        try:
            if sock.recv(LARGEST_HEAD):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._drop(conn)

    def _drop(self, conn: Caller) -> None:
        self._no_longer(conn)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Whoever's time is over, and where there is no room for others, whoever has kept us waiting longest."""
        now = time.monotonic()
        for conn in [conn for conn in self.pending_conns if conn.timeout <= now]:
            if conn.came:
                self._refuse(conn, 408, "Request Timeout")
            else:
                self._drop(conn)
        if self.nr_conns >= self.worker_connections and self.pending_conns:
            self._drop(self.pending_conns[0])
