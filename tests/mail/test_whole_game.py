"""Whole games in which people only answer mails: through real mail servers, and through the mailbox of this machine."""

import os
import random
import re
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from imaplib import IMAP4
from pathlib import Path

import pytest

from marketpost.mail.outbound.transport import LocalMailboxTransport
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules import records
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.replay import replay
from marketpost.store.connections import connect
from marketpost.store.delivery_queue import DeliveryQueue
from marketpost.store.local_mailbox import LocalMailbox, MailboxMessage
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from tests.mail.corpus import pack
from tests.mail.desk import Desk, open_desk, two_redis
from tests.mail.programs import PROGRAMS
from tests.mail.programs.answer import Answer
from tests.mail.servers import GAMES, PASSWORD, Listener, eventually, free_port, stopping
from tests.mail.town import PLAYERS, Town, town
from workers.queue import WorkQueue, make_ports

MARKETPOST = Path(sys.executable).with_name("marketpost")
FIRST_DRAW_FROM = 4
"""Turns after which a draw is looked at before it is used."""


@dataclass
class Correspondent:
    """Somebody with a mail program: fetches by IMAP, answers by SMTP, always quoting what is answered."""

    town: Town
    player: Player
    program: str
    kind: str
    greeting: str
    closing: tuple[str, ...]
    signature: tuple[str, ...]
    letters: list[MailboxMessage] = field(default_factory=list)
    """Those that have been fetched, in the order of their arrival."""
    looked_at: list[MailboxMessage] = field(default_factory=list)
    sent: int = 0

    @cached_property
    def box(self) -> IMAP4:
        """The mailbox, opened once: a login costs Dovecot a process."""
        client = IMAP4("127.0.0.1", self.town.imap_port, timeout=60)
        client.login(self.player.email, PASSWORD)
        client.select("INBOX")
        return client

    def fetch(self) -> None:
        """What is new in the mailbox; a fetched mail is deleted there, as some programs do."""
        self.box.noop()
        for number in self.box.search(None, "ALL")[1][0].split():
            raw = self.box.fetch(number.decode(), "(BODY[])")[1][0][1]
            assert isinstance(raw, bytes)
            self.letters.append(MailboxMessage(raw))
            self.box.store(number.decode(), "+FLAGS", r"(\Deleted)")
        self.box.expunge()

    def of_kind(self, kind: str) -> list[MailboxMessage]:
        """`invited`, `turn`, `over` or `answer`: the id of a letter tells what it is about."""
        return [mail for mail in self.letters if f".{kind}-" in mail.header("Message-ID") or f"-{kind}-" in mail.header("Message-ID")]

    def next_letter(self, kind: str) -> MailboxMessage:
        """The first of its kind that has not been looked at."""

        def look() -> MailboxMessage | None:
            self.fetch()
            return next((mail for mail in self.of_kind(kind) if mail not in self.looked_at), None)

        found = eventually(look)
        assert isinstance(found, MailboxMessage)
        self.looked_at.append(found)
        return found

    def answer(self, letter: MailboxMessage, *orders: str) -> MailboxMessage:
        """Write above the quote, send it, and wait for the answer to come."""
        self.sent += 1
        raw = self.write(letter, orders)
        with smtplib.SMTP("127.0.0.1", self.town.smtp_port, "laptop.test", timeout=60) as client:
            client.sendmail(self.player.email, [letter.reply_to], raw)
        return self.next_letter("answer")

    def write(self, letter: MailboxMessage, orders: tuple[str, ...]) -> bytes:
        subject, text, inner = letter.header("Subject"), letter.text.replace("\r\n", "\n"), letter.html
        lines = (self.greeting, "", *orders, "", *self.closing)
        now, name = datetime(2026, 3, 9, 18), "Marketpost"
        language, me, own = self.player.language, self.player.name, self.player.email
        answer = Answer(language, lines, now, name, letter.reply_to, me, own, subject, text, inner, text, self.signature)
        raw = pack(answer, PROGRAMS[self.program](answer), self.kind, "quoted-printable")
        return re.sub(rb"(?m)^Message-ID: .*", f"Message-ID: <{self.sent}.{self.player.id}@{PLAYERS}>".encode(), raw, count=1)


