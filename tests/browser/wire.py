"""A network that can be cut: a TCP proxy between a browser and the service."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum, auto
from urllib.parse import urlsplit

CHUNK = 65536
LAST = 20
"""Bytes at the end of an answer that do not pass if it is cut there."""
FIRST = 100
"""Bytes of an answer that pass if its headers are cut."""


class Cut(StrEnum):
    """The moment of a request at which its connection is lost."""

    BEFORE_REQUEST = auto()
    BEFORE_ANSWER = auto()
    IN_HEADERS = auto()
    IN_ANSWER = auto()


@dataclass
class Wire:
    """Passes on everything, until it is told to cut a request or all connections."""

    there: tuple[str, int]
    door: socket.socket
    cuts: list[tuple[bytes, Cut]] = field(default_factory=list)
    """What the first line of a request contains, and where that request is cut; each is done once."""
    done: list[Cut] = field(default_factory=list)
    is_down: bool = False
    held: set[socket.socket] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def take_down(self) -> None:
        """Cut all connections, and all that come until `is_down` is false."""
        self.is_down = True
        for each in list(self.held):
            hang_up(each)

    def listen(self) -> None:
        while True:
            try:
                caller = self.door.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        request = b"" if self.is_down else _read_request(caller)
        cut = self._cut_of(request.partition(b"\r\n")[0])
        if not request or cut == Cut.BEFORE_REQUEST:
            hang_up(caller)
            return
        service = socket.create_connection(self.there)
        self.held |= {caller, service}
        service.sendall(request)
        _pass_on(service, caller, cut)
        self.held -= {caller, service}
        hang_up(caller)
        hang_up(service)

    def _cut_of(self, line: bytes) -> Cut | None:
        found = next((each for each in self.cuts if each[0] in line), None)
        if not found:
            return None
        self.cuts.remove(found)
        self.done.append(found[1])
        return found[1]


def _read_request(caller: socket.socket) -> bytes:
    """Read one whole request; the service answers one for each connection."""
    read = b""
    while b"\r\n\r\n" not in read:
        if not (more := caller.recv(CHUNK)):
            return b""
        read += more
    head, _, body = read.partition(b"\r\n\r\n")
    lengths = [line.partition(b":")[2] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    missing = int(lengths[0]) - len(body) if lengths else 0
    while missing > 0 and (more := caller.recv(CHUNK)):
        read, missing = read + more, missing - len(more)
    return read


def _pass_on(service: socket.socket, caller: socket.socket, cut: Cut | None) -> None:
    """Pass on the answer as it comes; one that is to be cut is read to its end first."""
    try:
        read = b""
        while more := service.recv(CHUNK):
            read += more
            if cut is None:
                caller.sendall(more)
        if cut in (Cut.IN_HEADERS, Cut.IN_ANSWER):
            caller.sendall(read[:FIRST] if cut == Cut.IN_HEADERS else read[:-LAST])
    except OSError:
        return  # somebody hung up


def hang_up(connection: socket.socket) -> None:
    with suppress(OSError):  # the other side may have been faster
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def wire_to(site: str) -> Iterator[Wire]:
    there = urlsplit(site)
    with socket.create_server(("127.0.0.1", 0)) as door:
        wire = Wire((str(there.hostname), there.port or 80), door)
        threading.Thread(target=wire.listen, daemon=True).start()
        yield wire
        wire.take_down()
        door.shutdown(socket.SHUT_RDWR)
