"""Letters on their way: none is lost, none goes twice without need, and everyone gets theirs in order."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from redis import RedisError

from mail.carrier import Fate, MailboxCarrier, delivered, later, never
from mail.compose import unsubscribe_url
from mail.incoming import receive
from mail.post import AT_MOST_AN_HOUR, DEAD_AFTER, MOST_WRITTEN, send_due, write
from play.forget import forget
from play.talk import say
from store.mailbox import Mail, Mailbox
from store.people import Player
from store.post import LEASE
from store.post import Mail as Waiting
from tests.mail.office import Desk, reply
from tests.mail.servers import eventually, free_port
from workers.office import make_office
from workers.wiring import make_ports

ROOT = Path(__file__).parents[2]
MAILS = Path(__file__).parent.parent / "mails"
LETTERS = 12
KILLS = 4


def notes(desk: Desk, player: Player) -> list[int]:
    """Those that have arrived, in the order of their arrival."""
    return [int(found[1]) for mail in desk.box(player) if (found := re.search(r"\bnote (\d+)\b", mail.text))]


def minutes_pass(desk: Desk, minutes: int) -> None:
    for _ in range(minutes):
        desk.clock.forward(minutes=1)
        desk.work()


# Killed on the way


class Server:
    """A mail server that keeps what it has said 250 to."""

    def __init__(self) -> None:
        self.taken: list[Mail] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        self.taken.append(Mail(envelope.content if isinstance(envelope.content, bytes) else b""))
        return "250 OK"

    def ids(self) -> Counter[str]:
        return Counter(mail.header("Message-ID") for mail in self.taken)


@contextmanager
def serving() -> Iterator[tuple[Server, str]]:
    server, port = Server(), free_port()
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield server, f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()


@contextmanager
def worker(desk: Desk, url: str, *how: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "tests.mail.office", str(desk.office.settings.data), url, str(desk.clock.now), *how]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_a_worker_killed_after_250_and_before_the_mark_sends_the_same_letter_once_more(desk: Desk, ann: Player) -> None:
    for number in range(3):
        desk.note(ann, number)
    with serving() as (server, url):
        with worker(desk, url, "halting") as process:
            assert process.stdout
            assert process.stdout.readline() == "delivered\n"
            os.kill(process.pid, signal.SIGKILL)
        assert len(server.taken) == 1
        desk.clock.forward(milliseconds=LEASE + 1000)
        with worker(desk, url) as process:
            assert process.wait(30) == 0

        assert sorted(server.ids().values()) == [1, 1, 2]
        twice = [mail for mail in server.taken if server.ids()[mail.header("Message-ID")] == 2]
        assert twice[0].text == twice[1].text
        assert twice[0].reply_to == twice[1].reply_to
    assert set(desk.fates(ann)) == {"sent"}


def _has_sent(server: Server, before: int, process: "subprocess.Popen[str]") -> bool:
    return len(server.taken) > before or process.poll() is not None


def test_workers_killed_at_any_moment_lose_nothing(desk: Desk, ann: Player) -> None:
    for number in range(LETTERS):
        desk.note(ann, number)
    chance = random.Random(4)
    with serving() as (server, url):
        for _ in range(KILLS):
            with worker(desk, url) as process:
                eventually(partial(_has_sent, server, len(server.taken), process))
                time.sleep(chance.random() * 0.02)
                with suppress(ProcessLookupError):  # it may be done with everything
                    os.kill(process.pid, signal.SIGKILL)
            desk.clock.forward(milliseconds=LEASE + 1000)
        with worker(desk, url) as process:
            assert process.wait(30) == 0

        assert len(server.ids()) == LETTERS
        assert len(server.taken) <= LETTERS + KILLS
    assert set(desk.fates(ann)) == {"sent"}


# A mail server that is away


def test_after_an_hour_without_a_mail_server_everything_arrives_in_order(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.fate = lambda recipient: later("no way to the mail server")
    for number in range(20):
        desk.note(ann, number)
        if number % 3 == 0:
            desk.note(ben, number)
        minutes_pass(desk, 3)
    assert not desk.street.brought

    desk.street.fate = lambda recipient: delivered()
    minutes_pass(desk, 45)

    assert notes(desk, ann) == list(range(20))
    assert notes(desk, ben) == list(range(0, 20, 3))
    assert not desk.waiting()


def test_letters_written_in_the_same_moment_keep_their_order(desk: Desk, ann: Player) -> None:
    desk.street.fate = lambda recipient: later("come back") if desk.street.tried == 1 else delivered()
    at = desk.clock()
    for number in range(3):
        desk.note(ann, number, at)
    minutes_pass(desk, 10)

    assert notes(desk, ann) == [0, 1, 2]


def test_one_dead_server_does_not_hold_up_the_others(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.fate = lambda recipient: later("away") if recipient == ann.email else delivered()
    desk.note(ann, 1)
    desk.note(ben, 2)

    desk.work()

    assert notes(desk, ben) == [2]


def test_what_was_refused_for_good_is_never_tried_again(desk: Desk, ann: Player) -> None:
    desk.street.fate = lambda recipient: never("550 5.1.1 no such user")
    desk.note(ann, 1)

    minutes_pass(desk, 60)

    assert desk.street.tried == 1
    (mail,) = desk.office.post.of(ann.id)
    assert (mail.status, mail.reason) == ("refused", "550 5.1.1 no such user")


def test_a_letter_on_its_way_while_its_reader_is_forgotten_leaves_no_trace(desk: Desk, ann: Player) -> None:
    redis = desk.office.post.redis
    at_home = MailboxCarrier(Mailbox(redis))

    class Slow:
        def carry(self, sender: str, recipient: str, message: bytes) -> Fate:
            forget(desk.office.ports, ann.id)
            return at_home.carry(sender, recipient, message)

    desk.office.carrier = Slow()
    desk.note(ann, 1)
    desk.work()

    assert Mailbox(redis).list(ann.email) == []
    assert desk.office.post.of(ann.id) == []


def test_a_letter_is_given_up_after_days_and_the_reason_is_kept(desk: Desk, ann: Player) -> None:
    desk.street.fate = lambda recipient: later("the mail server does not answer in time")
    desk.note(ann, 1)
    for _ in range(24 * 7):
        desk.clock.forward(hours=1)
        desk.work()

    (mail,) = desk.office.post.of(ann.id)
    assert (mail.status, mail.reason) == ("given-up", "the mail server does not answer in time")
    assert desk.street.tried < 60, "with patience, and not all the time"
    assert not desk.waiting()


def test_a_letter_that_cannot_be_written_does_not_hold_up_the_others(desk: Desk, ann: Player) -> None:
    at = desk.clock()
    write(desk.office, Waiting("broken", ann.id, "answer", at, at, values={}))
    desk.note(ann, 1)

    minutes_pass(desk, 30)

    assert notes(desk, ann) == [1]
    assert desk.fates(ann) == ["given-up", "sent"]


def test_a_store_that_is_away_now_and_then_costs_no_letter(desk: Desk, ann: Player) -> None:
    settings = desk.office.settings
    office = make_office(settings, make_ports(settings, desk.kicks, answer_within=0.1), desk.kicks)
    office.ports.clock, office.carrier, compose = desk.clock, desk.street, office.compose

    def at_a_bad_moment(mail: Waiting, player: Player) -> bytes | None:
        desk.office.post.redis.client_pause(150)
        return compose(mail, player)

    office.compose = at_a_bad_moment
    desk.note(ann, 1)
    for _ in range(MOST_WRITTEN + 1):
        with suppress(RedisError):
            send_due(office)
        desk.clock.forward(milliseconds=2 * LEASE)

    desk.work()

    assert notes(desk, ann) == [1]


def test_a_mail_that_was_being_read_when_the_clock_was_set_back_is_read_now(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    before = desk.game().version
    desk.clock.forward(hours=5)
    receive(desk.office, reply(desk.newest(player), player.email, desk.good_orders()), [desk.newest(player).reply_to])
    desk.office.post.take_unread(desk.clock(), 1)
    desk.clock.forward(hours=-5)

    assert desk.office.post.due(desk.clock())
    desk.work()

    assert desk.game().version > before


# What is no longer worth sending


def test_only_the_newest_of_stale_turn_letters_is_sent(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.fate = lambda recipient: later("away")
    desk.table(ann, ben)
    for _ in range(7):
        desk.clock.forward(seconds=10)
        desk.by_rest(desk.to_play(), desk.good_orders())
        desk.work()
    one, other = desk.to_play(), (ann if desk.to_play() == ben else ben)

    desk.street.fate = lambda recipient: delivered()
    minutes_pass(desk, 30)

    assert len([mail for mail in desk.box(one) if "-turn-" in mail.header("Message-ID")]) == 1
    assert not [mail for mail in desk.box(other) if "-turn-" in mail.header("Message-ID")]
    assert "superseded" in desk.fates(one)


# What players chose


def test_who_wants_a_digest_gets_one_a_day(desk: Desk, ann: Player) -> None:
    cat = desk.person("Cat", "en", mail="digest", digest_hour=18)
    desk.table(ann, cat, id="g1")
    desk.table(ann, cat, id="g2")
    minutes_pass(desk, 5)
    assert not desk.box(cat)

    desk.clock.forward(hours=9)
    desk.work()

    (digest,) = desk.box(cat)
    assert "2 games are waiting" in digest.text
    desk.clock.forward(days=1)
    desk.work()
    assert len(desk.box(cat)) == 1, "nothing has happened since"


def test_who_wants_no_mail_still_gets_answers(desk: Desk, ann: Player) -> None:
    cat = desk.person("Cat", "en")
    desk.table(ann, cat)
    assert desk.to_play() == cat
    letter = desk.turn_letter(cat)
    cat.mail = "none"
    desk.office.ports.people.save(cat)

    desk.answer(cat, desk.good_orders(), letter)
    desk.answer(ann, desk.good_orders())

    assert [mail.header("Auto-Submitted") for mail in desk.box(cat)] == ["auto-generated", "auto-replied"]
    assert desk.fates(cat)[-1] == "not-wanted"
    assert unsubscribe_url(desk.office, cat).endswith(desk.office.token("unsubscribe", cat.id))


def test_nobody_gets_more_than_so_many_letters_an_hour_but_every_answer(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    for number in range(AT_MOST_AN_HOUR + 10):
        say(desk.office.ports, desk.game(), ben.id, f"note {number}")
    desk.work()
    assert len(desk.box(ann)) == AT_MOST_AN_HOUR

    desk.answer(ann, "Hilfe", desk.newest(ann))
    assert len(desk.box(ann)) == AT_MOST_AN_HOUR + 1

    desk.clock.forward(hours=1, minutes=1)
    minutes_pass(desk, 60)
    told = re.findall(r"note (\d+)", "".join(letter.text for letter in desk.box(ann)))
    assert sorted(map(int, told)) == list(range(AT_MOST_AN_HOUR + 10))


def test_trying_again_is_not_counted_as_a_letter(desk: Desk, ann: Player) -> None:
    desk.street.fate = lambda recipient: later("away")
    for number in range(10):
        desk.note(ann, number)
    minutes_pass(desk, 30)
    desk.street.fate = lambda recipient: delivered()

    minutes_pass(desk, 20 + 32)

    assert len(notes(desk, ann)) == 10


# A dead address


def test_letters_that_come_back_stop_the_mail_and_not_the_game(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    for number in range(DEAD_AFTER):
        desk.note(ann, number)
    desk.work()
    to_ann = [each for each in desk.street.brought if each.recipient == ann.email][-DEAD_AFTER:]
    for number, letter in enumerate(to_ann):
        raw = (MAILS / "bounce_failed.eml").read_bytes().replace(b"Subject:", f"X-Number: {number}\nSubject:".encode(), 1)
        assert desk.receive(raw, letter.sender) == "bounce"
    before = len(desk.box(ann))

    for _ in range(4):
        desk.by_rest(desk.to_play(), desk.good_orders())
        desk.work()

    assert desk.again(ann).bounces == DEAD_AFTER
    assert len(desk.box(ann)) == before
    assert len([mail for mail in desk.box(ben) if "-turn-" in mail.header("Message-ID")]) == 3
    newest = desk.office.post.of(ann.id)[0]
    assert (newest.status, newest.reason) == ("not-wanted", "the address bounces")


# One answer for each mail


def test_every_mail_of_a_game_has_exactly_one_answer(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    sent: Counter[str] = Counter()
    chance = random.Random(4)
    while desk.game().status == "running" and sum(sent.values()) < 40:
        player = desk.to_play()
        nonsense = "".join(chance.choices("bdfgklmnp", k=12))
        words = chance.choice(["", "", "", nonsense, "help\nboard", "say Hello", "Bobby 99"])
        desk.answer(player, words or desk.good_orders(), desk.newest(player))
        sent[player.email] += 1

    answers = Counter(each.recipient for each in desk.street.brought if each.mail.header("Auto-Submitted") == "auto-replied")
    assert answers == sent
    ids = Counter(each.mail.header("Message-ID") for each in desk.street.brought)
    assert set(ids.values()) == {1}


# In time everything goes


def test_nothing_of_a_letter_that_was_sent_stays_for_ever(desk: Desk, ann: Player) -> None:
    redis = desk.office.post.redis
    desk.note(ann, 1)
    desk.work()

    rows = [key for part in ("out", "of", "reply") for key in redis.scan_iter(f"{{mail}}:{part}:*")]

    assert {key.split(b":")[1] for key in rows} == {b"out", b"of", b"reply"}
    assert all(redis.ttl(key) > 0 for key in rows)


def test_a_letter_that_waits_is_not_forgotten(desk: Desk, ann: Player) -> None:
    redis = desk.office.post.redis
    desk.note(ann, 1)
    desk.work()
    desk.street.fate = lambda recipient: later("busy")
    desk.note(ann, 2)
    desk.work()

    waiting = next(mail for mail in desk.office.post.of(ann.id) if mail.status == "waiting")

    assert redis.ttl(f"{{mail}}:out:{waiting.id}") == -1
    assert redis.ttl(f"{{mail}}:of:{ann.id}") == -1


def test_a_player_sees_the_letters_of_ninety_days(desk: Desk, ann: Player) -> None:
    desk.note(ann, 1)
    desk.work()
    desk.clock.forward(days=89)
    desk.note(ann, 2)
    desk.work()
    assert len(desk.office.post.of(ann.id)) == 2

    desk.clock.forward(days=89)
    desk.note(ann, 3)
    desk.work()

    assert len(desk.office.post.of(ann.id)) == 2
    assert notes(desk, ann) == [1, 2, 3]
