"""Fetch inbound messages by IMAP: each is stored first and marked as seen after that.

Fault: a poller may be killed in between. It then stores the same bytes again, which the queue recognises by their hash. No UIDs are stored:
the unseen messages are searched for each time, so a server may renumber them (UIDVALIDITY).
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
"""Stores a message: its bytes, the sender (`Return-Path`, empty if unknown) and the recipients."""
PORTS = {"imaps": 993, "imap": 143}
MOST_BYTES = 1_000_000
MOST_ADDRESSES = 50
MOST_AT_ONCE = 200
"""Messages in one round, so that a full mailbox does not delay the stop of the process."""
ANSWER_WITHIN = 30.0
EVERY = 30.0
"""Seconds between two searches, on a server without IDLE."""
IDLE_FOR = 300.0
"""Seconds after which unseen messages are searched for although the server has announced none."""
LISTEN_FOR = 0.5
"""Seconds of one wait for the server, between which the process may stop."""
LONGEST_PAUSE = 300.0
LIVED_WELL = 60.0
"""Seconds after which the end of a connection is followed by a short pause again: some networks cut off whoever is quiet for minutes."""
TOO_BIG = "X-Marketpost-Too-Big"
"""Header of a message whose body was left on the server; its value is the size in bytes."""
TRACES = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
"""Headers in which delivering servers write the recipient."""
ADDRESSED = ("to", "cc")
BODY_FIELDS = ("content-type", "content-transfer-encoding", "content-disposition", "mime-version", TOO_BIG.lower())
FAILURES = (OSError, imaplib.IMAP4.error, ImapToolsError)
T = TypeVar("T")
log = logging.getLogger("marketpost.imap")


LOST = (OSError, imaplib.IMAP4.abort)
"""Exceptions after which the connection is not used again."""


class NotGiven(Exception):
    """Raised if the server does not give a message or does not mark it; it may have been deleted since the search."""


def watch(
    url: str, receive: Receive, stop: threading.Event, most_bytes: int = MOST_BYTES, alive: Callable[[], None] = lambda: None
) -> None:
    """Fetch messages until `stop` is set: when the server announces new mail, or every half minute if it cannot.

    `alive` records that the mailbox could be read.
    """
    server, pause, setbacks = read_url(url), 1.0, Setbacks()
    while not stop.is_set():
        began = time.monotonic()
        try:
            with _opened(server, most_bytes) as box:
                _attend(box, server, receive, stop, most_bytes, setbacks, alive)
        except FAILURES as error:
            log.warning("cannot read mail by IMAP, trying again in %g s: %s", pause, clean(str(error)))
        except Exception:
            log.exception("a mail could not be stored, trying again in %g s", pause)
        stop.wait(pause * jitter(0.5, 1.0))
        pause = 1.0 if time.monotonic() - began > LIVED_WELL else min(LONGEST_PAUSE, pause * 2)


def _attend(
    box: BaseMailBox,
    server: MailServer,
    receive: Receive,
    stop: threading.Event,
    most_bytes: int,
    setbacks: Setbacks,
    alive: Callable[[], None],
) -> None:
    """Fetch and wait in turn, as long as one connection lasts."""
    while not stop.is_set():
        tried = _drain(box, server, receive, most_bytes, setbacks)
        alive()
        if tried >= MOST_AT_ONCE:
            continue
        if "IDLE" not in box.client.capabilities:
            stop.wait(setbacks.pause(EVERY))
            box.client.noop()
        else:
            _wait_for_news(box, stop, setbacks.pause(IDLE_FOR))


def _wait_for_news(box: BaseMailBox, stop: threading.Event, most: float) -> None:
    """Wait in IDLE until the server announces something, `stop` is set, or the time is over.

    An answer before its time is news or the end of the connection, which the next command reports.
    """
    until = time.monotonic() + most
    with box.idle as idle:
        while not stop.is_set() and (asked := time.monotonic()) < until:
            if idle.poll(timeout=LISTEN_FOR) or time.monotonic() - asked < LISTEN_FOR / 2:
                return


def try_mailbox(url: str) -> None:
    """Sign in to a mailbox and open its folder; raises one of `FAILURES` if that cannot be done."""
    with _opened(read_url(url), MOST_BYTES):
        pass


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
    """Limit how much one read may return.

    Fault: a server may announce a literal of any size, and imaplib would hold it in memory.
    """
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
    """Store the unseen messages and mark them; return how many were tried. One that fails is retried later and does not stop the others."""
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
    """Run one step for a message and count its failure against this message; only a lost connection ends the round."""
    try:
        return act()
    except (*FAILURES, NotGiven) as error:
        setbacks.add(uid, clean(str(error)), is_stored=is_stored)
        if isinstance(error, LOST):
            raise
        return None


def _fetch(box: BaseMailBox, uid: str, most_bytes: int) -> bytes:
    """Return a message; of one that is too big its header with a note, so that it can be answered."""
    size = _size(box, uid)
    if size <= most_bytes:
        return _bytes(box, uid, "BODY.PEEK[]")
    return _note(_bytes(box, uid, f"BODY.PEEK[HEADER]<0.{MOST_HEADER}>"), size)


def _size(box: BaseMailBox, uid: str) -> int:
    for item in _answer(box, uid, "RFC822.SIZE"):
        if isinstance(item, bytes) and (found := re.search(rb"RFC822\.SIZE (\d+)", item)):
            return int(found[1])
    raise NotGiven("the server does not send its size")


def _bytes(box: BaseMailBox, uid: str, part: str) -> bytes:
    for item in _answer(box, uid, part):
        if isinstance(item, tuple):
            return bytes(item[1])
    raise NotGiven("the server does not send its text")


def _answer(box: BaseMailBox, uid: str, part: str) -> list[bytes | tuple[bytes, bytes] | None]:
    return _asked(box, "FETCH", uid, f"({part})")


def _asked(box: BaseMailBox, *command: str) -> list[bytes | tuple[bytes, bytes] | None]:
    status, items = box.client.uid(*command)
    if status != "OK":
        raise NotGiven(f"the server answers {status} {items[-1]!r} to {command[0]}")
    return list(items)


def _note(header: bytes, size: int) -> bytes:
    """Return the header of a message that is too big, always the same bytes, and without the fields about its body."""
    kept = [field for name, field in header_fields(header) if name not in BODY_FIELDS]
    return b"".join(field.replace(b"\n", b"\r\n") for field in kept) + f"{TOO_BIG}: {size}\r\n\r\n".encode()


def _done(box: BaseMailBox, server: MailServer, uid: str) -> None:
    """Mark a message as seen, and move it to another folder if one is configured."""
    _asked(box, "STORE", uid, "+FLAGS", r"(\Seen)")
    if folder := server.more.get("move"):
        if not box.folder.exists(folder):
            box.folder.create(folder)
        box.move(uid, folder)


def _envelope(raw: bytes) -> tuple[str, list[str]]:
    """Return sender and recipients: those that the delivering server wrote first, then those of the sender."""
    fields = list(header_fields(raw))
    sender = next((_addresses(field) for name, field in fields if name == "return-path"), [])
    named = [address for wanted in (TRACES, ADDRESSED) for name, field in fields if name in wanted for address in _addresses(field)]
    return (sender[0] if sender else ""), list(dict.fromkeys(named))[:MOST_ADDRESSES]


def _addresses(field: bytes) -> list[str]:
    """Find addresses by a pattern, not by a parser: nested brackets from a stranger could crash a parser and stop the mailbox."""
    value = " ".join(field.partition(b":")[2].decode("utf-8", "replace").split())[:4096]
    return ADDRESS.findall(QUOTED.sub(" ", value))
