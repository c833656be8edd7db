"""A post office for tests: real Redis, a clock that can be moved, a street that does as it is told, and nobody else at work."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.mail.outbound.transport import MailTransport
from marketpost.notify.assembly import Notifier
from marketpost.notify.channels import channels
from marketpost.notify.competition_letters import tell_of_competition
from marketpost.notify.engine import send_letters
from marketpost.play.compete.advance import advance
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.moves.decide import DecideCallbacks
from marketpost.play.moves.submit import submit
from marketpost.play.people.registration import register
from marketpost.play.table.searching import find_tables
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.competition_logs import CompetitionLogs
from marketpost.store.connections import connect
from marketpost.store.delivery_queue import EMAIL
from marketpost.store.delivery_queue import Delivery as Waiting
from marketpost.store.leases import LEASED
from marketpost.store.local_mailbox import MailboxMessage, write_reply
from marketpost.store.players import Player
from marketpost.store.searches import Searches
from marketpost.store.settings import Settings
from marketpost.store.steady_clock import SteadyTime
from tests.games import decide, never_tried
from tests.redis import both_redis
from workers.notifier import make_callbacks, make_mailer, make_notifier
from workers.queue import WorkQueue, make_ports

DOMAIN = "games.test"
MONDAY = 1_772_445_600_000
"""2 March 2026, 10:00 in Europe/London."""
ROUNDS = 1000


class Clock:
    """Goes on a millisecond each time somebody looks at it, and further when it is told to."""

    def __init__(self, now: int = MONDAY) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1
        return self.now

    def forward(self, **much: float) -> None:
        self.now += int(timedelta(**much).total_seconds() * 1000)


@dataclass(frozen=True, slots=True)
class Brought:
    sender: str
    recipient: str
    mail: MailboxMessage
    at: int


@dataclass
class Street:
    """Brings every mail, unless told otherwise, and remembers who got what."""

    stores_mail: ClassVar[bool] = False
    clock: Clock
    outcome: Callable[[str], DeliveryOutcome] = lambda recipient: delivered()
    brought: list[Brought] = field(default_factory=list)
    tried: int = 0

    def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        self.tried += 1
        outcome = self.outcome(recipient)
        if outcome == delivered():
            self.brought.append(Brought(sender, recipient, MailboxMessage(message), self.clock.now))
        return outcome


@dataclass(frozen=True, slots=True)
class Desk:
    """A mailer for tests, with the actions of the workers, of the players and of the mail server."""

    mailer: Mailer
    work_queue: WorkQueue
    clock: Clock
    street: Street
    callbacks: DecideCallbacks
    notifier: Notifier

    def person(self, name: str, language: str = "en", *, confirmed: bool = True, **choices: Any) -> Player:
        player = register(self.mailer.ports, f"{name.casefold()}@example.org", name, language)
        player.confirmed = confirmed
        for choice, value in choices.items():
            setattr(player, choice, value)
        self.mailer.ports.players.save(player)
        return player

    def again(self, player: Player) -> Player:
        """The player as the store knows them now."""
        found = self.mailer.ports.players.find(player.id)
        assert found
        return found

    def game(self, id: str = "g1") -> Game:
        found = self.mailer.ports.game(id)
        assert found
        return found

    def table(self, *players: Player, id: str = "g1", rules: str = "portobello") -> Game:
        """A game with everyone in their seats; their first letters are out."""
        open_game(self.mailer.ports, id, players[0].id, rules, [SeatPlan(player=each.id) for each in players], {})
        self.work()
        return self.game(id)

    def decide(self) -> None:
        ports = self.mailer.ports
        while ids := self.work_queue.next_games():
            competitions = [id for id in ids if id.startswith(CompetitionLogs.PREFIX)]
            decide(ports, [id for id in ids if id not in (*competitions, Searches.WORK)], self.callbacks)
            for id in competitions:
                advance(ports, id, partial(tell_of_competition, self.mailer))
            if Searches.WORK in ids:
                find_tables(ports)

    def work(self) -> None:
        """All that waits is done: moves judged, mails read, letters sent."""
        for _ in range(ROUNDS):
            self.decide()
            if not process_waiting(self.mailer) + send_letters(self.notifier):
                return
        raise AssertionError("the mailer never comes to rest")

    def leases_end(self) -> None:
        """The store's clock, which nobody moves by hand, goes on beyond all of them."""
        redis = self.mailer.mail_queue.redis
        for line in (self.mailer.mail_queue.key("unread"), *map(self.mailer.deliveries.line, channels())):
            for id in redis.zrangebyscore(line, LEASED, "+inf"):
                redis.zadd(line, {id: LEASED})

    def by_rest(self, player: Player, orders: str, id: str = "g1") -> None:
        submit(self.mailer.ports, self.game(id), player.id, orders)
        self.decide()

    def good_orders(self, language: str = "en", id: str = "g1", name: str = "") -> str:
        """What a bot would write now for whoever must decide."""
        game = self.game(id)
        orders = bot(game.rules, name or usual_bot(game.rules))(game.state.copy(), game.deciders[0], Sealed(bytes(32), f"{game.version}"))
        return game.rules.notate(game.rules.parse(orders), game.rules.in_language(language))

    def to_play(self, id: str = "g1") -> Player:
        game = self.game(id)
        player = self.mailer.ports.players.find(game.seats[game.deciders[0]].player or "")
        assert player
        return player

    def box(self, player: Player) -> list[MailboxMessage]:
        return [each.mail for each in self.street.brought if each.recipient == player.email]

    def newest(self, player: Player) -> MailboxMessage:
        return self.box(player)[-1]

    def turn_letter(self, player: Player) -> MailboxMessage:
        """The newest letter that was not an answer."""
        return [mail for mail in self.box(player) if mail.header("Auto-Submitted") == "auto-generated"][-1]

    def receive(self, raw: bytes, *recipients: str, verdict: AuthVerdict = AuthVerdict.PASS) -> str:
        """Through the door and acted on: what became of it, in a word."""
        id = receive(self.mailer, raw, recipients, verdict)
        self.work()
        inbound = self.mailer.mail_queue.inbound(id)
        assert inbound
        return inbound.status

    def answer(
        self,
        player: Player,
        text: str,
        to: MailboxMessage | None = None,
        sender: str = "",
        verdict: AuthVerdict = AuthVerdict.PASS,
        **headers: str,
    ) -> str:
        """A reply to a letter, by default to the newest that asked for something, by default from the player's own address."""
        letter = to or self.turn_letter(player)
        return self.receive(reply(letter, sender or player.email, text, **headers), letter.reply_to, verdict=verdict)

    def waiting(self) -> list[Waiting]:
        """Letters that are still to be sent, oldest first."""
        found = (
            self.mailer.deliveries.find(id.decode())
            for id in self.mailer.deliveries.redis.zrange(self.mailer.deliveries.line(EMAIL), 0, -1)
        )
        return sorted((mail for mail in found if mail), key=lambda mail: (mail.at, mail.id))

    def fates(self, player: Player) -> list[str]:
        """What became of each letter to this player, oldest first."""
        return [mail.status for mail in reversed(self.mailer.deliveries.of(player.id, None, 1000))]

    def note(self, player: Player, number: int, at: int | None = None) -> None:
        """A small letter to send."""
        at = at or self.clock()
        id = f"note-{number:03}-{player.id}"
        values = {"host": "a.test", "reason": f"note {number}", "since": at}
        enqueue(self.mailer, Waiting(id, player.id, "webhook-off", at, at, values=values))


