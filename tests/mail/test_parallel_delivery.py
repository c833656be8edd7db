"""Several letters on their way at once: nobody waits for somebody else's mail server, and everyone's own letters keep their order."""

from threading import Barrier

import pytest

from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.notify.engine import PARALLEL_LETTERS, send_letters
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.leases import LEASE
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, reply
from tests.mail.street import Answers, serving
from tests.mail.test_post import notes

WAIT = 10
"""Seconds, which only a failure takes."""


def test_letters_to_several_readers_are_under_way_at_the_same_time(desk: Desk) -> None:
    together = Barrier(PARALLEL_LETTERS, timeout=WAIT)
    readers = [desk.person(f"reader{number}") for number in range(PARALLEL_LETTERS)]

    def meet(recipient: str) -> DeliveryOutcome:
        together.wait()
        return delivered()

    desk.street.outcome = meet
    for reader in readers:
        desk.note(reader, 1)
    desk.work()

    assert [notes(desk, reader) for reader in readers] == [[1]] * PARALLEL_LETTERS


def test_one_reader_s_letters_go_one_after_the_other(desk: Desk, ann: Player, ben: Player) -> None:
    under_way: list[str] = []

    def watch(recipient: str) -> DeliveryOutcome:
        assert recipient not in under_way
        under_way.append(recipient)
        desk.mailer.deliveries.of(ann.id)
        under_way.remove(recipient)
        return delivered()

    desk.street.outcome = watch
    for number in range(10):
        desk.note(ann, number)
        desk.note(ben, number)
    desk.work()

    assert notes(desk, ann) == notes(desk, ben) == list(range(10))


def test_what_waited_too_long_for_a_slow_server_is_left_to_whoever_takes_it_next(
    desk: Desk, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise two workers might deliver it at once."""
    desk.note(ann, 1)
    with monkeypatch.context() as long_ago:
        long_ago.setattr("marketpost.notify.engine.LEASE", -1)
        send_letters(desk.notifier)
    assert notes(desk, ann) == []

    desk.leases_end()
    desk.work()
    assert notes(desk, ann) == [1]


def test_letters_on_their_way_do_not_mind_that_the_clock_is_put_forward(desk: Desk, ann: Player) -> None:
    def meanwhile(recipient: str) -> DeliveryOutcome:
        desk.clock.forward(milliseconds=LEASE)
        return delivered()

    desk.street.outcome = meanwhile
    desk.note(ann, 1)
    desk.note(ann, 2)
    send_letters(desk.notifier)

    assert notes(desk, ann) == [1, 2]


def test_connections_are_kept_for_the_next_letters(desk: Desk) -> None:
    answers = Answers()
    with serving(answers) as controller:
        desk.mailer.transport = SmtpTransportPool(f"smtp://127.0.0.1:{controller.port}", DOMAIN)
        for number in range(3):
            for name in ("ann", "ben", "cleo", "dan", "eve", "fay"):
                desk.note(desk.person(name), number)
            desk.work()

    assert len(answers.taken) == 18
    assert len(answers.sessions) <= PARALLEL_LETTERS


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_the_answer_that_tells_the_next_turn_is_not_overtaken_by_the_letter_about_it(desk: Desk, ann: Player, rules: str) -> None:
    """One worker holds the answer to Ann's orders while another sends what is due; the bot has moved meanwhile."""
    open_game(desk.mailer.ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="random")], {})
    desk.work()
    letters, letter = len(desk.box(ann)), desk.turn_letter(ann)
    receive(desk.mailer, reply(letter, ann.email, desk.good_orders()), [letter.reply_to], AuthVerdict.PASS)
    process_waiting(desk.mailer)
    desk.decide()

    assert [each.letter for each in desk.mailer.deliveries.take(desk.clock(), 1).deliveries] == [LetterKind.RECEIPT]
    desk.work()
    assert len(desk.box(ann)) == letters
    desk.leases_end()
    desk.clock.forward(minutes=1)
    desk.work()

    assert len(desk.box(ann)) == letters + 1
    assert desk.to_play() == desk.again(ann)
