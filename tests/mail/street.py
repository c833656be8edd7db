"""Mail servers along the street: those that behave, and those that say what they are told to."""

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from marketpost.mail.outbound.attempt import DeliveryOutcome
from marketpost.mail.outbound.smtp import DELIVERED_WITHIN, SmtpTransport
from tests.mail.servers import free_port

MAIL = b"Subject: Your turn\r\n\r\nRed has built.\r\n.a line with a dot\r\n"
ANN = "ann@example.org"


class Answers:
    """A server's mind: what it says to a recipient and to a mail."""

    def __init__(self, rcpt: str = "250 OK", data: str = "250 OK") -> None:
        self.rcpt, self.data = rcpt, data
        self.taken: list[Envelope] = []
        self.sessions: set[Any] = set()

    async def handle_RCPT(self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]) -> str:
        self.sessions.add(session.peer)
        envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        self.taken.append(envelope)
        return self.data


@contextmanager
def serving(answers: Answers, **options: Any) -> Iterator[Controller]:
    controller = Controller(answers, hostname="127.0.0.1", **{"port": free_port(), **options})
    controller.start()
    try:
        yield controller
    finally:
        controller.stop()


@contextmanager
def connected_transport(
    controller: Controller | int, query: str = "", login: str = "", host: str = "127.0.0.1", within: float = DELIVERED_WITHIN
) -> Iterator[SmtpTransport]:
    port = controller if isinstance(controller, int) else controller.port
    transport = SmtpTransport(f"smtp://{login}{host}:{port}{query}", "games.test", within=within)
    try:
        yield transport
    finally:
        transport.close()


def once(answers: Answers, **options: Any) -> DeliveryOutcome:
    with serving(answers, **options) as controller, connected_transport(controller) as transport:
        return transport.deliver("bounce@games.test", ANN, MAIL)


@contextmanager
def script(*lines: bytes, silent: bool = False) -> Iterator[int]:
    """A server that says these lines, one for each thing it hears, and then hangs up, or hangs on."""
    with scripts(lines, silent=silent) as (port, _):
        yield port


@contextmanager
def scripts(*connections: Sequence[bytes], silent: bool = False) -> Iterator[tuple[int, list[bytes]]]:
    """The same for several connections, one after another; and what it heard in all of them."""
    over, heard = threading.Event(), list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for lines in connections:
                connection, _ = server.accept()
                with connection:
                    connection.settimeout(5)
                    for line in lines:
                        connection.sendall(line)
                        heard.append(connection.recv(100_000))
                    if silent:
                        over.wait(10)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], heard
        over.set()
        thread.join()


@contextmanager
def dripping(*lines: bytes, again: bytes = b"x", pause: float = 0.05) -> Iterator[int]:
    """A server that says these lines, or greets, and then never comes to the end of its answer, nor falls silent."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                for line in lines or (b"220 hi\r\n250-",):
                    connection.sendall(line)
                    connection.recv(100_000)
                while True:
                    connection.sendall(again)
                    time.sleep(pause)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join()
