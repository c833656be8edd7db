"""The listener as a process of its own, under a well-behaved client and under sockets that misbehave."""

import smtplib
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from marketpost.mail.inbound.smtp_listener import LONGEST_LINE, MOST_BYTES, MOST_CONNECTIONS, MOST_RECIPIENTS, MOST_UNKNOWN, ListenAddress
from tests.mail.servers import Listener, eventually, listener

OURS = "play+0123@games.test"
MAIL = b"Subject: Re: Your turn\r\n\r\nred 4: stall E-F\r\n.\r\n..\r\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listener]:
    with listener(tmp_path_factory.mktemp("received")) as started:
        yield started


@pytest.fixture
def ours(running: Listener) -> Listener:
    """With nothing received yet."""
    for path in running.folder.iterdir():
        path.unlink()
    return running


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Listener]:
    """One that the test may stop."""
    with listener(tmp_path) as started:
        yield started


@contextmanager
def talking(ours: Listener) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", ours.port, "client.test", timeout=60) as client:
        client.ehlo()
        yield client


class Wire:
    """A socket, line by line."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection, self.lines = connection, connection.makefile("rb")

    def say(self, data: bytes) -> None:
        self.connection.sendall(data)

    def hear(self) -> bytes:
        """The last line of the next answer; nothing when they have hung up."""
        line = self.lines.readline()
        while line[3:4] == b"-":
            line = self.lines.readline()
        return line

    def codes(self, number: int) -> list[bytes]:
        return [self.hear()[:3] for _ in range(number)]


@contextmanager
def wired(ours: Listener, hello: bytes = b"EHLO client.test\r\n") -> Iterator[Wire]:
    with socket.create_connection(("127.0.0.1", ours.port), timeout=60) as connection:
        wire = Wire(connection)
        try:
            assert wire.hear().startswith(b"220")
            if hello:
                wire.say(hello)
                assert wire.hear().startswith(b"250")
            yield wire
        finally:
            wire.lines.close()


START = b"MAIL FROM:<ann@example.org>\r\nRCPT TO:<" + OURS.encode() + b">\r\nDATA\r\n"


def test_a_mail_is_stored_with_its_envelope_before_it_is_confirmed(ours: Listener) -> None:
    with talking(ours) as client:
        client.sendmail("ann@example.org", [OURS], MAIL)
        (received,) = ours.received()

    assert (received.raw, received.sender, received.recipients) == (MAIL, "ann@example.org", [OURS])


def test_the_store_is_awaited(ours: Listener) -> None:
    with talking(ours) as client:
        client.sendmail("ann@example.org", ["slow@games.test"], MAIL)
        assert len(ours.received()) == 1


def test_a_bounce_has_no_sender(ours: Listener) -> None:
    with talking(ours) as client:
        client.sendmail("", [OURS], MAIL)

    assert ours.received()[0].sender == ""


def test_a_store_that_fails_leaves_the_mail_with_its_sender(ours: Listener) -> None:
    with talking(ours) as client, pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("ann@example.org", ["broken@games.test"], MAIL)

    assert refused.value.smtp_code == 451


def test_unknown_recipients_are_refused_and_nothing_is_relayed(ours: Listener) -> None:
    with talking(ours) as client:
        client.mail("ann@example.org")
        for address in (
            "nobody@games.test",
            "someone@elsewhere.example",
            "someone%elsewhere.example@games.test",
            "@games.test:x@y.example",
        ):
            assert client.docmd("RCPT", f"TO:<{address}>")[0] in {550, 553}
        assert client.docmd("DATA")[0] == 503


def test_a_look_up_that_fails_means_later(ours: Listener) -> None:
    with talking(ours) as client:
        client.mail("ann@example.org")
        assert client.rcpt("lookup-fails@games.test")[0] == 451


def test_too_many_unknown_recipients_end_the_session(ours: Listener) -> None:
    with wired(ours) as wire:
        wire.say(b"MAIL FROM:<ann@example.org>\r\n" + b"RCPT TO:<guess@games.test>\r\n" * 50)

        assert wire.codes(MOST_UNKNOWN + 2) == [b"250", *[b"550"] * (MOST_UNKNOWN - 1), b"421", b""]


def test_of_two_hundred_recipients_a_hundred_are_taken(ours: Listener) -> None:
    with wired(ours) as wire:
        everyone = b"".join(b"RCPT TO:<play+0%d@games.test>\r\n" % number for number in range(200))
        wire.say(b"MAIL FROM:<ann@example.org>\r\n" + everyone + b"DATA\r\n")
        codes = wire.codes(202)
        wire.say(MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n")

        assert codes == [b"250", *[b"250"] * MOST_RECIPIENTS, *[b"452"] * (200 - MOST_RECIPIENTS), b"354"]
        assert wire.hear().startswith(b"250")

    assert len(ours.received()[0].recipients) == MOST_RECIPIENTS


def test_a_whole_session_in_one_breath(ours: Listener) -> None:
    with wired(ours) as wire:
        wire.say((START + b"Subject: x\r\n\r\none\r\n.\r\n") * 2 + b"QUIT\r\n")

        assert wire.codes(9) == [b"250", b"250", b"354", b"250"] * 2 + [b"221"]

    assert len(ours.received()) == 2


def test_the_size_is_announced_and_kept_to(ours: Listener) -> None:
    big = b"Subject: x\r\n\r\n" + b"0123456789\r\n" * (2_000_000 // 12)
    with talking(ours) as client:
        assert client.esmtp_features["size"] == str(MOST_BYTES)
        with pytest.raises(smtplib.SMTPSenderRefused) as refused:
            client.sendmail("ann@example.org", [OURS], big)
        assert refused.value.smtp_code == 552

    with wired(ours) as wire:
        wire.say(START + big + b".\r\nNOOP\r\n")
        assert wire.codes(5) == [b"250", b"250", b"354", b"552", b"250"]

    assert not ours.received()


@pytest.mark.parametrize("length", [LONGEST_LINE + 10, 900_000])
def test_a_huge_line_is_refused_and_the_session_goes_on(ours: Listener, length: int) -> None:
    with wired(ours) as wire:
        wire.say(START + b"Subject: x\r\n\r\n" + b"x" * length + b"\r\n.\r\nNOOP\r\n")

        assert wire.codes(5) == [b"250", b"250", b"354", b"500", b"250"]

    assert not ours.received()


def test_html_in_one_long_line_is_taken(ours: Listener) -> None:
    with wired(ours) as wire:
        wire.say(START + b"Subject: x\r\n\r\n" + b"x" * 10_000 + b"\r\n.\r\n")

        assert wire.codes(4) == [b"250", b"250", b"354", b"250"]


def test_nuls_and_strange_bytes_in_a_mail_are_kept_as_they_are(ours: Listener) -> None:
    body = b"Subject: \x00\xff\r\n\r\n\x00\x01\x80\xfe\r\n"
    with wired(ours) as wire:
        wire.say(START + body + b".\r\n")

        assert wire.codes(4) == [b"250", b"250", b"354", b"250"]

    assert ours.received()[0].raw == body


ENDS = [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r\n\x00.\r\n", b"\n.\r", b"\r\r\n.\r\r\n"]


@pytest.mark.parametrize("end", ENDS)
def test_no_second_mail_can_be_smuggled_inside_the_first(ours: Listener, end: bytes) -> None:
    smuggled = b"MAIL FROM:<admin@example.org>\r\nRCPT TO:<play+0666@games.test>\r\nDATA\r\nSubject: evil\r\n\r\nred 1: pass\r\n"
    with wired(ours) as wire:
        wire.say(START + b"Subject: x\r\n\r\nhello" + end + smuggled + b".\r\nNOOP\r\n")
        codes = wire.codes(5)

    assert codes[:3] == [b"250", b"250", b"354"]
    assert codes[4] == b"250"
    bare = end != b"\r\n\x00.\r\n"
    assert codes[3] == (b"550" if bare else b"250")
    assert len(ours.received()) == (0 if bare else 1)
    assert all(received.recipients == [OURS] for received in ours.received())


HOSTILE = [
    b"\x00\x01\x02\r\n",
    b"MAIL FROM:<\xff\xfe@x>\r\n",
    b"MAIL FROM:<a\x00b@x>\r\n",
    b"MAIL FROM:<" + b"a" * 3000 + b"@x>\r\n",
    b"MAIL FROM:" + b"<" * 400 + b"\r\n",
    b'MAIL FROM:<"\r\n',
    b"MAIL FROM:<@>\r\n",
    b"RCPT TO:<>\r\n",
    b"MAIL FROM:<a@b> SIZE=99999999999999999999\r\n",
    b"MAIL FROM:<a@b> SIZE=\xc2\xb2\r\n",
    b"AUTH PLAIN AGFubgB4\r\n",
    b"STARTTLS\r\n",
    b"VRFY play+0123\r\n",
    b"EXPN all\r\n",
    b"GET / HTTP/1.1\r\n",
]


@pytest.mark.parametrize("line", HOSTILE)
def test_nonsense_is_answered_and_does_no_harm(ours: Listener, line: bytes) -> None:
    with wired(ours) as wire:
        wire.say(line + b"RSET\r\n")
        assert wire.hear()[:1] in {b"2", b"4", b"5"}
        assert wire.hear().startswith(b"250")
        wire.say(START + MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        assert wire.codes(4) == [b"250", b"250", b"354", b"250"]

    assert ours.received()[0].raw == MAIL


def test_endless_commands_end_the_session(ours: Listener) -> None:
    with wired(ours) as wire:
        wire.say(b"NOOP\r\n" * 100)

        assert wire.codes(27) == [b"250"] * 25 + [b"421", b""]


def test_a_client_that_leaves_in_the_middle_leaves_nothing(ours: Listener) -> None:
    for cut in (b"", b"MAIL FROM:<ann@example.org>\r\n", START, START + b"Subject: x\r\n\r\nhalf a li"):
        with wired(ours) as wire:
            wire.say(cut)
    with talking(ours) as client:
        client.sendmail("ann@example.org", [OURS], MAIL)

    assert len(ours.received()) == 1


def test_more_connections_than_we_have_room_for_are_told_so(ours: Listener) -> None:
    crowd = [socket.create_connection(("127.0.0.1", ours.port), timeout=60) for _ in range(MOST_CONNECTIONS)]
    try:
        assert all(each.recv(100).startswith(b"220") for each in crowd)
        for each in crowd:
            each.sendall(b"HELO x\r\n")
            assert each.recv(100).startswith(b"250")
            each.sendall(b"MAIL FROM:<ann@example.org>\r\n")
            assert each.recv(100).startswith(b"250")
        with socket.create_connection(("127.0.0.1", ours.port), timeout=60) as late:
            assert late.recv(100).startswith(b"421")
    finally:
        for each in crowd:
            each.close()
    eventually(lambda: _greeted(ours))


def test_a_crowd_that_says_nothing_keeps_nobody_out(ours: Listener) -> None:
    crowd = [socket.create_connection(("127.0.0.1", ours.port), timeout=60) for _ in range(2 * MOST_CONNECTIONS)]
    try:
        with talking(ours) as client:
            client.sendmail("ann@example.org", [OURS], MAIL)
    finally:
        for each in crowd:
            each.close()

    assert len(ours.received()) == 1


def _greeted(ours: Listener) -> bool:
    with socket.create_connection(("127.0.0.1", ours.port), timeout=60) as again:
        return again.recv(100).startswith(b"220")


@pytest.mark.parametrize("busy", [b"", START, START + b"half", START.replace(b"play+0123@", b"hangs@") + b"Subject: x\r\n\r\n.\r\n"])
def test_it_stops_without_waiting_for_its_clients(mortal: Listener, busy: bytes) -> None:
    with wired(mortal) as wire:
        wire.say(busy)
        time.sleep(0.2)
        mortal.process.terminate()

        assert mortal.process.wait(20) == 0


def test_a_mail_that_is_being_stored_gets_its_answer_before_the_stop(mortal: Listener) -> None:
    with wired(mortal) as wire:
        wire.say(START.replace(OURS.encode(), b"slow@games.test") + b"Subject: x\r\n\r\n.\r\n")
        assert wire.codes(3) == [b"250", b"250", b"354"]
        time.sleep(0.1)
        mortal.process.terminate()

        assert wire.hear().startswith(b"250")


def test_lmtp_answers_once_for_each_recipient(tmp_path: Path) -> None:
    with listener(tmp_path, lmtp=True) as ours, wired(ours, b"LHLO client.test\r\n") as wire:
        two = START.replace(b"DATA", b"RCPT TO:<play+0456@games.test>\r\nRCPT TO:<nobody@games.test>\r\nDATA")
        wire.say(two + b"Subject: x\r\n\r\n.\r\nNOOP\r\n")
        assert wire.codes(8) == [b"250", b"250", b"250", b"550", b"354", b"250", b"250", b"250"]
        wire.say(two + b"x" * 20_000 + b"\r\n.\r\nEHLO x\r\n")
        assert wire.codes(8) == [b"250", b"250", b"250", b"550", b"354", b"500", b"500", b"500"]

        assert len(ours.received()) == 1


def test_where_to_listen() -> None:
    assert ListenAddress.parse("127.0.0.1:2525") == ListenAddress("127.0.0.1", 2525)
    assert ListenAddress.parse("lmtp://[::1]:24", "games.test") == ListenAddress("::1", 24, True, "games.test")
    for wrong in ("2525", "127.0.0.1", "http://127.0.0.1:25", ""):
        with pytest.raises(ValueError, match="no address to listen at"):
            ListenAddress.parse(wrong)
