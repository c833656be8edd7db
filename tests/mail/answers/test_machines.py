"""A machine that answers our answers is answered once; a person, always."""

import pytest

from marketpost.mail.inbound.answering import MOST_ALIKE
from marketpost.mail.inbound.fingerprint import fingerprint
from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.play.limits import Limits
from marketpost.rules.ruleset import rulesets
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, reply

AWAY = "Thank you for your mail. I am on holiday until Monday, 3 August. Your ticket is AB-{number}."


def reply_to_nothing(to: str, sender: str, text: str) -> bytes:
    return f"From: {sender}\r\nTo: {to}\r\nSubject: Away\r\nMessage-ID: <1@example.org>\r\n\r\n{text}\r\n".encode()


def test_a_machine_that_does_not_say_it_is_one_is_answered_once(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    before = len(desk.box(ann))
    for number in range(4817, 4823):
        desk.answer(ann, AWAY.format(number=number), desk.newest(ann))
        desk.clock.forward(minutes=20)

    assert len(desk.box(ann)) == before + 1


@pytest.mark.parametrize("text", ["", "Thank you!", "-- \nAnn"])
def test_a_machine_that_says_nothing_is_answered_once(desk: Desk, ann: Player, building: MailboxMessage, text: str) -> None:
    before = len(desk.box(ann))
    for _ in range(4):
        desk.answer(ann, text, desk.newest(ann))

    assert len(desk.box(ann)) == before + 1


def test_a_machine_behind_another_address_is_asked_about_once(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    before = len(desk.box(ann))
    for number in range(4):
        desk.answer(ann, AWAY.format(number=number), desk.newest(ann), sender="office@firm.test")

    assert len(desk.box(ann)) == before + 1


def test_a_machine_that_answers_an_old_address_of_ours_is_answered_once(desk: Desk, ann: Player) -> None:
    gone = f"play+{'a' * 32}@{DOMAIN}"
    desk.receive(reply_to_nothing(gone, ann.email, AWAY.format(number=0)), gone)
    for number in range(1, 4):
        desk.answer(ann, AWAY.format(number=number), desk.newest(ann))

    assert len(desk.box(ann)) == 1


def test_two_of_our_services_fall_silent_even_if_their_marks_are_lost(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    """The other service answers with a letter like ours, from which something on the way has taken the headers."""
    before = len(desk.box(ann))
    for _ in range(4):
        letter = desk.newest(ann)
        desk.answer(ann, letter.text, letter)

    assert len(desk.box(ann)) == before + 1


def test_the_same_words_are_answered_again_on_another_day(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    before = len(desk.box(ann))
    desk.answer(ann, "What a lovely market", building)
    desk.clock.forward(days=1, minutes=1)
    desk.answer(ann, "What a lovely  market!", building)

    assert len(desk.box(ann)) == before + 2


def test_whoever_writes_the_same_orders_again_is_no_machine(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    """Only the limit of the gate, which is off here, would stop the answers."""
    desk.mailer.ports.limits = Limits()
    before = len(desk.box(ann))
    for _ in range(MOST_ALIKE + 3):
        desk.answer(ann, "stall A-B", building)
        desk.answer(ann, "board", building)
    for _ in range(MOST_ALIKE):
        desk.answer(ann, "stall A-B\nwhat a lovely market", building)

    assert len(desk.box(ann)) == before + 2 * (MOST_ALIKE + 3) + MOST_ALIKE


def test_a_mail_that_is_read_again_does_not_repeat_itself(
    desk: Desk, ann: Player, building: MailboxMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(desk.box(ann))
    raw = reply(building, ann.email, "What a lovely market")
    receive(desk.mailer, raw, [building.reply_to])
    with monkeypatch.context() as broken:
        broken.setattr(desk.mailer.deliveries, "put", lambda *given, **more: 1 / 0)
        process_waiting(desk.mailer)
    assert not desk.waiting(), "its answer was lost"

    desk.leases_end()
    desk.work()

    assert len(desk.box(ann)) == before + 1


@pytest.mark.parametrize(
    "again",
    [
        "Ticket AB-7791: I am away until Tuesday, 4 September.",
        "Ticket  ab-1 : I am away\nuntil Sat., 14 Nov. 2026",
        "ticket C0FFEE1 – I am away until 12/3",
    ],
)
def test_dates_and_numbers_make_no_new_text(again: str) -> None:
    assert fingerprint(again.splitlines()) == fingerprint(["Ticket AB-12: I am away until Monday, 3 August."])
    assert fingerprint(["I am away until Monday."]) != fingerprint(["I am back on Monday."])


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("text", ["", "Thank you!", AWAY])
def test_an_empty_reply_in_another_game_is_answered_too(desk: Desk, ann: Player, ben: Player, rules: str, text: str) -> None:
    games = [f"g{number}" for number in range(5)]
    for id in games:
        desk.table(ann, ben, id=id, rules=rules)
    letters = {id: next(mail for mail in reversed(desk.box(ann)) if f"<{id}@" in mail.header("References")) for id in games}
    before = len(desk.box(ann))

    for id in games:
        desk.answer(ann, text, letters[id])
    assert len(desk.box(ann)) == before + len(games)

    for id in games:
        desk.answer(ann, text, letters[id])
        desk.answer(ann, text, desk.newest(ann))
    assert len(desk.box(ann)) == before + len(games)


def test_the_same_empty_words_are_not_answered_for_ever_in_however_many_games(
    desk: Desk, ann: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("marketpost.mail.inbound.answering.MOST_IN_ALL", 3)
    for number in range(5):
        desk.table(ann, ben, id=f"g{number}")
    letters = desk.box(ann)
    for letter in letters:
        desk.answer(ann, "", letter)

    assert len(desk.box(ann)) == len(letters) + 3
