"""Mails are carried over real SMTP sessions, to servers that behave and to servers that do not."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

from mail import carrier as carriers
from mail.carrier import Fate, MailboxCarrier, SmtpCarrier, carrier_for, delivered
from mail.server import BadUrl, Server
from store.connect import connect
from store.mailbox import Mailbox
from tests.mail.servers import Certificates, free_port, listener, make_certificates
from tests.redis import games_redis

MAIL = b"Subject: Your turn\r\n\r\nRed has built.\r\n.a line with a dot\r\n"
ANN = "ann@example.org"


class Answers:
    """A server's mind: what it says to a recipient and to a mail."""

    def __init__(self, rcpt: str = "250 OK", data: str = "250 OK") -> None:
        self.rcpt, self.data = rcpt, data
        self.taken: list[Envelope] = []
        self.sessions: set[Any] = set()

    async def handle_RCPT(self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]) -> str:
        self.sessions.add(session.peer)
        envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        self.taken.append(envelope)
        return self.data


@contextmanager
def serving(answers: Answers, **options: Any) -> Iterator[Controller]:
    controller = Controller(answers, hostname="127.0.0.1", **{"port": free_port(), **options})
    controller.start()
    try:
        yield controller
    finally:
        controller.stop()


@contextmanager
def carrying(controller: Controller | int, query: str = "", login: str = "", host: str = "127.0.0.1") -> Iterator[SmtpCarrier]:
    port = controller if isinstance(controller, int) else controller.port
    carrier = SmtpCarrier(f"smtp://{login}{host}:{port}{query}", "games.test")
    try:
        yield carrier
    finally:
        carrier.close()


def once(answers: Answers, **options: Any) -> Fate:
    with serving(answers, **options) as controller, carrying(controller) as carrier:
        return carrier.carry("bounce@games.test", ANN, MAIL)


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


@contextmanager
def script(*lines: bytes, silent: bool = False) -> Iterator[int]:
    """A server that says these lines, one for each thing it hears, and then hangs up, or hangs on."""
    with scripts(lines, silent=silent) as (port, _):
        yield port


@contextmanager
def scripts(*connections: Sequence[bytes], silent: bool = False) -> Iterator[tuple[int, list[bytes]]]:
    """The same for several connections, one after another; and what it heard in all of them."""
    over, heard = threading.Event(), list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for lines in connections:
                connection, _ = server.accept()
                with connection:
                    connection.settimeout(5)
                    for line in lines:
                        connection.sendall(line)
                        heard.append(connection.recv(100_000))
                    if silent:
                        over.wait(10)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], heard
        over.set()
        thread.join()


TO_THE_END = (b"220 hi\r\n", b"250 hi\r\n", b"250 OK\r\n", b"250 OK\r\n", b"354 go\r\n")


def test_a_connection_lost_before_the_answer_to_the_mail_means_later() -> None:
    with script(*TO_THE_END) as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server closed the connection")


def test_a_mail_that_was_taken_before_the_connection_broke_is_not_sent_again() -> None:
    with script(*TO_THE_END, b"250 taken\r\n") as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == delivered()


def test_a_server_that_is_too_slow_means_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "ANSWER_WITHIN", 0.3)
    with script(*TO_THE_END[:3], silent=True) as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server does not answer in time")


def test_a_server_that_answers_byte_by_byte_means_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "CARRIED_WITHIN", 0.5)
    with dripping() as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "the mail server closed the connection")


def test_each_of_several_letters_on_their_way_to_such_a_server_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "CARRIED_WITHIN", 0.5)
    with dripping() as one, dripping() as other:
        watch = carriers.Watch()
        each = [SmtpCarrier(f"smtp://127.0.0.1:{port}", "games.test", watch=watch) for port in (one, other)]
        with ThreadPoolExecutor() as hands:
            fates = [*hands.map(lambda carrier: carrier.carry("", ANN, MAIL), each)]

    assert fates == [Fate("later", "the mail server closed the connection")] * 2


def test_after_a_letter_that_went_well_the_next_is_watched_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "CARRIED_WITHIN", 0.5)
    with serving(Answers()) as good, dripping() as bad:
        watch = carriers.Watch()
        each = [SmtpCarrier(f"smtp://127.0.0.1:{port}", "games.test", watch=watch) for port in (good.port, bad)]
        fates = [carrier.carry("", ANN, MAIL) for carrier in each]
        each[0].close()

    assert fates == [delivered(), Fate("later", "the mail server closed the connection")]


def test_a_server_that_never_comes_to_the_end_of_its_answers_has_still_said_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "CARRIED_WITHIN", 0.5)
    with dripping(b"220 hi\r\n", TOGETHER, b"250 OK\r\n550 no such user\r\n35") as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("never", "550 no such user")


