"""Fetch inbound messages by IMAP: each is stored first and marked as seen after that.

A poller killed in between stores the same bytes again, which the queue recognises by their hash. No UIDs are kept: the unseen
messages are searched for each time, so a server that renumbers them (UIDVALIDITY) does no harm.
"""

import imaplib
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias, TypeVar

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from marketpost.mail.inbound.header_fields import MOST_HEADER, header_fields
from marketpost.mail.inbound.imap_setbacks import Setbacks, jitter
from marketpost.mail.inbound.read_message import ADDRESS, QUOTED
from marketpost.mail.outbound.attempt import clean
from marketpost.mail.outbound.smtp_server_url import BadUrl, MailServer

Receive: TypeAlias = Callable[[bytes, str, list[str]], None]
"""As for the listener: bytes, sender (`Return-Path`, empty if unknown), recipients."""
PORTS = {"imaps": 993, "imap": 143}
MOST_BYTES = 1_000_000
MOST_ADDRESSES = 50
MOST_AT_ONCE = 200
"""Mails in one round, so that a full mailbox does not keep us from stopping."""
ANSWER_WITHIN = 30.0
EVERY = 30.0
IDLE_FOR = 300.0
"""Seconds after which we look even though the server has told of nothing."""
LISTEN_FOR = 0.5
"""Seconds at a time, so that we stop soon when told to."""
LONGEST_PAUSE = 300.0
TOO_BIG = "X-Marketpost-Too-Big"
"""Put on the header of a mail whose body was left on the server; its value is the size in bytes."""
TRACES = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
ADDRESSED = ("to", "cc")
BODY_FIELDS = ("content-type", "content-transfer-encoding", "content-disposition", "mime-version", TOO_BIG.lower())
FAILURES = (OSError, imaplib.IMAP4.error, ImapToolsError)
T = TypeVar("T")
log = logging.getLogger("marketpost.imap")


LOST = (OSError, imaplib.IMAP4.abort)
"""After one of these the connection is not used again."""


class NotGiven(Exception):
    """Raised when the server does not give a message, or does not mark it. Somebody may also have deleted it since the search."""


def watch(url: str, receive: Receive, stop: threading.Event, most_bytes: int = MOST_BYTES) -> None:
    """Until `stop` is set: at once when the server tells of new mail, or every half minute if it cannot."""
    server, pause, setbacks = read_url(url), 1.0, Setbacks()
    while not stop.is_set():
        began = time.monotonic()
        try:
            with _opened(server, most_bytes) as box:
                _attend(box, server, receive, stop, most_bytes, setbacks)
        except FAILURES as error:
            log.warning("cannot read mail by IMAP, trying again in %g s: %s", pause, clean(str(error)))
        except Exception:
            log.exception("a mail could not be stored, trying again in %g s", pause)
        stop.wait(pause * jitter(0.5, 1.0))
        pause = 1.0 if time.monotonic() - began > LONGEST_PAUSE else min(LONGEST_PAUSE, pause * 2)


def _attend(box: BaseMailBox, server: MailServer, receive: Receive, stop: threading.Event, most_bytes: int, setbacks: Setbacks) -> None:
    """On one connection, for as long as it holds."""
    while not stop.is_set():
        if _drain(box, server, receive, most_bytes, setbacks) >= MOST_AT_ONCE:
            continue
        if "IDLE" not in box.client.capabilities:
            stop.wait(setbacks.pause(EVERY))
            box.client.noop()
        else:
            _wait_for_news(box, stop, setbacks.pause(IDLE_FOR))


def _wait_for_news(box: BaseMailBox, stop: threading.Event, most: float) -> None:
    """An answer before its time is news, or the end of the connection, which the next command will tell."""
    until = time.monotonic() + most
    with box.idle as idle:
        while not stop.is_set() and (asked := time.monotonic()) < until:
            if idle.poll(timeout=LISTEN_FOR) or time.monotonic() - asked < LISTEN_FOR / 2:
                return


def read_url(url: str) -> MailServer:
    """Parse `IMAP_URL`; raises BadUrl if it names no user."""
    server = MailServer.parse(url, PORTS, ("move",))
    if not server.user:
        raise BadUrl("IMAP_URL is imaps://USER:PASSWORD@HOST/INBOX")
    return server


@contextmanager
def _opened(server: MailServer, most_bytes: int) -> Iterator[BaseMailBox]:
    box = _connect(server)
    _limit(box.client, most_bytes)
    try:
        login = box.login if (server.user + server.password).isascii() else box.login_utf8
        login(server.user, server.password, initial_folder=server.path.strip("/") or "INBOX")
        yield box
    finally:
        _leave(box)


