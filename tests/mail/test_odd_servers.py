"""Mails are carried to servers that fall silent, hang up, change their minds, or take commands together."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from mail.fate import Fate, delivered
from mail.post import is_short
from mail.smtp import SmtpCarrier, Watch
from tests.mail.street import ANN, MAIL, Answers, carrying, dripping, script, scripts, serving

SOON = 0.5
"""Seconds after which a server is too slow here."""

TOGETHER = b"250-hi\r\n250 PIPELINING\r\n"
ENVELOPE = b"MAIL FROM:<>\r\nRCPT TO:<ann@example.org>\r\nDATA\r\n"
WHOLE = MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n"
YES = b"250 OK\r\n"
TO_THE_END = (b"220 hi\r\n", b"250 hi\r\n", b"250 OK\r\n", b"250 OK\r\n", b"354 go\r\n")


def test_a_connection_lost_before_the_answer_to_the_mail_means_later() -> None:
    with script(*TO_THE_END) as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server closed the connection")


def test_a_mail_that_was_taken_before_the_connection_broke_is_not_sent_again() -> None:
    with script(*TO_THE_END, b"250 taken\r\n") as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == delivered()


def test_a_server_that_is_too_slow_means_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mail.smtp.ANSWER_WITHIN", 0.3)
    with script(*TO_THE_END[:3], silent=True) as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server does not answer in time")


def test_a_server_that_answers_byte_by_byte_means_later() -> None:
    with dripping() as port, carrying(port, watch=Watch(SOON)) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server closed the connection")


def test_each_of_several_letters_on_their_way_to_such_a_server_is_cut_off() -> None:
    with dripping() as one, dripping() as other:
        watch = Watch(SOON)
        each = [SmtpCarrier(f"smtp://127.0.0.1:{port}", "games.test", watch=watch) for port in (one, other)]
        with ThreadPoolExecutor() as hands:
            fates = [*hands.map(lambda carrier: carrier.carry("", ANN, MAIL), each)]

    assert fates == [Fate("later", "the mail server closed the connection")] * 2


def test_after_a_letter_that_went_well_the_next_is_watched_too() -> None:
    with serving(Answers()) as good, dripping() as bad:
        watch = Watch(SOON)
        each = [SmtpCarrier(f"smtp://127.0.0.1:{port}", "games.test", watch=watch) for port in (good.port, bad)]
        fates = [carrier.carry("", ANN, MAIL) for carrier in each]
        each[0].close()

    assert fates == [delivered(), Fate("later", "the mail server closed the connection")]


@contextmanager
def no_room_for_threads() -> Iterator[None]:
    """Each would need more memory than any machine has."""
    usual = threading.stack_size(1 << 47)
    try:
        yield
    finally:
        threading.stack_size(usual)


def test_once_there_is_room_for_threads_again_letters_are_watched_as_before() -> None:
    with dripping() as port, carrying(port, watch=Watch(SOON)) as carrier:
        with no_room_for_threads(), pytest.raises(RuntimeError) as short:
            carrier.carry("", ANN, MAIL)

        assert is_short(short.value), "it says nothing against the letter"
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server closed the connection")


def test_a_server_that_never_comes_to_the_end_of_its_answers_has_still_said_no() -> None:
    with dripping(b"220 hi\r\n", TOGETHER, b"250 OK\r\n550 no such user\r\n35") as port, carrying(port, watch=Watch(SOON)) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("never", "550 no such user")


def test_a_server_that_turns_us_away_at_the_door_means_later() -> None:
    with script(b"554 5.7.1 your address is on a list\r\n") as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "554 5.7.1 your address is on a list")


def test_a_server_that_takes_commands_together_gets_them_together() -> None:
    talk = (b"220 hi\r\n", TOGETHER, YES + YES + b"354 go\r\n", YES, b"221 bye\r\n")
    with scripts(talk) as (port, heard), carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == delivered()

    assert heard[1:3] == [ENVELOPE, WHOLE]


@pytest.mark.parametrize(
    ("answers", "fate"),
    [
        (YES + b"550 no such user\r\n354 go\r\n", Fate("never", "550 no such user")),
        (b"452 full\r\n503 MAIL first\r\n354 go\r\n", Fate("later", "452 full")),
    ],
)
def test_a_server_that_waits_for_a_mail_to_nobody_gets_a_lone_dot_and_then_the_next(answers: bytes, fate: Fate) -> None:
    talk = (b"220 hi\r\n", TOGETHER, answers, b"554 no valid recipients\r\n", YES * 3 + b"354 go\r\n", YES, b"221 bye\r\n")
    with scripts(talk) as (port, heard), carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == fate
        assert carrier.carry("", ANN, MAIL) == delivered()

    assert heard[1:5] == [ENVELOPE, b".\r\n", b"RSET\r\n" + ENVELOPE, WHOLE]


@pytest.mark.parametrize("answers", [YES + b"450 not now\r\n554 no valid recipients\r\n", YES + YES + b"451 not now\r\n"])
def test_a_server_that_waits_for_nothing_after_its_no_gets_the_next_mail(answers: bytes) -> None:
    talk = (b"220 hi\r\n", TOGETHER, answers, YES * 3 + b"354 go\r\n", YES, b"221 bye\r\n")
    with scripts(talk) as (port, heard), carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL).kind == "later"
        assert carrier.carry("", ANN, MAIL) == delivered()

    assert heard[1:4] == [ENVELOPE, b"RSET\r\n" + ENVELOPE, WHOLE]


def test_a_server_that_refuses_us_but_has_a_recipient_gets_no_empty_mail() -> None:
    with scripts((b"220 hi\r\n", TOGETHER, b"550 not you\r\n" + YES + b"354 go\r\n")) as (port, heard), carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("never", "550 not you")

    assert heard[1:] == [ENVELOPE, b""]


CLOSING = b"421 closing\r\n"
WELL = (b"220 hi\r\n", TOGETHER, YES + YES + b"354 go\r\n", YES)


def test_a_server_that_closes_a_connection_that_was_kept_gets_the_mail_by_a_new_one() -> None:
    with scripts((*WELL, CLOSING), (*WELL, b"221 bye\r\n")) as (port, _), carrying(port) as carrier:
        assert [carrier.carry("", ANN, MAIL) for _ in range(2)] == [delivered()] * 2


def test_a_server_that_closes_in_the_middle_of_its_answers_means_later() -> None:
    with scripts((*WELL[:2], YES + CLOSING)) as (port, _), carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "421 closing")


def test_a_server_that_cannot_forget_a_mail_gets_the_next_by_a_new_connection() -> None:
    no_reset = b"502 what?\r\n" + YES + YES + b"354 go\r\n"
    with (
        scripts((*WELL[:2], YES + YES + b"451 not now\r\n", no_reset), (*WELL, b"221 bye\r\n")) as (port, heard),
        carrying(port) as carrier,
    ):
        assert [carrier.carry("", ANN, MAIL).kind for _ in range(2)] == ["later", "delivered"]

    assert b".\r\n" not in heard, "nobody gets an empty mail"


def test_a_reason_is_one_short_clean_line() -> None:
    noise = b"550-\x1b[31mred\x00\r\n550 " + b"word " * 80 + b"\r\n"
    with script(*TO_THE_END[:3], noise) as port, carrying(port) as carrier:
        fate = carrier.carry("", ANN, MAIL)

    assert fate.kind == "never"
    assert fate.reason.startswith("550 [31mred word word")
    assert fate.reason.isprintable()
    assert len(fate.reason) == 200