@contextmanager
def dripping(*lines: bytes) -> Iterator[int]:
    """A server that says these lines, or greets, and then never comes to the end of its answer, nor falls silent."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                for line in lines or (b"220 hi\r\n250-",):
                    connection.sendall(line)
                    connection.recv(100_000)
                while True:
                    connection.sendall(b"x")
                    time.sleep(0.05)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


TOGETHER = b"250-hi\r\n250 PIPELINING\r\n"
ENVELOPE = b"MAIL FROM:<>\r\nRCPT TO:<ann@example.org>\r\nDATA\r\n"
WHOLE = MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n"
YES = b"250 OK\r\n"


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


def test_a_server_that_turns_us_away_at_the_door_means_later() -> None:
    with script(b"554 5.7.1 your address is on a list\r\n") as port, carrying(port) as carrier:
        assert carrier.carry("", ANN, MAIL) == Fate("later", "554 5.7.1 your address is on a list")


def test_a_reason_is_one_short_clean_line() -> None:
    noise = b"550-\x1b[31mred\x00\r\n550 " + b"word " * 80 + b"\r\n"
    with script(*TO_THE_END[:3], noise) as port, carrying(port) as carrier:
        fate = carrier.carry("", ANN, MAIL)

    assert fate.kind == "never"
    assert fate.reason.startswith("550 [31mred word word")
    assert fate.reason.isprintable()
    assert len(fate.reason) == 200


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
    mail = "Subject: x\r\n\r\nétal\r\n".encode()
    with serving(answers, enable_SMTPUTF8=True) as controller, carrying(controller) as carrier:
        assert carrier.carry("", "zoé@bücher.example", mail) == delivered()

    (taken,) = answers.taken
    assert taken.rcpt_tos == ["zoé@xn--bcher-kva.example"]
    assert {"BODY=8BITMIME", "SMTPUTF8"} <= set(taken.mail_options)


def test_a_server_without_such_letters_says_so_and_takes_the_domain_in_ascii() -> None:
    answers = Answers()
    with serving(answers, enable_SMTPUTF8=False) as controller, carrying(controller) as carrier:
        assert carrier.carry("", "zoé@example.org", MAIL).kind == "never"
        assert carrier.carry("", "ann@bücher.example", MAIL) == delivered()


def test_an_old_server_gets_seven_bits() -> None:
    mail = "Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nétal\r\n".encode()
    answers = Answers()
    with serving(answers, decode_data=True) as controller, carrying(controller) as carrier:
        assert carrier.carry("", ANN, mail) == delivered()

    (taken,) = answers.taken
    assert isinstance(taken.original_content, bytes)
    assert taken.original_content.isascii()
    assert b"base64" in taken.original_content


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("tls"))


def server_tls(made: Certificates) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made.certificate, made.key)
    return context


def only_ann(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    return AuthResult(handled=False, success=(data.login, data.password) == (b"ann", b"p@ss/#1"))


def test_starttls_with_a_good_certificate_and_a_password(certificates: Certificates) -> None:
    answers = Answers()
    options = {"tls_context": server_tls(certificates), "require_starttls": True, "authenticator": only_ann, "auth_required": True}
    login = f"ann:{quote('p@ss/#1', safe='')}@"
    with serving(answers, **options) as controller, carrying(controller, f"?starttls=require&ca={certificates.ca}", login) as carrier:
        assert carrier.carry("", ANN, MAIL) == delivered()


def test_a_wrong_password_means_later_and_is_told_without_the_password(certificates: Certificates) -> None:
    options = {"tls_context": server_tls(certificates), "require_starttls": True, "authenticator": only_ann, "auth_required": True}
    with (
        serving(Answers(), **options) as controller,
        carrying(controller, f"?starttls=require&ca={certificates.ca}", "ann:nonsense@") as carrier,
    ):
        fate = carrier.carry("", ANN, MAIL)

    assert fate.kind == "later"
    assert "name and password" in fate.reason
    assert "nonsense" not in fate.reason + repr(carrier.server)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_unknown_certificate_is_not_trusted(certificates: Certificates, host: str) -> None:
    answers = Answers()
    with (
        serving(answers, tls_context=server_tls(certificates)) as controller,
        carrying(controller, "?starttls=if-offered", host=host) as carrier,
    ):
        fate = carrier.carry("", ANN, MAIL)

    assert fate.kind == "later"
    assert "certificate is not good" in fate.reason
    assert not answers.taken


def test_a_server_without_tls_gets_nothing_when_tls_is_required() -> None:
    answers = Answers()
    with serving(answers) as controller, carrying(controller, "?starttls=require") as carrier:
        assert carrier.carry("", ANN, MAIL).kind == "later"

    assert not answers.taken


def test_tls_from_the_first_byte(certificates: Certificates) -> None:
    answers = Answers()
    with serving(answers, ssl_context=server_tls(certificates), server_hostname="localhost") as controller:
        carrier = SmtpCarrier(f"smtps://127.0.0.1:{controller.port}?ca={certificates.ca}", "games.test")
        assert carrier.carry("", ANN, MAIL) == delivered()
        carrier.close()


def test_lmtp(tmp_path: Path) -> None:
    with listener(tmp_path, lmtp=True) as ours:
        carrier = SmtpCarrier(f"lmtp://127.0.0.1:{ours.port}", "games.test")
        assert carrier.carry("", "play+0@games.test", MAIL) == delivered()
        assert carrier.carry("", "other@games.test", MAIL).kind == "never"
        carrier.close()

        assert [each.raw for each in ours.received()] == [MAIL]


@pytest.mark.parametrize(
    ("url", "starttls"),
    [
        ("smtp://mail.example.org", "if-offered"),
        ("smtp://ann:x@mail.example.org:587", "require"),
        ("smtp://ann:x@mail.example.org:587?starttls=no", "no"),
        ("smtp://ann:x@127.0.0.1", "no"),
        ("smtps://ann:x@mail.example.org", "no"),
    ],
)
def test_a_password_never_travels_in_the_open_unless_somebody_says_so(url: str, starttls: str) -> None:
    assert Server.parse(url, carriers.PORTS).starttls == starttls


@pytest.mark.parametrize(
    "url",
    [
        "http://x",
        "smtp://",
        "smtp://h:port",
        "smtp://h:99999",
        "smtp://h?tls=1",
        "smtp://h?starttls=maybe",
        "smtp://ann:s3#x@h",
        "smtp://a:s3/x@h",
    ],
)
def test_a_wrong_url_is_told_without_its_password(url: str) -> None:
    with pytest.raises(BadUrl) as wrong:
        SmtpCarrier(url)

    assert "s3" not in str(wrong.value)


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