@dataclass(frozen=True, slots=True)
class World:
    town: Town
    ports: Ports
    post: DeliveryQueue


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Postfix, Dovecot, and between them the whole service, started as an operator does."""
    with town(_service) as place:
        settings = Settings.read(_environment(place.folder, place.smtp_port, place.listener.port))
        ports = make_ports(settings, WorkQueue(connect(settings.queue_redis_url)))
        yield World(place, ports, DeliveryQueue(ports.games.redis))


def _environment(folder: Path, smtp_port: int, door: int) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "QUEUE_REDIS_URL")},
        "DATA_DIR": str(folder / "data"),
        "SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
        "MAIL_LISTEN": f"lmtp://127.0.0.1:{door}",
        "MAIL_DOMAIN": GAMES,
        "LIMITS": "analysis-service=0",
    }


@contextmanager
def _service(folder: Path, smtp_port: int) -> Iterator[Listener]:
    said, door = folder / "said.txt", free_port()
    environment = _environment(folder, smtp_port, door)
    with open(said, "wb") as file:
        process = subprocess.Popen([MARKETPOST, "up", "--port", "0"], env=environment, stdout=file, stderr=file, process_group=0)
    with stopping(process):
        eventually(lambda: "is running at" in said.read_text() or process.poll() is not None, 120)
        assert process.poll() is None, said.read_text()
        yield Listener(process, door, folder)


def good_orders(game: Game, chance: random.Random) -> str:
    """As a sound player would decide, in English."""
    return bot(game.rules, "greedy")(game.state.copy(), game.deciders[0], Sealed(chance.randbytes(32), "test"))


def in_words(game: Game, orders: str, language: str) -> tuple[str, ...]:
    return tuple(game.rules.notate(game.rules.parse(orders), game.rules.in_language(language)).split("\n"))


def now(world: World, id: str) -> Game:
    game = world.ports.game(id)
    assert game
    return game


def test_a_german_and_a_french_player_play_a_whole_game_by_answering_mails(world: World) -> None:
    ports, town = world.ports, world.town
    anna = register(ports, f"ann@{PLAYERS}", "Anna Bauer", "de", "Europe/Berlin")
    benoit = register(ports, f"bob@{PLAYERS}", "Benoît Dupré", "fr", "Europe/Paris")
    writing = {
        0: Correspondent(town, anna, "thunderbird", "text", "Hallo zusammen,", ("Viele Grüße", "Anna"), ("Anna Bauer", "Tel. 0221-3-4-5")),
        1: Correspondent(town, benoit, "outlook_web", "html", "Bonjour à tous,", ("Cordialement,", "Benoît"), ()),
    }
    open_game(ports, "whole", anna.id, "portobello", [SeatPlan(player=anna.id), SeatPlan(invited=benoit.id)], {})
    invitation = writing[1].next_letter("invited")
    assert "Anna Bauer vous invite" in invitation.text

    taken = writing[1].answer(invitation, "oui")

    chance, looked, corrected = random.Random(4), False, False
    mover, answered = now(world, "whole").deciders[0], taken
    assert mover == 1, "the yes begins the game, and its answer is the letter of the first turn"
    while (game := now(world, "whole")).status == "running":
        seat = game.deciders[0]
        one = writing[seat]
        if seat != mover:
            answered, mover = one.next_letter("turn"), seat
        orders = good_orders(game, chance)
        if seat == 1 and not corrected and game.state.turn > 2:
            refused = one.answer(answered, *in_words(game, orders, "fr"), "et puis peut-être étal A-Z")
            assert "et puis peut-être étal A-Z" in refused.text
            assert now(world, "whole").version == game.version
            answered, corrected = refused, True
        if seat == 0 and not looked and game.state.turn > FIRST_DRAW_FROM and "customer" in orders:
            answered = look_at_the_draw_first(world, one, answered, orders)
            looked = True
            continue
        answered = one.answer(answered, *in_words(game, orders, one.player.language))
        assert now(world, "whole").version > game.version, answered.text

    assert looked
    assert corrected
    for seat, one in writing.items():
        last = answered if seat == mover else one.next_letter("over")
        (attached,) = last.attachments
        replayed = replay(records.read(attached.content.decode()))
        assert replayed.state == game.state
        assert len(one.of_kind("answer")) == one.sent
        assert {mail.status for mail in world.post.of(one.player.id, None, 1000)} <= {"sent", "superseded"}
        assert len({mail.header("Message-ID") for mail in one.letters}) == len(one.letters)
        one.box.logout()
    assert not verify("whole", ports.games.read("whole")).faults


def look_at_the_draw_first(world: World, anna: Correspondent, letter: MailboxMessage, orders: str) -> MailboxMessage:
    """`Kunde` alone shows who comes; then `setze` puts them where they may go."""
    game = now(world, "whole")
    before, _, _ = orders.partition("customer")
    drawn = anna.answer(letter, *in_words(game, f"{before}customer", "de"))
    game = now(world, "whole")
    places = [order for order in game.rules.legal(game.state, 0) if order.startswith("place")]
    assert places, drawn.text
    assert "setze" in drawn.text

    placed = anna.answer(drawn, *in_words(game, places[0], "de"))

    assert now(world, "whole").version == game.version + 1, placed.text
    return placed


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Letters go to the mailbox of this machine."""
    with two_redis() as settings:
        yield open_desk(settings, LocalMailboxTransport(LocalMailbox(connect(settings.redis_url))))


def at_the_terminal(desk: Desk, *arguments: str, given: str = "") -> str:
    environment = {**os.environ, "DATA_DIR": str(desk.mailer.settings.data), "MAIL_DOMAIN": GAMES, "SECRET_KEY": "only for tests"}
    command = [str(MARKETPOST), "mailbox", *arguments]
    done = subprocess.run(command, env=environment, input=given, capture_output=True, text=True, timeout=60, check=True)
    desk.work()
    return done.stdout


def test_the_mailbox_of_this_machine_is_enough_to_begin_a_game(desk: Desk) -> None:
    ann, ben = desk.person("Ann", "en"), desk.person("Ben", "fr")
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    assert "Ann vous invite" in at_the_terminal(desk, ben.email, "1")
    at_the_terminal(desk, ben.email, "1", "--reply", given="Oui !\n\nBen\n")
    assert desk.game().status == "running"
    assert "À vous de jouer" in at_the_terminal(desk, ben.email)
    at_the_terminal(desk, ben.email, str(last_number(desk, ben)), "--reply", given="Bobby 5\n")
    orders = desk.good_orders()
    at_the_terminal(desk, ann.email, str(last_number(desk, ann)), "--reply", given=f"Hello,\n\n{orders}\n\nCheers, Ann\n")

    assert desk.to_play() == ben
    assert orders in at_the_terminal(desk, ann.email, str(last_number(desk, ann)))


def last_number(desk: Desk, player: Player) -> int:
    return LocalMailbox(desk.mailer.ports.games.redis).list(player.email)[-1].number
