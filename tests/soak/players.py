"""People who play many games at once from outside: most over REST, some by answering their letters."""

import json
import random
import smtplib
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from http.client import HTTPConnection, HTTPException
from queue import Empty, SimpleQueue
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports

THREADS = 6
SEATS = 4
RULES = ("portobello", "alturien")
WAIT = "wait=10"
ANSWERED_WITHIN = 30.0
FAVOURITE = 0.4
"""How often a thread goes on with its oldest game, so that some are played to their end."""


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    token: str
    by_mail: bool = False


@dataclass(slots=True)
class Table:
    """One game, who sits where, and whose turn it was when somebody last looked."""

    id: str
    people: list[Person]
    colours: list[str]
    next: int = 0
    moves: int = 0


@dataclass(slots=True)
class Seen:
    """What happened to the players. Appending to a list is all that threads do with it at once."""

    accepted: list[float] = field(default_factory=list)
    """Seconds from a request to its 202."""
    applied: list[float] = field(default_factory=list)
    """Seconds from a request to the outcome, for those who waited for it."""
    moves: list[tuple[str, str]] = field(default_factory=list)
    """Game and move of everything that was acknowledged."""
    refused: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    """Requests that were sent a second time, because no answer came."""
    over: list[str] = field(default_factory=list)
    mails: list[str] = field(default_factory=list)
    """Orders by mail that the door has taken."""
    answers: list[str] = field(default_factory=list)
    """Letters that answer one of those."""


def person(ports: Ports, name: str, *, by_mail: bool = False) -> Person:
    player = register(ports, f"{name}@example.org", name.capitalize())
    player.confirmed, player.json, player.mail = True, by_mail, "every" if by_mail else "none"
    ports.players.save(player)
    token, _ = new_token(ports, player.id, "soak", ("read", "play"))
    return Person(player.id, token, by_mail)


