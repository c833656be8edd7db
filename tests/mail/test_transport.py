"""Mails are carried over real SMTP sessions, to servers that behave."""

from pathlib import Path

import pytest

from marketpost.mail.outbound.attempt import delivered
from marketpost.mail.outbound.smtp import SmtpTransport
from marketpost.mail.outbound.transport import LocalMailboxTransport, transport_for
from marketpost.store.connections import connect
from marketpost.store.local_mailbox import LocalMailbox
from tests.mail.servers import free_port
from tests.mail.street import ANN, MAIL, Answers, connected_transport, once, serving
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
        ("550 5.1.1 no such user", "250 OK", "bounced"),
        ("250 OK", "554 5.7.1 looks like spam", "never"),
        ("421 4.3.2 closing", "250 OK", "later"),
        ("554 5.7.1 relay access denied", "250 OK", "later"),
        ("530 5.7.0 Must issue a STARTTLS command first", "250 OK", "later"),
    ],
)
def test_four_means_later_and_five_means_never(rcpt: str, data: str, kind: str) -> None:
    outcome = once(Answers(rcpt, data))

    assert outcome.kind == kind
    assert outcome.reason in {rcpt, data}


def test_the_connection_is_kept_for_the_next_mail_and_after_a_refusal() -> None:
    answers = Answers()
    with serving(answers) as controller, connected_transport(controller) as transport:
        for rcpt in ("250 OK", "550 no", "450 not now", "250 OK"):
            answers.rcpt = rcpt
            transport.deliver("", ANN, MAIL)

    assert len(answers.taken) == 2
    assert len(answers.sessions) == 1


def test_after_a_while_a_new_connection_is_made() -> None:
    answers, now = Answers(), 0.0
    with serving(answers) as controller:
        transport = SmtpTransport(f"smtp://127.0.0.1:{controller.port}", "games.test", clock=lambda: now)
        transport.deliver("", ANN, MAIL)
        now = 61.0
        assert transport.deliver("", ANN, MAIL) == delivered()
        transport.close()

    assert len(answers.sessions) == 2


def test_a_server_that_was_started_anew_is_found_again_at_once() -> None:
    answers, port = Answers(), free_port()
    with connected_transport(port) as transport:
        for _ in range(2):
            with serving(answers, port=port):
                assert transport.deliver("", ANN, MAIL) == delivered()


def test_nobody_there_means_later() -> None:
    with connected_transport(free_port()) as transport:
        outcome = transport.deliver("", ANN, MAIL)

    assert outcome.kind == "later"
    assert "refused" in outcome.reason


@pytest.mark.parametrize("recipient", ["", "ann", "a b@example.org", "ann@example.org>\r\nRCPT TO:<bob@example.org", "<ann@example.org>"])
def test_what_is_no_address_is_never_sent(recipient: str) -> None:
    answers = Answers()
    with serving(answers) as controller, connected_transport(controller) as transport:
        assert transport.deliver("", recipient, MAIL).kind == "never"

    assert not answers.taken


def test_no_line_end_of_a_mail_can_be_taken_for_its_end() -> None:
    answers = Answers()
    with serving(answers) as controller, connected_transport(controller) as transport:
        transport.deliver("", ANN, b"Subject: x\n\na\n.\nMAIL FROM:<evil@example.org>\r.\rb\n")

    (taken,) = answers.taken
    assert taken.original_content == b"Subject: x\r\n\r\na\r\n.\r\nMAIL FROM:<evil@example.org>\r\n.\r\nb\r\n"


def test_letters_beyond_ascii() -> None:
    answers = Answers()
    with serving(answers, enable_SMTPUTF8=True) as controller, connected_transport(controller) as transport:
        assert transport.deliver("", "zoé@bücher.example", MAIL) == delivered()

    (taken,) = answers.taken
    assert taken.rcpt_tos == ["zoé@xn--bcher-kva.example"]
    assert "SMTPUTF8" in taken.mail_options


def test_a_server_without_such_letters_says_so_and_takes_the_domain_in_ascii() -> None:
    answers = Answers()
    with serving(answers, enable_SMTPUTF8=False) as controller, connected_transport(controller) as transport:
        assert transport.deliver("", "zoé@example.org", MAIL).kind == "never"
        assert transport.deliver("", "ann@bücher.example", MAIL) == delivered()


def test_without_a_server_mails_go_to_the_local_mailbox(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        mailbox = LocalMailbox(connect(url))
        transport = transport_for(None, mailbox)
        assert isinstance(transport, LocalMailboxTransport)
        assert transport.deliver("bounce@games.test", ANN, MAIL) == delivered()
        mail = mailbox.read(ANN, 1)

    assert mail
    assert mail.raw == MAIL
    assert transport.deliver("", ANN, MAIL).kind == "later"
