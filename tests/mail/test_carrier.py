"""Mails are carried over real SMTP sessions, to servers that behave."""

from pathlib import Path

import pytest

from marketpost.mail.outbound.attempt import delivered
from marketpost.mail.outbound.carrier import MailboxCarrier, carrier_for
from marketpost.mail.outbound.smtp import SmtpCarrier
from marketpost.store.connections import connect
from marketpost.store.local_mailbox import Mailbox
from tests.mail.servers import free_port
from tests.mail.street import ANN, MAIL, Answers, carrying, once, serving
from tests.redis import games_redis


def test_a_mail_arrives_byte_by_byte() -> None:
    answers = Answers()

    assert once(answers) == delivered()

    (taken,) = answers.taken
    assert (taken.mail_from, taken.rcpt_tos, taken.original_content) == ("bounce@games.test", [ANN], MAIL)


@pytest.mark.parametrize(
    ("rcpt", "data", "kind"),
    [
        ("450 4.2.0 greylisted", "250 OK", "later"),
        ("250 OK", "451 4.3.0 try later", "later"),
        ("550 5.1.1 no such user", "250 OK", "never"),
        ("250 OK", "554 5.7.1 looks like spam", "never"),
        ("421 4.3.2 closing", "250 OK", "later"),
        ("530 5.7.0 Must issue a STARTTLS command first", "250 OK", "later"),
    ],
)
def test_four_means_later_and_five_means_never(rcpt: str, data: str, kind: str) -> None:
    fate = once(Answers(rcpt, data))

    assert fate.kind == kind
    assert fate.reason in {rcpt, data}


def test_the_connection_is_kept_for_the_next_mail_and_after_a_refusal() -> None:
    answers = Answers()
    with serving(answers) as controller, carrying(controller) as carrier:
        for rcpt in ("250 OK", "550 no", "450 not now", "250 OK"):
            answers.rcpt = rcpt
            carrier.carry("", ANN, MAIL)

    assert len(answers.taken) == 2
    assert len(answers.sessions) == 1


def test_after_a_while_a_new_connection_is_made() -> None:
    answers, now = Answers(), 0.0
    with serving(answers) as controller:
        carrier = SmtpCarrier(f"smtp://127.0.0.1:{controller.port}", "games.test", clock=lambda: now)
        carrier.carry("", ANN, MAIL)
        now = 61.0
        assert carrier.carry("", ANN, MAIL) == delivered()
        carrier.close()

    assert len(answers.sessions) == 2


def test_a_server_that_was_started_anew_is_found_again_at_once() -> None:
    answers, port = Answers(), free_port()
    with carrying(port) as carrier:
        for _ in range(2):
            with serving(answers, port=port):
                assert carrier.carry("", ANN, MAIL) == delivered()


def test_nobody_there_means_later() -> None:
    with carrying(free_port()) as carrier:
        fate = carrier.carry("", ANN, MAIL)

    assert fate.kind == "later"
    assert "refused" in fate.reason


@pytest.mark.parametrize("recipient", ["", "ann", "a b@example.org", "ann@example.org>\r\nRCPT TO:<bob@example.org", "<ann@example.org>"])
def test_what_is_no_address_is_never_sent(recipient: str) -> None:
    answers = Answers()
    with serving(answers) as controller, carrying(controller) as carrier:
        assert carrier.carry("", recipient, MAIL).kind == "never"

    assert not answers.taken


def test_no_line_end_of_a_mail_can_be_taken_for_its_end() -> None:
    answers = Answers()
    with serving(answers) as controller, carrying(controller) as carrier:
        carrier.carry("", ANN, b"Subject: x\n\na\n.\nMAIL FROM:<evil@example.org>\r.\rb\n")

    (taken,) = answers.taken
    assert taken.original_content == b"Subject: x\r\n\r\na\r\n.\r\nMAIL FROM:<evil@example.org>\r\n.\r\nb\r\n"


def test_letters_beyond_ascii() -> None:
    answers = Answers()
    with serving(answers, enable_SMTPUTF8=True) as controller, carrying(controller) as carrier:
        assert carrier.carry("", "zoé@bücher.example", MAIL) == delivered()

    (taken,) = answers.taken
    assert taken.rcpt_tos == ["zoé@xn--bcher-kva.example"]
    assert "SMTPUTF8" in taken.mail_options


def test_a_server_without_such_letters_says_so_and_takes_the_domain_in_ascii() -> None:
    answers = Answers()
    with serving(answers, enable_SMTPUTF8=False) as controller, carrying(controller) as carrier:
        assert carrier.carry("", "zoé@example.org", MAIL).kind == "never"
        assert carrier.carry("", "ann@bücher.example", MAIL) == delivered()


def test_without_a_server_mails_go_to_the_local_mailbox(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        mailbox = Mailbox(connect(url))
        carrier = carrier_for(None, mailbox)
        assert isinstance(carrier, MailboxCarrier)
        assert carrier.carry("bounce@games.test", ANN, MAIL) == delivered()
        mail = mailbox.read(ANN, 1)

    assert mail
    assert mail.raw == MAIL
    assert carrier.carry("", ANN, MAIL).kind == "later"
