"""People who play while things break: over REST, each move with a key of its own, and by mail. They repeat what was not acknowledged."""

import hashlib
import json
import random
import smtplib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from tests.chaos.mailbox import Mailbox
from tests.chaos.post import Letter, Sink
from tests.running.live import Live

CHAOS = "chaos@example.org"
PLAYERS = 5
CORRESPONDENTS = 5
BY_MAILBOX = 2
ADDRESSES = 12
"""For each who plays by mail: one for each game."""
GAME = {"rules": "portobello", "seats": [{"me": True}, {"me": True}]}
GAME_BY_MAIL = {"rules": "portobello", "seats": [{"bot": "greedy"}, {"me": True}]}
MAILS_A_GAME = 30
PATIENCE = 15.0
"""Seconds after which whoever heard nothing answers the last letter again."""
NO_SUCH_GAME = 404
UNREACHED = (URLError, OSError, ValueError, HTTPException)


@dataclass(slots=True)
class Tally:
    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    """Game and move."""
    repeated: int = 0
    mails: list[str] = field(default_factory=list)
    """Mails that got their 250, by the names that the service gives them."""
    letters_of: dict[str, "Correspondence"] = field(default_factory=dict)
    """For each game by mail."""
    at_risk: set[str] = field(default_factory=set)
    """Moves and mails acknowledged after the moment from which the file of the games was cut."""

    def mark(self) -> tuple[int, int]:
        return len(self.acknowledged), len(self.mails)

    def risk(self, since: tuple[int, int]) -> None:
        self.at_risk |= {move for _, move in self.acknowledged[since[0] :]} | set(self.mails[since[1] :])


@dataclass(slots=True)
class Correspondence:
    """One game by mail: whose it is, and how many different mails were handed over, acknowledged or not."""

    email: str
    player: str
    token: str = field(repr=False)
    tried: int = 0


def call(url: str, token: str, body: Any = None, **headers: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    with urlopen(Request(url, data, sent), timeout=10) as answer:
        return json.load(answer)


def insist(tally: Tally, stop: threading.Event, url: str, token: str, body: Any, key: str, wait: int = 0) -> Any:
    """Until there is an answer; the key makes it the same request each time."""
    while not stop.is_set():
        try:
            return call(url, token, body, **{"Idempotency-Key": key, "Prefer": f"wait={wait}" if wait else "respond-async"})
        except HTTPError as problem:
            if problem.code < 500:
                return json.load(problem)
        except UNREACHED:
            pass
        tally.repeated += 1
        time.sleep(0.1)
    return None


def legal(url: str, game: str, token: str, stop: threading.Event) -> list[str] | None:
    """What this player may do now; nothing if the game is not there, as after a cut."""
    while not stop.is_set():
        try:
            return list(call(f"{url}/v1/games/{game}/legal", token)["steps"])
        except HTTPError as problem:
            if problem.code == NO_SUCH_GAME:
                return None
        except UNREACHED:
            pass
        time.sleep(0.1)
    return None


def play(url: str, token: str, tally: Tally, stop: threading.Event, seed: int) -> None:
    """One player at both seats of one game after the other, with any legal step."""
    dice = random.Random(seed)
    number = 0
    while not stop.is_set():
        opened = insist(tally, stop, f"{url}/v1/games", token, GAME, f"{seed}-{number}-open")
        number += 1
        if opened:
            _play_game(url, token, tally, stop, dice, opened["id"], f"{seed}-{number}")


def _play_game(url: str, token: str, tally: Tally, stop: threading.Event, dice: random.Random, game: str, name: str) -> None:
    for number in range(60):
        steps = legal(url, game, token, stop)
        if steps is None:
            return
        orders = dice.choice(steps) if steps else "end"
        accepted = insist(tally, stop, f"{url}/v1/games/{game}/moves", token, {"orders": orders}, f"{name}-{number}", dice.choice([0, 5]))
        if accepted and "id" in accepted:
            tally.acknowledged.append((game, accepted["id"]))


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Plays by mail alone, one game after the other; only what is legal is asked over REST."""

    url: str
    sink: Sink
    door: int
    """The port of the service's own listener."""
    tally: Tally
    stop: threading.Event
    dice: random.Random
    mailbox: Mailbox | None = None
    """Where the mails go instead, if the service is to fetch them."""

    def play(self, addresses: Sequence[Correspondence]) -> None:
        for mine in addresses:
            opened = insist(self.tally, self.stop, f"{self.url}/v1/games", mine.token, GAME_BY_MAIL, mine.email)
            if self.stop.is_set():
                return
            self.tally.letters_of[opened["id"]] = mine
            self._answer_letters(opened["id"], mine)

    def _answer_letters(self, game: str, mine: Correspondence) -> None:
        seen = 0
        while mine.tried < MAILS_A_GAME and not self.stop.is_set():
            letters = self.sink.wait(mine.email, seen, PATIENCE, self.stop)
            seen = len(letters)
            steps = legal(self.url, game, mine.token, self.stop)
            if steps is None:
                return
            if letters and steps:
                mine.tried += 1
                self._insist(self._reply(letters[-1], mine, self.dice.choice(steps)), letters[-1].reply_to, mine.email)

    def _reply(self, letter: Letter, mine: Correspondence, orders: str) -> bytes:
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"], mail["Subject"] = mine.email, letter.reply_to, "Re: our game"
        mail["Message-ID"] = f"<{mine.tried}.{mine.email}>"
        mail["In-Reply-To"] = letter.message_id
        mail.set_content(f"{orders}\n")
        return mail.as_bytes()

    def _insist(self, raw: bytes, to: str, sender: str) -> None:
        """Until the listener says 250, as a mail server does; or into the mailbox, from where the service fetches it."""
        name = hashlib.sha256(raw + b"\n" + to.casefold().encode()).hexdigest()[:32]
        if self.mailbox:
            self.mailbox.put(raw, name)
            self.tally.mails.append(name)
            return
        while not self.stop.is_set():
            try:
                with smtplib.SMTP("127.0.0.1", self.door, timeout=10) as client:
                    client.sendmail(sender, [to], raw)
            except smtplib.SMTPRecipientsRefused:
                return  # the letter it answers was cut away; it will come again
            except (OSError, smtplib.SMTPException):
                time.sleep(0.2)
            else:
                self.tally.mails.append(name)
                return


@contextmanager
def players(
    service: Live, tally: Tally, seed: int, sink: Sink | None = None, door: int = 0, mailbox: Mailbox | None = None
) -> Iterator[None]:
    """Over REST, and by mail too where there is a sink for the letters and a door for the answers; some use the mailbox, if any."""
    ports = service.ports()
    someone = register(ports, CHAOS, "Chaos")
    someone.mail = "none"
    ports.players.save(someone)
    token, _ = new_token(ports, someone.id, "chaos", ("read", "play"))
    stop = threading.Event()
    acts: list[Callable[[], None]] = [partial(play, service.url, token, tally, stop, seed + number) for number in range(PLAYERS)]
    for number in range(CORRESPONDENTS if sink else 0):
        assert sink is not None
        addresses = [_address(ports, f"mail-{number}-{each}@example.org") for each in range(ADDRESSES)]
        place = mailbox if number < BY_MAILBOX else None
        writer = Correspondent(service.url, sink, door, tally, stop, random.Random(seed - 1 - number), place)
        acts.append(partial(writer.play, addresses))
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _address(ports: Ports, email: str) -> Correspondence:
    player = register(ports, email, "Ann").id
    return Correspondence(email, player, new_token(ports, player, "chaos", ("read", "play"))[0])
