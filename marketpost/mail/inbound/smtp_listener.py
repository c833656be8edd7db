"""A small SMTP or LMTP server for inbound messages, meant to stand behind a real one. It accepts only our addresses.

A message is stored before its sender gets 250. If it cannot be stored, the sender gets 451 and keeps it.
"""

import asyncio
import contextlib
import logging
import re
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from marketpost.mail.inbound.authentication import SmtpClient
from marketpost.store.connections import StoreFault

Receive: TypeAlias = Callable[[bytes, SmtpClient, list[str]], None]
"""Stores a message durably: its bytes, the SMTP client and the recipients. Raises MessageRefused if it is not wanted."""
Accepts: TypeAlias = Callable[[str], bool]
"""Whether a message to this address may be for us. Called for every recipient, so it must be cheap."""
Alive: TypeAlias = Callable[[], None]
"""Records that the server runs."""
Result = TypeVar("Result")

MOST_BYTES = 1_000_000
MOST_RECIPIENTS = 100
MOST_UNKNOWN = 20
"""Unknown recipients in one session, after which it is closed."""
MOST_CONNECTIONS = 100
LONGEST_LINE = 16_384
"""Bytes of a line: more than the standard allows, for programs that write HTML in one line."""
COMMANDS = {"MAIL": 100, "RCPT": 1000, "DATA": 100, "RSET": 200, "*": 25}
"""How often each command may be given in a session."""
COMMAND_WITHIN = 120.0
"""Seconds for the next command, and for a whole message."""
SESSION_WITHIN = 900.0
"""Seconds for a whole session."""
STORE_WITHIN = 60.0
"""Seconds to store a message."""
ALIVE_EVERY = 20.0
STOP_WITHIN = 0.5
"""Seconds that messages have to be stored when the process stops."""
BARE = re.compile(rb"(?<!\r)\n|\r(?!\n)")
"""A line end that is not CR LF, by which another message could be smuggled in."""
log = logging.getLogger("marketpost.listener")


class MessageRefused(Exception):
    """Raised for a message that is not accepted; its text is the SMTP reply."""


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where the server listens, and the name with which it greets."""

    host: str
    port: int
    lmtp: bool = False
    name: str = "localhost"

    @classmethod
    def parse(cls, text: str, name: str = "localhost") -> "ListenAddress":
        """Parse `127.0.0.1:2525`, `smtp://[::1]:2525` or `lmtp://127.0.0.1:2424`."""
        parts = urlsplit(text if "://" in text else f"smtp://{text}")
        if parts.scheme not in {"smtp", "lmtp"} or not parts.hostname or not parts.port:
            raise ValueError(f"{text!r} is no address to listen at")
        return cls(parts.hostname, parts.port, parts.scheme == "lmtp", name)


def run(listen: ListenAddress, receive: Receive, accepts: Accepts, alive: Alive = lambda: None) -> None:
    """Serve until SIGTERM or SIGINT, in the main thread of a process of its own."""
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # it writes addresses, which carry tokens
    asyncio.run(_run(listen, receive, accepts, alive))


async def _run(listen: ListenAddress, receive: Receive, accepts: Accepts, alive: Alive) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve(listen, receive, accepts, stop, alive)


async def serve(listen: ListenAddress, receive: Receive, accepts: Accepts, stop: asyncio.Event, alive: Alive = lambda: None) -> None:
    """Listen until `stop` is set; messages that are being stored then have a moment to be answered."""
    door = _Handler(listen, receive, accepts)
    server = await asyncio.get_running_loop().create_server(door.open, listen.host, listen.port)
    while not stop.is_set():
        await asyncio.to_thread(alive)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), ALIVE_EVERY)
    server.close()
    until = asyncio.get_running_loop().time() + STOP_WITHIN
    while door.storing and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(0.01)
    for session in list(door.sessions):
        session.cut()
    await asyncio.sleep(0)


class _Handler:
    """Decides for a session: whether the sender and the recipients are accepted, and whether the message is stored."""

    def __init__(self, listen: ListenAddress, receive: Receive, accepts: Accepts) -> None:
        self.listen, self.receive, self.accepts = listen, receive, accepts
        self.sessions: dict[_Session, None] = {}
        """The oldest first."""
        self.storing = 0

    def open(self) -> asyncio.Protocol:
        """Begin a session for a new connection, or refuse it."""
        if len(self.sessions) >= MOST_CONNECTIONS and not self._make_room():
            return _TooManyConnections()
        return (_LmtpSession if self.listen.lmtp else _Session)(self)

    def _make_room(self) -> bool:
        """Close an idle connection to accept a new one. Whether there was one.

        Fault: clients that connect and send nothing could occupy all connections; the oldest idle one is closed for a new client.
        """
        idle = next((session for session in self.sessions if session.is_idle), None)
        if idle:
            del self.sessions[idle]
            idle.cut()
        return idle is not None

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        """Accept the sender."""
        if not address.isprintable():
            return "553 5.1.7 malformed address"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(self, server: "_Session", session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        """Accept a recipient that is ours."""
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        try:
            known = address.isprintable() and await _aside(lambda: self.accepts(address))
        except StoreFault as error:
            log.warning("cannot look up a recipient: %s", error)
            return "451 4.3.0 try again later"
        except Exception:
            log.exception("cannot look up a recipient")
            return "451 4.3.0 try again later"
        if not known:
            server.unknown += 1
            return "550 5.1.1 no such address here" if server.unknown < MOST_UNKNOWN else "421 4.7.0 too many unknown recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Store the message, and only then answer 250."""
        raw = envelope.original_content or b""
        if BARE.search(raw):
            return "550 5.6.0 bare CR or LF: lines end in CR LF"
        client = _client(session, envelope)
        recipients = list(dict.fromkeys(envelope.rcpt_tos))
        self.storing += 1
        try:
            async with asyncio.timeout(STORE_WITHIN):
                await _aside(lambda: self.receive(raw, client, recipients))
        except MessageRefused as refused:
            return str(refused)
        except StoreFault as error:
            log.warning("cannot store a mail: %s", error)
            return "451 4.3.0 cannot store the mail now"
        except Exception:
            log.exception("cannot store a mail")
            return "451 4.3.0 cannot store the mail now"
        finally:
            self.storing -= 1
        return "250 2.0.0 stored"

    async def handle_exception(self, error: Exception) -> str:
        """Answer input that the server cannot parse."""
        log.warning("an SMTP session sent input that cannot be parsed: %s", type(error).__name__)
        return "500 5.5.2 bad syntax"


