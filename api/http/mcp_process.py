"""Run the tools for agents in a process of its own: their SDK is built on asyncio, the API on gevent."""

import http.client
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

MOST_AT_ONCE = 500
"""Calls that are answered at once in a process; most of them wait for a turn."""
ANSWER_WITHIN = 100.0
"""Seconds for a call; a wait ends after fifty."""


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """What the tools answer to one request."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class McpProcess:
    """Starts the process with the first call, again if it has ended, and passes calls on to it.

    This process holds the listening socket: calls that come before the other one is ready wait in its backlog.
    """

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._listener: socket.socket | None = None
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)

    def call(self, service: str, body: bytes, headers: Mapping[str, str]) -> ToolResponse:
        """Pass a call on; the tools call the service at this URL. OSError or HTTPException if there is no answer."""
        if not self._places.acquire(blocking=False):
            raise BlockingIOError("too many calls of tools at once")
        try:
            return _ask(self._running(service), body, headers)
        finally:
            self._places.release()

    def close(self) -> None:
        """End the process; the next call starts another."""
        with self._starting:
            self._end()
            if self._listener:
                self._listener.close()
                self._listener = None

    def _running(self, service: str) -> socket.socket:
        """Return the socket on which the process listens, which runs now."""
        with self._starting:
            listener = self._listener = self._listener or socket.create_server(("127.0.0.1", 0), backlog=MOST_AT_ONCE)
            if self.process is None or self.process.poll() is not None:
                self._end()
                self.process = _start(service, listener)
            return listener

    def _end(self) -> None:
        """Kill the process, if it runs, and close its pipe."""
        if self.process:
            with self.process:
                self.process.kill()
            self.process = None


def _start(service: str, listener: socket.socket) -> "subprocess.Popen[bytes]":
    """Start the process. It ends when its standard input does, and so together with this one."""
    command = [sys.executable, "-P", "-m", "marketpost.agents.http_server", service, str(listener.fileno())]
    return subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=(listener.fileno(),), process_group=0)


def _ask(listener: socket.socket, body: bytes, headers: Mapping[str, str]) -> ToolResponse:
    host, port = listener.getsockname()
    with closing(http.client.HTTPConnection(host, port, timeout=ANSWER_WITHIN)) as connection:
        connection.request("POST", "/mcp", body, dict(headers))
        response = connection.getresponse()
        return ToolResponse(response.status, dict(response.getheaders()), response.read())
