"""Mails are carried to servers that fall silent, hang up, or change their minds."""

import resource
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind, delivered, is_resource_error
from marketpost.mail.outbound.smtp import SmtpTransport
from tests.mail.street import ANN, MAIL, connected_transport, dripping, script, scripts

SOON = 0.5
"""Seconds after which a server is too slow here."""

IN_TIME = DeliveryOutcome(OutcomeKind.RETRY, "the mail server does not answer in time")
WHOLE = MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n"
YES = b"250 OK\r\n"
TO_THE_END = (b"220 hi\r\n", b"250 hi\r\n", b"250 OK\r\n", b"250 OK\r\n", b"354 go\r\n")


def test_a_connection_lost_before_the_answer_to_the_mail_means_later() -> None:
    with script(*TO_THE_END) as port, connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == DeliveryOutcome(OutcomeKind.RETRY, "the mail server closed the connection")


def test_a_mail_that_was_taken_before_the_connection_broke_is_not_sent_again() -> None:
    with script(*TO_THE_END, b"250 taken\r\n") as port, connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == delivered()


def test_a_server_that_is_too_slow_means_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marketpost.mail.outbound.smtp.ANSWER_WITHIN", 0.3)
    with script(*TO_THE_END[:3], silent=True) as port, connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == IN_TIME


@pytest.mark.parametrize("lines", [(), (b"220 hi\r\n", b"250 hi\r\n", YES, b"250-")], ids=["at first", "amid"])
def test_a_server_that_answers_byte_by_byte_means_later(lines: tuple[bytes, ...]) -> None:
    with dripping(*lines) as port, connected_transport(port, within=SOON) as transport:
        assert transport.deliver("", ANN, MAIL) == IN_TIME


def test_a_server_whose_answer_has_line_after_line_means_later() -> None:
    with dripping(b"220 hi\r\n", again=b"250-and more\r\n") as port, connected_transport(port, within=SOON) as transport:
        assert transport.deliver("", ANN, MAIL) == IN_TIME


ENDLESS = b"250-and more\r\n" * 10_000
"""More than any real server says in one reply."""


@pytest.mark.parametrize("lines", [(ENDLESS,), (b"220 hi\r\n",), (b"220 hi\r\n", b"250 hi\r\n", YES)], ids=["greeting", "EHLO", "RCPT"])
def test_a_server_whose_reply_never_ends_is_hung_up_on_before_it_fills_the_memory(lines: tuple[bytes, ...]) -> None:
    with dripping(*lines, again=ENDLESS, pause=0) as port, connected_transport(port) as transport:
        began = time.monotonic()
        outcome = transport.deliver("", ANN, MAIL)

    assert outcome == DeliveryOutcome(OutcomeKind.RETRY, "the mail server said more than 64000 bytes in one reply")
    assert time.monotonic() - began < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1_000_000, "kilobytes"


def test_each_of_several_letters_on_their_way_to_such_a_server_is_cut_off() -> None:
    with dripping() as one, dripping() as other:
        each = [SmtpTransport(f"smtp://127.0.0.1:{port}", "games.test", within=SOON) for port in (one, other)]
        with ThreadPoolExecutor() as hands:
            fates = [*hands.map(lambda transport: transport.deliver("", ANN, MAIL), each)]

    assert fates == [IN_TIME] * 2


def test_a_kept_connection_that_falls_silent_does_not_hold_the_letter_for_longer() -> None:
    talk = (b"220 hi\r\n", b"250 hi\r\n", YES, YES, b"354 go\r\n", YES, b"250-")
    with dripping(*talk) as port, connected_transport(port, within=SOON) as transport:
        assert transport.deliver("", ANN, MAIL) == delivered()
        assert transport.deliver("", ANN, MAIL) == IN_TIME


@contextmanager
def no_room_for_threads() -> Iterator[None]:
    """Each would need more memory than any machine has."""
    usual = threading.stack_size(1 << 47)
    try:
        yield
    finally:
        threading.stack_size(usual)


def test_once_there_is_room_for_threads_again_letters_are_watched_as_before() -> None:
    with dripping() as port, connected_transport(port, within=SOON) as transport:
        with no_room_for_threads(), pytest.raises(RuntimeError) as short:
            transport.deliver("", ANN, MAIL)

        assert is_resource_error(short.value), "it says nothing against the letter"
        assert transport.deliver("", ANN, MAIL) == IN_TIME


def test_a_server_that_turns_us_away_at_the_door_means_later() -> None:
    with script(b"554 5.7.1 your address is on a list\r\n") as port, connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == DeliveryOutcome(OutcomeKind.RETRY, "554 5.7.1 your address is on a list")


def test_after_a_no_the_server_is_told_to_forget_and_gets_the_next_mail() -> None:
    no, well = (YES, b"450 not now\r\n", YES), (YES, YES, YES, b"354 go\r\n", YES, b"221 bye\r\n")
    with scripts((*HELLO, *no, *well)) as (port, heard), connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == DeliveryOutcome(OutcomeKind.RETRY, "450 not now")
        assert transport.deliver("", ANN, MAIL) == delivered()

    assert WHOLE in heard


def test_a_server_that_refuses_us_gets_no_empty_mail() -> None:
    with scripts((*HELLO, b"550 not you\r\n", YES, b"221 bye\r\n")) as (port, heard), connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == DeliveryOutcome(OutcomeKind.REJECTED, "550 not you")

    assert not [each for each in heard if each.startswith((b"DATA", b"."))]


CLOSING = b"421 closing\r\n"
HELLO = (b"220 hi\r\n", b"250 hi\r\n")
WELL = (*HELLO, YES, YES, b"354 go\r\n", YES)


@pytest.mark.parametrize("answer", [CLOSING, b"502 what?\r\n"])
def test_a_server_that_closes_a_connection_that_was_kept_or_cannot_forget_gets_the_mail_by_a_new_one(answer: bytes) -> None:
    with scripts((*WELL, answer), (*WELL, b"221 bye\r\n")) as (port, _), connected_transport(port) as transport:
        assert [transport.deliver("", ANN, MAIL) for _ in range(2)] == [delivered()] * 2


def test_a_server_that_closes_in_the_middle_of_its_answers_means_later() -> None:
    with scripts((*HELLO, YES, CLOSING)) as (port, _), connected_transport(port) as transport:
        assert transport.deliver("", ANN, MAIL) == DeliveryOutcome(OutcomeKind.RETRY, "421 closing")


def test_a_reason_is_one_short_clean_line() -> None:
    noise = b"550-\x1b[31mred\x00\r\n550 " + b"word " * 80 + b"\r\n"
    with script(*TO_THE_END[:3], noise) as port, connected_transport(port) as transport:
        outcome = transport.deliver("", ANN, MAIL)

    assert outcome.kind == "bounced"
    assert outcome.reason.startswith("550 [31mred word word")
    assert outcome.reason.isprintable()
    assert len(outcome.reason) == 200