def _client(session: Session, envelope: Envelope) -> SmtpClient:
    """Return who hands a message over; a bounce has an empty sender."""
    sender = "" if envelope.mail_from in {None, "<>"} else str(envelope.mail_from)
    address = session.peer[0] if isinstance(session.peer, tuple) else ""
    return SmtpClient(address, session.host_name or "", sender)


async def _aside(call: Callable[[], Result]) -> Result:
    """Run a blocking call in a daemon thread: a store that hangs does not keep the process from stopping."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(settled: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            settled(value)

    def work() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody wants to know any more
            try:
                result = call()
            except Exception as error:
                loop.call_soon_threadsafe(settle, done.set_exception, error)
            else:
                loop.call_soon_threadsafe(settle, done.set_result, result)

    threading.Thread(target=work, daemon=True).start()
    return await done


class _TooManyConnections(asyncio.Protocol):
    """Refuses a connection with 421."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the reply and close the connection."""
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(b"421 4.3.2 too many connections\r\n")
        transport.close()


class _Session(SMTP):
    """One SMTP session, with limits on its length and its errors."""

    line_length_limit = LONGEST_LINE
    local_part_limit = 64

    def __init__(self, door: _Handler) -> None:
        listen = door.listen
        super().__init__(
            door,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            hostname=listen.name,
            ident="Marketpost",
            timeout=COMMAND_WITHIN,
            command_call_limit=COMMANDS,
        )
        self.door = door
        self.unknown = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the session and start its time limit."""
        super().connection_made(transport)
        self.door.sessions[self] = None
        self.last_call = self.loop.call_later(SESSION_WITHIN, self.cut)
        if self._handler_coroutine:
            self._handler_coroutine.add_done_callback(_forget)

    def connection_lost(self, error: Exception | None) -> None:
        """Unregister the session."""
        self.door.sessions.pop(self, None)
        self.last_call.cancel()
        super().connection_lost(error)

    @property
    def is_idle(self) -> bool:
        """Whether no message has been begun in this session."""
        return self.envelope is None or self.envelope.mail_from is None

    def cut(self) -> None:
        """Close the connection at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def push(self, status: Any) -> None:
        """Send a reply; close the connection after a 421."""
        await super().push(status)
        if status[:3] in {"421", b"421"} and self.transport:
            self.transport.close()


def _forget(task: "asyncio.Task[None]") -> None:
    """Discard the exception of a session whose client has gone away."""
    if not task.cancelled():
        task.exception()


class _LmtpSession(_Session):
    """One LMTP session: another greeting, and one reply for each recipient of a message."""

    show_smtp_greeting = False
    answers = 1

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:
        """Greet."""
        await super().smtp_EHLO(arg)

    async def smtp_HELO(self, arg: str) -> None:
        """Refuse the greeting of SMTP."""
        await self.push("500 5.5.1 this is LMTP: say LHLO")

    async def smtp_EHLO(self, arg: str) -> None:
        """Refuse the greeting of SMTP."""
        await self.smtp_HELO(arg)

    async def smtp_DATA(self, arg: str) -> None:
        """Receive a message."""
        try:
            await super().smtp_DATA(arg)
        finally:
            self.answers = 1

    async def push(self, status: Any) -> None:
        """Send a reply, after a message once for each recipient."""
        for _ in range(self.answers):
            await super().push(status)
        if status[:3] == "354" and self.envelope:
            self.answers = len(self.envelope.rcpt_tos)