def _connect(server: MailServer) -> BaseMailBox:
    if server.scheme == "imaps":
        return MailBox(server.host, server.port, timeout=ANSWER_WITHIN, ssl_context=server.tls())
    if server.starttls == "no":
        return MailBoxUnencrypted(server.host, server.port, timeout=ANSWER_WITHIN)
    return MailBoxStartTls(server.host, server.port, timeout=ANSWER_WITHIN, ssl_context=server.tls())


def _limit(client: imaplib.IMAP4, most_bytes: int) -> None:
    """Read no more at once than we have asked for. Fault: a server may announce a literal of any size, which imaplib keeps in memory."""
    usual = client.read

    def read(size: int) -> bytes:
        if size > most_bytes + MOST_HEADER:
            raise imaplib.IMAP4.abort(f"the server sends {size} bytes at once")
        return usual(size)

    client.read = read  # type: ignore[method-assign]


def _leave(box: BaseMailBox) -> None:
    try:
        box.logout()
    except FAILURES:
        box.client.shutdown()


def _drain(box: BaseMailBox, server: MailServer, receive: Receive, most_bytes: int, setbacks: Setbacks) -> int:
    """Hand over the unseen mails; how many were tried. One that fails is tried later by itself, and the others go on."""
    due = setbacks.due(box.uids("UNSEEN UNDELETED", charset=None))[:MOST_AT_ONCE]
    for uid in due:
        if not setbacks.is_stored(uid):
            raw = _attempt(setbacks, uid, partial(_fetch, box, uid, most_bytes), is_stored=False)
            if raw is None:
                continue
            receive(raw, *_envelope(raw))
        _attempt(setbacks, uid, partial(_done, box, server, uid), is_stored=True)
    return len(due)


def _attempt(setbacks: Setbacks, uid: str, act: Callable[[], T], *, is_stored: bool) -> T | None:
    """Count what fails against this mail alone; only a connection that is lost ends the round."""
    try:
        return act()
    except (*FAILURES, NotGiven) as error:
        setbacks.add(uid, clean(str(error)), is_stored=is_stored)
        if isinstance(error, LOST):
            raise
        return None


def _fetch(box: BaseMailBox, uid: str, most_bytes: int) -> bytes:
    """The mail; or, if it is too big, its header with a note, so that it can be answered."""
    size = _size(box, uid)
    if size <= most_bytes:
        return _bytes(box, uid, "BODY.PEEK[]")
    return _note(_bytes(box, uid, f"BODY.PEEK[HEADER]<0.{MOST_HEADER}>"), size)


def _size(box: BaseMailBox, uid: str) -> int:
    for item in _answer(box, uid, "RFC822.SIZE"):
        if isinstance(item, bytes) and (found := re.search(rb"RFC822\.SIZE (\d+)", item)):
            return int(found[1])
    raise NotGiven("the server does not tell its size")


def _bytes(box: BaseMailBox, uid: str, part: str) -> bytes:
    for item in _answer(box, uid, part):
        if isinstance(item, tuple):
            return bytes(item[1])
    raise NotGiven("the server does not give its text")


def _answer(box: BaseMailBox, uid: str, part: str) -> list[bytes | tuple[bytes, bytes] | None]:
    return _asked(box, "FETCH", uid, f"({part})")


def _asked(box: BaseMailBox, *command: str) -> list[bytes | tuple[bytes, bytes] | None]:
    status, items = box.client.uid(*command)
    if status != "OK":
        raise NotGiven(f"the server answers {status} {items[-1]!r} to {command[0]}")
    return list(items)


def _note(header: bytes, size: int) -> bytes:
    """The same for the same mail each time, and without the fields that tell of a body."""
    kept = [field for name, field in header_fields(header) if name not in BODY_FIELDS]
    return b"".join(field.replace(b"\n", b"\r\n") for field in kept) + f"{TOO_BIG}: {size}\r\n\r\n".encode()


def _done(box: BaseMailBox, server: MailServer, uid: str) -> None:
    _asked(box, "STORE", uid, "+FLAGS", r"(\Seen)")
    if folder := server.more.get("move"):
        if not box.folder.exists(folder):
            box.folder.create(folder)
        box.move(uid, folder)


def _envelope(raw: bytes) -> tuple[str, list[str]]:
    """Sender and recipients. The delivering server's own notes come first; what the sender wrote comes after them."""
    fields = list(header_fields(raw))
    sender = next((_addresses(field) for name, field in fields if name == "return-path"), [])
    named = [address for wanted in (TRACES, ADDRESSED) for name, field in fields if name in wanted for address in _addresses(field)]
    return (sender[0] if sender else ""), list(dict.fromkeys(named))[:MOST_ADDRESSES]


def _addresses(field: bytes) -> list[str]:
    """Looked for and not parsed: a parser follows brackets as deep as a stranger nests them, and one mail would stop all behind it."""
    value = " ".join(field.partition(b":")[2].decode("utf-8", "replace").split())[:4096]
    return ADDRESS.findall(QUOTED.sub(" ", value))