class Line:
    """A connection that is kept. A request that got no answer is sent again; its key makes it the same one."""

    def __init__(self, url: str, seen: Seen) -> None:
        self.host, self.seen = url.removeprefix("http://"), seen
        self._open()

    def _open(self) -> None:
        self.connection = HTTPConnection(self.host, timeout=40)

    def ask(self, who: Person, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {who.token}", "Content-Type": "application/json"} | headers
        while True:
            try:
                self.connection.request(method, f"/v1/{path}", data, sent)
                answer = self.connection.getresponse()
                return answer.status, json.loads(answer.read() or b"null")
            except (OSError, HTTPException):
                self.seen.again.append(path)
                self.connection.close()
                time.sleep(0.05)
                self._open()


def open_table(line: Line, people: Sequence[Person], rules: str, key: str) -> Table:
    """The first invites the others, and they come."""
    host, *guests = people
    seats = [{"me": True}, *({"player": guest.id} for guest in guests)]
    status, game = line.ask(host, "POST", "games", {"rules": rules, "seats": seats}, **{"Idempotency-Key": key})
    assert status == 201, game
    for guest in guests:
        status, game = line.ask(guest, "POST", f"games/{game['id']}/join", {}, **{"Idempotency-Key": key})
        assert status == 200, game
    return Table(game["id"], list(people), [seat["colour"] for seat in game["seats"]])


def play(line: Line, tables: list[Table], stop: threading.Event, dice: random.Random) -> None:
    """One move here, one there, until it is time to stop. A game that is over leaves the list."""
    while tables and not stop.is_set():
        table = tables[0] if dice.random() < FAVOURITE else dice.choice(tables)
        if _move(line, table, dice) == "over":
            tables.remove(table)
            line.seen.over.append(table.id)
        if all(table.people[table.next].by_mail for table in tables):
            stop.wait(0.05)


def _move(line: Line, table: Table, dice: random.Random) -> str:
    who = table.people[table.next]
    status, legal = line.ask(who, "GET", f"games/{table.id}/legal")
    if status != 200 or not legal["decides"]:
        return "over"
    seat = table.colours.index(dice.choice(legal["decides"]))
    if seat != table.next or who.by_mail:
        table.next = seat
        return "not yet"
    waits = dice.random() < 0.5
    table.moves += 1
    headers = {"Idempotency-Key": f"{table.moves}", "Prefer": WAIT if waits else "respond-async"}
    began = time.perf_counter()
    status, told = line.ask(who, "POST", f"games/{table.id}/moves", {"orders": dice.choice(legal["steps"] or ["end"])}, **headers)
    took = time.perf_counter() - began
    if status not in (200, 202):
        line.seen.refused.append(str(told.get("code", status)))
        return "refused"
    (line.seen.applied if waits and status == 200 else line.seen.accepted).append(took)
    line.seen.moves.append((table.id, told["id"]))
    return "moved"


@contextmanager
def at_the_tables(url: str, tables: Sequence[Table], seen: Seen, seed: int) -> Iterator[None]:
    """Each thread has games of its own."""
    stop = threading.Event()
    with ExitStack() as stack:
        for number in range(THREADS):
            mine = list(tables[number::THREADS])
            thread = threading.Thread(target=play, args=(Line(url, seen), mine, stop, random.Random(seed + number)))
            thread.start()
            stack.callback(thread.join)
        stack.callback(stop.set)
        yield


class Letterbox:
    """Where letters arrive: every mail server the service knows of. Those that ask something are answered by `Correspondents`."""

    def __init__(self) -> None:
        self.letters: SimpleQueue[bytes] = SimpleQueue()
        self.sizes: list[int] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        raw = envelope.original_content or b""
        self.sizes.append(len(raw))
        self.letters.put(raw)
        return "250 OK"


@contextmanager
def letterbox(port: int) -> Iterator[Letterbox]:
    box = Letterbox()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


@dataclass(frozen=True, slots=True)
class _End:
    """How the players by mail come to an end."""

    stop: threading.Event = field(default_factory=threading.Event)
    """From then on nothing is answered."""
    gone: threading.Event = field(default_factory=threading.Event)
    """From then on nothing is read."""
    writing: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def correspondents(box: Letterbox, port: int, seen: Seen, seed: int) -> Iterator[None]:
    """They read what comes in and answer with a legal step; at the end they only read."""
    end = _End()
    thread = threading.Thread(target=_answer_letters, args=(box, port, seen, end, random.Random(seed)))
    thread.start()
    try:
        yield
        end.stop.set()
        with end.writing:  # a mail that was just about to be sent is waited for too
            until = time.monotonic() + ANSWERED_WITHIN
        while len(seen.answers) < len(seen.mails) and time.monotonic() < until:
            time.sleep(0.1)
    finally:
        end.stop.set()
        end.gone.set()
        thread.join()


def _answer_letters(box: Letterbox, port: int, seen: Seen, end: _End, dice: random.Random) -> None:
    while not end.gone.is_set():
        try:
            raw = box.letters.get(timeout=0.2)
        except Empty:
            continue
        letter = message_from_bytes(raw, policy=policy.default)
        if letter["Auto-Submitted"] == "auto-replied":
            seen.answers.append(str(letter["Message-ID"]))
        parts = (part for part in letter.walk() if part.get_content_type() == "application/json")
        asked = next((json.loads(part.get_content()) for part in parts), None)
        with end.writing:
            if asked and asked["game"]["steps"] and not end.stop.is_set():
                _reply(port, str(letter["To"].addresses[0].addr_spec), asked["reply_to"], dice.choice(asked["game"]["steps"]), seen)


def _reply(port: int, address: str, to: str, orders: str, seen: Seen) -> None:
    mail = f"From: {address}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <re-{to}>\r\n\r\n{orders}\r\n"
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as server:
        server.sendmail(address, to, mail)
    seen.mails.append(to)
