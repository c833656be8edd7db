"""Receivers that mean us no good, on real sockets of this machine."""

import contextlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
Answer: TypeAlias = "Callable[[socket.socket, threading.Event], None]"
"""What is done with a connection once the request has been read, until it is over or the receiver closes."""


@dataclass
class Receiver:
    port: int
    answer: Answer
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    """Headers and body of each."""
    connections: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.requests]

    def kinds(self) -> list[str]:
        return [each["event"] for each in self.events]

    def serve(self, listener: socket.socket, tls: ssl.SSLContext | None) -> None:
        while not self.over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._meet, args=(connection, tls), daemon=True).start()

    def _meet(self, plain: socket.socket, tls: ssl.SSLContext | None) -> None:
        with contextlib.suppress(OSError), plain, tls.wrap_socket(plain, server_side=True) if tls else plain as connection:
            connection.settimeout(20)
            self.requests.append(_read(connection))
            self.answer(connection, self.over)


def _read(connection: socket.socket) -> tuple[dict[str, str], bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(4096) or _gone()
    head, _, body = data.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    while len(body) < int(headers["Content-Length"]):
        body += connection.recv(4096) or _gone()
    return headers, body


def _gone() -> bytes:
    raise ConnectionResetError


@contextmanager
def receiver(answer: Answer, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = Receiver(listener.getsockname()[1], answer)
        thread = threading.Thread(target=found.serve, args=(listener, tls), daemon=True)
        thread.start()
        try:
            yield found
        finally:
            found.over.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def says(answer: bytes) -> Answer:
    return lambda connection, over: connection.sendall(answer)


def status(code: int, *headers: str) -> Answer:
    return says("\r\n".join((f"HTTP/1.1 {code} Told", *headers, "Content-Length: 0", "", "")).encode())


def never_answers(connection: socket.socket, over: threading.Event) -> None:
    over.wait(30)


def drips(connection: socket.socket, over: threading.Event) -> None:
    """A byte now and then, so that no timeout between two bytes is ever reached."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"z" * 10_000:
        connection.sendall(bytes([byte]))
        if over.wait(0.1):
            return


def drips_its_body(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while not over.wait(0.1):
        connection.sendall(b"z")


def pours(head: bytes, chunk: bytes) -> Answer:
    """Without an end."""

    def pour(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(head)
        while not over.is_set():
            connection.sendall(chunk)

    return pour


def resets(connection: socket.socket, over: threading.Event) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def hangs_up(connection: socket.socket, over: threading.Event) -> None:
    return


HOSTILE: dict[str, Answer] = {
    "never answers": never_answers,
    "drips": drips,
    "drips its body": drips_its_body,
    "500": status(500),
    "redirects to itself": status(302, "Location: http://127.0.0.1/"),
    "redirects to the metadata": status(307, "Location: http://169.254.169.254/latest/meta-data/"),
    "a huge answer": pours(b"HTTP/1.1 500 No\r\nContent-Length: 99999999999\r\n\r\n", b"z" * 65536),
    "chunks without end": pours(b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n", b"10\r\n" + b"z" * 16 + b"\r\n"),
    "headers without end": pours(b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n"),
    "one header without end": pours(b"HTTP/1.1 200 OK\r\nX-More: ", b"z" * 4096),
    "continues without end": pours(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "no HTTP": says(b"220 mail.example.org ESMTP\r\n"),
    "garbage": says(b"\x00\xff" * 500),
    "a status of its own": says(b"HTTP/1.1 20x Fine\r\n\r\n"),
    "resets": resets,
    "hangs up": hangs_up,
}
