"""A worker killed while it reads a mail: what the mail asks for is done once, and answered once."""

import pytest

from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.play.table.talk import said
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import Desk, reply


class Killed(BaseException):
    """The end of a process, which nothing in it holds up."""


def dies(*given: object, **more: object) -> None:
    raise Killed


def read_and_die(desk: Desk, raw: bytes, letter: MailboxMessage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker does what the mail asks and is killed before it can say so. Others go on; in the end somebody reads the mail again."""
    receive(desk.mailer, raw, [letter.reply_to], AuthVerdict.PASS)
    with monkeypatch.context() as broken:
        broken.setattr(desk.mailer.mail_queue, "close_message", dies)
        with pytest.raises(Killed):
            process_waiting(desk.mailer)
    desk.decide()
    desk.leases_end()
    desk.work()


def test_an_undo_whose_worker_is_killed_takes_back_once(
    desk: Desk, ann: Player, building: MailboxMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, before = desk.game().version, len(desk.box(ann))

    read_and_die(desk, reply(building, ann.email, "undo"), building, monkeypatch)

    assert desk.game().version == version + 1
    assert len(desk.box(ann)) == before + 1
    assert "taken back" in desk.newest(ann).text


def test_two_undos_in_one_mail_take_back_two(desk: Desk, ann: Player, building: MailboxMessage, monkeypatch: pytest.MonkeyPatch) -> None:
    version = desk.game().version

    read_and_die(desk, reply(building, ann.email, "undo\nundo"), building, monkeypatch)

    assert desk.game().version == version + 2


def test_who_resigned_is_told_so_although_the_worker_was_killed(
    desk: Desk, ann: Player, building: MailboxMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_and_die(desk, reply(building, ann.email, "resign!"), building, monkeypatch)

    assert desk.game().seats[0].bot
    assert "You have resigned" in [mail.text for mail in desk.box(ann) if mail.header("Auto-Submitted") == "auto-replied"][-1]


@pytest.mark.parametrize(("word", "told"), [("yes", "You are in."), ("no", "You have declined")])
def test_a_yes_or_no_whose_worker_is_killed_is_answered_as_done(
    desk: Desk, ann: Player, ben: Player, word: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()
    letter = desk.newest(ben)

    read_and_die(desk, reply(letter, ben.email, word), letter, monkeypatch)

    answers = [mail for mail in desk.box(ben) if mail.header("Auto-Submitted") == "auto-replied"]
    assert len(answers) == 1
    assert told in answers[0].text


def test_what_is_said_twice_in_one_mail_is_said_twice_and_not_more(
    desk: Desk, ann: Player, building: MailboxMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "a very long sentence that begins like another one does, "

    read_and_die(desk, reply(building, ann.email, f"say {text}one\n\nsay {text}two"), building, monkeypatch)

    assert [each.text[-3:] for each in said(desk.mailer.ports, "g1")] == ["one", "two"]


def test_orders_that_were_judged_before_their_mail_is_read_again_have_their_receipt(
    desk: Desk, ann: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    letter = desk.turn_letter(player)

    read_and_die(desk, reply(letter, player.email, "bobby 5"), letter, monkeypatch)

    answers = [mail for mail in desk.box(player) if mail.header("Auto-Submitted") == "auto-replied"]
    assert [mail.header("Subject").partition(":")[0] for mail in answers] == ["Done"]


def test_a_yes_to_a_held_mail_whose_worker_is_killed_plays_once(
    desk: Desk, ann: Player, building: MailboxMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = desk.game().version
    desk.answer(ann, "undo", building, sender="at-work@firm.test")
    question = desk.newest(ann)

    read_and_die(desk, reply(question, ann.email, "yes"), question, monkeypatch)

    assert desk.game().version == version + 1
    assert "taken back" in desk.newest(ann).text
    assert desk.answer(ann, "yes please", question) == "no-such-yes"
    assert desk.game().version == version + 1