def notes(desk: Desk, player: Player) -> list[int]:
    """Those that have arrived, in the order of their arrival."""
    return [int(found[1]) for mail in desk.box(player) if (found := re.search(r"\bnote (\d+)\b", mail.text))]


def minutes_pass(desk: Desk, minutes: int) -> None:
    for _ in range(minutes):
        desk.clock.forward(minutes=1)
        desk.work()


def fresh(text: str, to: str, sender: str, subject: str = "Hello") -> bytes:
    """A mail that answers nothing."""
    message = EmailMessage(policy=policy.SMTP)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Message-ID"] = f"<{abs(hash((text, to, sender, subject)))}@example.org>"
    message.set_content(text)
    return message.as_bytes()


def reply(letter: MailboxMessage, sender: str, text: str, **headers: str) -> bytes:
    """What a mail program would send, with these headers besides; `_` stands for `-`."""
    return with_headers(write_reply(letter, sender, text), **headers)


def with_headers(raw: bytes, **headers: str) -> bytes:
    message = message_from_bytes(raw, policy=policy.SMTP.clone(max_line_length=0))
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        message[name.replace("_", "-")] = value
    return message.as_bytes()


@contextmanager
def two_redis() -> Iterator[Settings]:
    with both_redis() as data:
        yield settings_for(data)


def settings_for(data: Path) -> Settings:
    """Without analyses: the last letter of a game then goes out at once."""
    found = {"DATA_DIR": str(data), "MAIL_DOMAIN": DOMAIN, "SECRET_KEY": "only for tests", "LIMITS": "analysis-service=0"}
    return Settings.read(found)


def open_desk(settings: Settings, transport: MailTransport | None = None) -> Desk:
    """On an empty store."""
    clock = Clock()
    work_queue = WorkQueue(connect(settings.queue_redis_url))
    ports = make_ports(settings, work_queue)
    ports.clock, ports.steady = clock, SteadyTime
    ports.games.redis.flushdb()
    work_queue.redis.flushdb()
    mailer = make_mailer(settings, work_queue, ports)
    callbacks = replace(make_callbacks(mailer, work_queue), count_attempts=never_tried)
    desk = Desk(mailer, work_queue, clock, Street(clock), callbacks, make_notifier(mailer, work_queue))
    desk.mailer.transport = transport or desk.street
    return desk


class _Halting:
    """Says that the mail is delivered, and then takes a very long time to come back."""

    def __init__(self, transport: MailTransport) -> None:
        self.transport = transport

    def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
        outcome = self.transport.deliver(sender, recipient, message)
        sys.stdout.write(f"{outcome.kind}\n")
        sys.stdout.flush()
        time.sleep(60)
        return outcome


def mailer_elsewhere(data: Path, smtp_url: str, clock: Clock) -> Mailer:
    """As another process on the same store has one."""
    settings = settings_for(data)
    work_queue = WorkQueue(connect(settings.queue_redis_url))
    ports = make_ports(settings, work_queue)
    ports.clock, ports.steady = clock, SteadyTime
    mailer = make_mailer(settings, work_queue, ports)
    mailer.transport = SmtpTransportPool(smtp_url, DOMAIN)
    return mailer


def mail_worker(data: Path, smtp_url: str, now: int, halting: bool) -> None:
    """A process that sends what is due at that moment."""
    mailer = mailer_elsewhere(data, smtp_url, Clock(now))
    if halting:
        mailer.transport = _Halting(mailer.transport)
    notifier = make_notifier(mailer, WorkQueue(connect(mailer.settings.queue_redis_url)))
    while send_letters(notifier):
        pass


if __name__ == "__main__":
    mail_worker(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["halting"])
