"""A door before the service that can lose answers, as networks do: the request gets in, the answer does not get out."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Door(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passage)
        self.target = (urlsplit(target).hostname, urlsplit(target).port)
        self.lost = 0
        """So many answers will be lost from now on."""
        self.deaf = range(0)
        """The requests, counted from 0, whose answers will be lost."""
        self.cut_after = 0
        """Each answer breaks off after so many bytes, if this is not 0."""
        self.requests: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Passage(socketserver.BaseRequestHandler):
    server: Door

    def handle(self) -> None:
        request = _whole_request(self.request)
        self.server.requests.append(request)
        with socket.create_connection(self.server.target) as inside:
            inside.sendall(request)
            lost = self.server.lost > 0 or len(self.server.requests) - 1 in self.server.deaf
            self.server.lost -= self.server.lost > 0
            left = self.server.cut_after or 1 << 40
            while left > 0 and (data := inside.recv(min(left, 65536))):
                left -= len(data)
                if not lost:
                    self.request.sendall(data)


def _whole_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    sizes = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while sizes and len(body) < sizes[0]:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def door(target: str) -> Iterator[Door]:
    with Door(target) as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield found
        finally:
            found.shutdown()
            thread.join()
