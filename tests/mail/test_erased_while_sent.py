"""Somebody is forgotten while letters that name them, or are for them, are on their way."""

import msgspec
import pytest

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.mail.outbound.mailer import enqueue
from marketpost.mail.outbound.transport import LocalMailboxTransport
from marketpost.play.people.erasure import erase
from marketpost.play.table.talk import say
from marketpost.store.delivery_queue import Delivery as Waiting
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.players import Player
from marketpost.store.raw_copies import read_all
from tests.mail.desk import Desk, minutes_pass


def forgets_on_the_way(desk: Desk, who: Player) -> LocalMailbox:
    """Letters stay with us, and just before one arrives somebody is forgotten."""
    mailbox = LocalMailbox(desk.mailer.mail_queue.redis)

    class Slow(LocalMailboxTransport):
        def deliver(self, sender: str, recipient: str, message: bytes) -> DeliveryOutcome:
            erase(desk.mailer.ports, who.id)
            return super().deliver(sender, recipient, message)

    desk.mailer.transport = Slow(mailbox)
    return mailbox


def test_a_letter_on_its_way_while_its_reader_is_erased_leaves_no_trace(desk: Desk, ann: Player) -> None:
    mailbox = forgets_on_the_way(desk, ann)
    desk.note(ann, 1)
    desk.work()

    assert mailbox.list(ann.email) == []
    assert desk.mailer.deliveries.of(ann.id) == []


def test_a_letter_on_its_way_while_somebody_at_the_table_is_erased_names_nobody(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    reader, other = (ann, ben) if desk.to_play() == ann else (ben, ann)
    mailbox = forgets_on_the_way(desk, other)
    desk.clock.forward(days=1)
    say(desk.mailer.ports, desk.game(), other.id, "Good luck!")
    desk.work()

    told = [mailbox.read(reader.email, line.number) for line in mailbox.list(reader.email)]
    assert told
    assert not any(other.name in mail.text for mail in told if mail)


def test_a_letter_that_waits_on_tells_no_address_of_somebody_who_was_erased_while_it_was_tried(
    desk: Desk, ann: Player, ben: Player
) -> None:
    desk.table(ann, ben)
    desk.clock.forward(days=1)

    def away(recipient: str) -> DeliveryOutcome:
        erase(desk.mailer.ports, ann.id)
        return retry_later("the mail server does not answer in time")

    desk.street.outcome = away
    desk.answer(ben, "help", sender=ann.email)

    assert [ann.email in str(letter.values) for letter in desk.waiting() if letter.letter == "answer"] == [False]
    desk.street.outcome = lambda recipient: delivered()
    minutes_pass(desk, 10)
    assert not desk.waiting()
    assert not any(ann.email in mail.text for mail in desk.box(ben))


def test_what_was_answered_to_a_mail_tells_no_address_of_somebody_who_was_erased_since(desk: Desk, ann: Player, ben: Player) -> None:
    cat = desk.person("Cat")
    desk.table(ann, ben)
    mover = desk.to_play()
    desk.answer(mover, f"{desk.good_orders(mover.language)}\n\nhand over! to {cat.email}")
    assert cat.email in desk.newest(mover).text

    erase(desk.mailer.ports, cat.id)

    kept = msgspec.msgpack.encode(list(read_all(desk.mailer.mail_queue.redis)))
    assert cat.email.encode() not in kept


def test_a_letter_whose_reader_was_erased_is_not_written_down_again(desk: Desk, ann: Player) -> None:
    desk.note(ann, 1)
    (mail,) = desk.waiting()
    erase(desk.mailer.ports, ann.id)

    assert not desk.mailer.deliveries.record_attempt(mail)
    assert desk.mailer.deliveries.find(mail.id) is None


def test_a_letter_that_is_sent_while_somebody_named_in_it_is_erased_holds_up_no_other(
    desk: Desk, ann: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, redis = desk.mailer.mail_queue, desk.mailer.ports.players.redis
    at = desk.clock()
    enqueue(desk.mailer, Waiting("told", ann.id, "answer", at, at, values={"lines": [f"{ben.email} is asked."], "asked": []}))
    get = redis.get

    def before_it_is_sent(key: str) -> bytes | None:
        found: bytes | None = get(key)
        if key == post.key("out", "told"):
            monkeypatch.undo()
            desk.work()
        return found

    monkeypatch.setattr(redis, "get", before_it_is_sent)
    erase(desk.mailer.ports, ben.id)

    assert desk.fates(ann) == ["sent"]


def test_somebody_is_erased_while_letters_wait_for_the_analysis_of_a_game(desk: Desk, ann: Player, ben: Player) -> None:
    desk.note(ann, 1)
    [letter] = desk.mailer.deliveries.of(ann.id)
    desk.mailer.deliveries.hold("g1", [letter.id])

    erase(desk.mailer.ports, ben.id)

    assert desk.mailer.ports.players.find(ben.id) is None
    assert desk.mailer.deliveries.of(ann.id) == [letter]
