"""Letters on their way: none is lost, each mail is answered once, everyone gets theirs in order, and in time everything goes."""

import errno
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

from redis import RedisError

from marketpost.mail.inbound.receive import receive
from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, rejected, retry_later
from marketpost.mail.outbound.mailer import enqueue
from marketpost.notify.engine import MOST_WRITTEN, send_letters
from marketpost.notify.record import HOUR
from marketpost.store.delivery_queue import EMAIL
from marketpost.store.delivery_queue import Delivery as Waiting
from marketpost.store.players import Player
from tests.mail.desk import Desk, minutes_pass, notes, reply
from workers.health_checks import of_letters
from workers.notifier import make_mailer, make_notifier
from workers.queue import make_ports


def test_after_an_hour_without_a_mail_server_everything_arrives_in_order(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("no way to the mail server")
    for number in range(20):
        desk.note(ann, number)
        if number % 3 == 0:
            desk.note(ben, number)
        minutes_pass(desk, 3)
    assert not desk.street.brought

    desk.street.outcome = lambda recipient: delivered()
    minutes_pass(desk, 45)

    assert notes(desk, ann) == list(range(20))
    assert notes(desk, ben) == list(range(0, 20, 3))
    assert not desk.waiting()


def test_letters_written_in_the_same_moment_keep_their_order(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("come back") if desk.street.tried == 1 else delivered()
    at = desk.clock()
    for number in range(3):
        desk.note(ann, number, at)
    minutes_pass(desk, 10)

    assert notes(desk, ann) == [0, 1, 2]


def test_one_dead_server_does_not_hold_up_the_others(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("away") if recipient == ann.email else delivered()
    desk.note(ann, 1)
    desk.note(ben, 2)

    desk.work()

    assert notes(desk, ben) == [2]


def test_what_was_refused_for_good_is_never_tried_again(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: rejected("550 5.1.1 no such user")
    desk.note(ann, 1)

    minutes_pass(desk, 60)

    assert desk.street.tried == 1
    (mail,) = desk.mailer.deliveries.of(ann.id)
    assert (mail.status, mail.reason) == ("refused", "550 5.1.1 no such user")


def test_a_letter_of_which_the_store_knows_no_more_takes_no_other_with_it(desk: Desk, ann: Player) -> None:
    """As when the store was set back while it was on its way."""
    post = desk.mailer.deliveries

    def lose(recipient: str) -> DeliveryOutcome:
        post.redis.delete(post.key("out", post.of(ann.id)[-1].id))
        return delivered()

    desk.street.outcome = lose
    desk.note(ann, 1)
    desk.note(ann, 2, at=desk.clock() + HOUR)
    send_letters(desk.notifier)
    desk.street.outcome = lambda recipient: delivered()
    desk.clock.forward(hours=1)
    send_letters(desk.notifier)

    assert notes(desk, ann) == [1, 2]


def test_what_is_due_to_one_reader_is_looked_at_one_after_another(desk: Desk, ann: Player, ben: Player) -> None:
    """The first is refused once while others wait, and none of these goes before it."""
    first = iter([retry_later("come back")])
    desk.street.outcome = lambda recipient: next(first, delivered()) if recipient == ann.email else delivered()
    for number in range(3):
        desk.note(ann, number)
    desk.note(ben, 3)

    assert send_letters(desk.notifier) == 4

    assert (notes(desk, ann), notes(desk, ben)) == ([], [3])
    assert [mail.attempts for mail in desk.waiting()] == [1, 1, 1]


def test_a_letter_to_a_game_that_fell_apart_holds_up_none_of_the_others(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    before = len(desk.box(ben))
    desk.mailer.ports.evict("g1")
    redis, log = desk.mailer.mail_queue.redis, desk.mailer.ports.games.key("g1", "log")
    redis.xadd(log, {"e": b"{}"}, id="99-0")
    at = desk.clock()
    enqueue(desk.mailer, Waiting("broken", ann.id, "over", at, at, "g1", 1, 0))
    desk.note(ben, 1)

    send_letters(desk.notifier)

    assert len(desk.box(ben)) == before + 1
    (broken,) = desk.waiting()
    assert (broken.id, broken.reason) == ("broken", "the game is damaged")


def test_a_letter_is_given_up_after_days_and_the_reason_is_kept(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("the mail server does not answer in time")
    desk.note(ann, 1)
    for _ in range(24 * 7):
        desk.clock.forward(hours=1)
        desk.work()

    (mail,) = desk.mailer.deliveries.of(ann.id)
    assert (mail.status, mail.reason) == ("given-up", "the mail server does not answer in time")
    assert desk.street.tried < 60, "with patience, and not all the time"
    assert not desk.waiting()


def test_a_letter_that_waited_long_for_its_first_attempt_is_tried_again_soon(desk: Desk, ann: Player) -> None:
    """As after a day on which no worker ran."""
    desk.street.outcome = lambda recipient: retry_later("greylisted") if desk.street.tried == 1 else delivered()
    desk.note(ann, 1)
    desk.clock.forward(days=1)
    desk.work()

    minutes_pass(desk, 2)

    assert notes(desk, ann) == [1]


def test_a_letter_that_cannot_be_read_is_counted_once_and_stays_for_the_operator(desk: Desk, ann: Player) -> None:
    post = desk.mailer.deliveries
    desk.note(ann, 1)
    (broken,) = post.of(ann.id)
    post.redis.set(post.key("out", broken.id), b"{")
    desk.note(ann, 2)
    counted: list[tuple[str, ...]] = []
    desk = replace(desk, notifier=replace(desk.notifier, count=lambda *what: counted.append(what[:3])))

    desk.work()
    minutes_pass(desk, 5)

    assert notes(desk, ann) == [2]
    assert post.waiting() == 0
    assert post.redis.get(post.key("out", broken.id)) == b"{"
    assert counted.count(("email", "unreadable", "given-up")) == 1


def test_a_letter_that_is_queued_and_not_stored_is_leased_once(desk: Desk, ann: Player) -> None:
    post = desk.mailer.deliveries
    post.redis.zadd(post.line(EMAIL), {"gone": 0})
    desk.note(ann, 1)

    desk.work()

    assert notes(desk, ann) == [1]
    assert post.waiting() == 0


def test_the_doctor_names_a_smart_host_that_takes_no_letters(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("535 authentication failed")
    desk.note(ann, 1)
    desk.work()
    at_once = of_letters(desk.mailer.deliveries, desk.clock())
    minutes_pass(desk, 20)

    later = of_letters(desk.mailer.deliveries, desk.clock())

    assert (at_once.mark, later.mark) == ("note", "BAD")
    assert "535 authentication failed" in later.says
    assert "SMTP_URL" in later.advice


def test_a_letter_that_cannot_be_written_does_not_hold_up_the_others(desk: Desk, ann: Player) -> None:
    at = desk.clock()
    enqueue(desk.mailer, Waiting("broken", ann.id, "answer", at, at, values={}))
    desk.note(ann, 1)

    minutes_pass(desk, 30)

    assert notes(desk, ann) == [1]
    assert desk.fates(ann) == ["given-up", "sent"]


def test_a_letter_that_cannot_be_read_any_more_holds_up_none_of_the_others(desk: Desk, ann: Player, ben: Player) -> None:
    for number in range(5):
        desk.note(ann, number)
    desk.note(ben, 5)
    desk.mailer.deliveries.redis.set(desk.mailer.deliveries.key("out", f"note-002-{ann.id}"), b"{")

    desk.work()

    assert notes(desk, ann) == [0, 1, 3, 4]
    assert notes(desk, ben) == [5]


def test_a_letter_to_somebody_whose_entry_is_damaged_holds_up_none_of_the_others(desk: Desk, ann: Player, ben: Player) -> None:
    desk.note(ann, 1)
    desk.note(ben, 2)
    desk.mailer.mail_queue.redis.set(f"player:{ann.id}", b"{")

    desk.work()

    assert notes(desk, ben) == [2]


def test_a_letter_waits_for_as_long_as_the_machine_has_no_files_left(desk: Desk, ann: Player) -> None:
    compose, desk.mailer.compose = desk.mailer.compose, no_files_left
    desk.note(ann, 1)
    minutes_pass(desk, 30)

    desk.mailer.compose = compose
    minutes_pass(desk, 30)

    assert notes(desk, ann) == [1]


def no_files_left(*letter: object) -> bytes | None:
    raise OSError(errno.EMFILE, "Too many open files")


def test_a_store_that_is_away_now_and_then_costs_no_letter(desk: Desk, ann: Player) -> None:
    settings = desk.mailer.settings
    mailer = make_mailer(settings, desk.work_queue, make_ports(settings, desk.work_queue, answer_within=0.1))
    mailer.ports.clock, mailer.transport, compose = desk.clock, desk.street, mailer.compose

    def at_a_bad_moment(*letter: Any) -> bytes | None:
        desk.mailer.mail_queue.redis.client_pause(150)
        return compose(*letter)

    mailer.compose, notifier = at_a_bad_moment, make_notifier(mailer, desk.work_queue)
    desk.note(ann, 1)
    for _ in range(MOST_WRITTEN + 1):
        with suppress(RedisError):
            send_letters(notifier)
        desk.leases_end()

    desk.work()

    assert notes(desk, ann) == [1]


def test_a_worker_that_stood_still_does_not_have_a_letter_sent_again_that_another_has_sent(desk: Desk, ann: Player) -> None:
    """As one that was suspended while it spoke to a mail server, which has hung up since."""
    settings = desk.mailer.settings
    other = make_mailer(settings, desk.work_queue)
    other.ports.clock, other.transport = desk.clock, desk.street

    class StoodStill:
        def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
            desk.leases_end()
            send_letters(make_notifier(other, desk.work_queue))
            return retry_later("the mail server closed the connection")

    desk.mailer.transport = StoodStill()
    desk.note(ann, 1)
    send_letters(desk.notifier)
    desk.mailer.transport = desk.street

    minutes_pass(desk, 60)

    assert notes(desk, ann) == [1]
    assert [mail.status for mail in desk.mailer.deliveries.of(ann.id)] == ["sent"]


def test_a_mail_that_was_being_read_when_the_stores_clock_was_set_back_is_read_now(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    before = desk.game().version
    receive(desk.mailer, reply(desk.newest(player), player.email, desk.good_orders()), [desk.newest(player).reply_to])
    (id,) = desk.mailer.mail_queue.take_unread(desk.clock(), 1)
    assert not desk.mailer.mail_queue.due(desk.clock())
    desk.mailer.mail_queue.redis.zincrby(desk.mailer.mail_queue.key("unread"), 5 * HOUR, id)

    assert desk.mailer.mail_queue.due(desk.clock())
    desk.work()

    assert desk.game().version > before


def test_a_letter_that_was_sent_is_not_sent_again_because_it_still_stands_in_the_line(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    post, before = desk.mailer.deliveries, len(desk.street.brought)
    post.redis.zadd(post.key("due"), {each.id: 0 for player in (ann, ben) for each in post.of(player.id)})

    desk.work()

    assert len(desk.street.brought) == before
    assert not desk.waiting()


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


def test_nothing_of_a_letter_that_was_sent_stays_for_ever(desk: Desk, ann: Player) -> None:
    redis = desk.mailer.mail_queue.redis
    desk.note(ann, 1)
    desk.work()

    rows = [key for part in ("out", "of", "reply") for key in redis.scan_iter(f"{{mail}}:{part}:*")]

    assert {key.split(b":")[1] for key in rows} == {b"out", b"of", b"reply"}
    assert all(redis.ttl(key) > 0 for key in rows)


def test_a_letter_that_waits_is_not_erased(desk: Desk, ann: Player) -> None:
    redis = desk.mailer.mail_queue.redis
    desk.note(ann, 1)
    desk.work()
    desk.street.outcome = lambda recipient: retry_later("busy")
    desk.note(ann, 2)
    desk.work()

    waiting = next(mail for mail in desk.mailer.deliveries.of(ann.id) if mail.status == "waiting")

    assert redis.ttl(f"{{mail}}:out:{waiting.id}") == -1
    assert redis.ttl(f"{{mail}}:of:{ann.id}") == -1


def test_a_player_sees_the_letters_of_ninety_days(desk: Desk, ann: Player) -> None:
    desk.note(ann, 1)
    desk.work()
    desk.clock.forward(days=89)
    desk.note(ann, 2)
    desk.work()
    assert len(desk.mailer.deliveries.of(ann.id)) == 2

    desk.clock.forward(days=89)
    desk.note(ann, 3)
    desk.work()

    assert len(desk.mailer.deliveries.of(ann.id)) == 2
    assert notes(desk, ann) == [1, 2, 3]
