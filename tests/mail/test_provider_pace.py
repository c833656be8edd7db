"""A provider that defers everything is left alone after a few letters, and everybody else's letters go on."""

import pytest

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.notify.pace import LONGEST_PAUSE, MINUTE, PAUSED_AFTER
from marketpost.play.people.registration import register
from marketpost.store.players import Player
from tests.mail.desk import Desk, minutes_pass, notes

SLOW = "slow.example"
READERS = 12


def deferring(recipient: str) -> DeliveryOutcome:
    return retry_later("451 try again later") if recipient.endswith(f"@{SLOW}") else delivered()


@pytest.fixture
def waiting(desk: Desk) -> list[Player]:
    """Many readers at a domain that defers, each with two letters."""
    readers = [register(desk.mailer.ports, f"reader{number}@{SLOW}", f"Reader {number}", "en") for number in range(READERS)]
    desk.street.outcome = deferring
    for each in readers:
        desk.note(each, 1)
        desk.note(each, 2)
    return readers


def test_a_domain_that_defers_is_left_alone_and_others_get_their_letters(desk: Desk, ann: Player, waiting: list[Player]) -> None:
    desk.note(ann, 1)
    desk.work()
    first = desk.street.tried - 1
    minutes_pass(desk, 60)
    desk.note(ann, 2)
    desk.work()

    assert notes(desk, ann) == [1, 2]
    assert first >= PAUSED_AFTER
    assert desk.street.tried < 60 * READERS / 4, "not every letter every minute"
    assert len(desk.waiting()) == 2 * READERS


def test_when_it_accepts_again_all_letters_arrive_in_order(desk: Desk, waiting: list[Player]) -> None:
    minutes_pass(desk, 30)
    desk.street.outcome = lambda recipient: delivered()
    minutes_pass(desk, LONGEST_PAUSE // MINUTE + 45)

    assert [notes(desk, each) for each in waiting] == [[1, 2]] * READERS
    assert desk.mailer.deliveries.pace.read([SLOW]) == {}


def test_a_few_deferrals_pause_nothing(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("451 greylisted")
    desk.note(ann, 1)
    desk.work()
    desk.street.outcome = lambda recipient: delivered()
    desk.note(desk.person("Ben"), 1)
    desk.work()

    assert notes(desk, desk.person("Ben")) == [1]
