"""Mail through Debian's own Postfix and Dovecot: out to players, back to our listener, and read by IMAP."""

import json
import smtplib
import subprocess
import sys
import threading
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from imaplib import IMAP4
from urllib.parse import quote

import pytest

from marketpost.mail.inbound import imap_poller as imap
from marketpost.mail.inbound.imap_poller import MOST_BYTES, TOO_BIG, Receive, watch
from marketpost.mail.outbound.attempt import delivered
from marketpost.mail.outbound.smtp import SmtpTransport
from marketpost.mail.outbound.smtp_server_url import BadUrl
from tests.mail.servers import GAMES, PASSWORD, TOKEN, eventually, stopping
from tests.mail.town import PLAYERS, Town, town

ANN, BOB, CARL, DESK = (f"{name}@{PLAYERS}" for name in ("ann", "bob", "carl", "desk"))
PLAY = f"play+{TOKEN}@{GAMES}"
Handed = list[tuple[bytes, str, list[str]]]


@pytest.fixture(scope="module")
def place() -> Iterator[Town]:
    with town() as built:
        yield built


@pytest.fixture
def desk(place: Town) -> str:
    """The address of a mailbox with nothing unseen in it."""
    url = f"imaps://{quote(DESK)}:{quote(PASSWORD, safe='')}@localhost:{place.imaps_port}/INBOX?ca={place.certificates.ca}"
    with IMAP4("127.0.0.1", place.imap_port, timeout=60) as client:
        client.login(DESK, PASSWORD)
        client.select()
        for number in client.search(None, "UNSEEN")[1][0].split():
            client.store(number.decode(), "+FLAGS", r"(\Seen)")
    return url


def mail(subject: str, to: str, body: str = "red 4: stall E-F") -> bytes:
    return f"From: {ANN}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{subject}@{PLAYERS}>\r\n\r\n{body}\r\n".encode()


def post(place: Town, sender: str, recipient: str, message: bytes) -> None:
    with smtplib.SMTP("127.0.0.1", place.smtp_port, "client.test", timeout=60) as client:
        client.sendmail(sender, [recipient], message)


def to_desk(place: Town, subject: str, body: str = "red 4: stall E-F") -> None:
    """Straight into the mailbox, so that it is there when this returns."""
    with smtplib.LMTP("127.0.0.1", place.lmtp_port, "client.test", timeout=60) as client:
        client.sendmail(ANN, [DESK], mail(subject, PLAY, body))


def watch_for_one(url: str, receive: Receive, most_bytes: int = MOST_BYTES) -> None:
    """Until a mail has been handed over, and the mailbox noted as one that can be read."""
    stop, read = threading.Event(), threading.Event()

    def take(raw: bytes, sender: str, recipients: list[str]) -> None:
        receive(raw, sender, recipients)
        stop.set()

    watch(url, take, stop, most_bytes, read.set)
    assert read.is_set()


def test_a_letter_goes_out_with_tls_and_password_and_arrives(place: Town) -> None:
    login = f"{quote(ANN, safe='')}:{quote(PASSWORD, safe='')}"
    transport = SmtpTransport(f"smtp://{login}@localhost:{place.submission_port}?starttls=require&ca={place.certificates.ca}", GAMES)
    assert transport.deliver(f"bounce+1@{GAMES}", BOB, mail("turn-1", BOB, "Grüße")) == delivered()
    assert transport.deliver(f"bounce+1@{GAMES}", BOB, mail("turn-2", BOB)) == delivered()
    transport.close()

    eventually(lambda: len(place.box(BOB)) == 2)
    # Postfix delivers side by side: of two mails sent together either may come first.
    (first,) = [each for each in place.box(BOB) if b"Subject: turn-1" in each]
    assert first.startswith(f"Return-Path: <bounce+1@{GAMES}>".encode())
    assert "Grüße".encode() in first


def test_a_reply_reaches_our_listener_with_its_whole_address(place: Town) -> None:
    post(place, ANN, PLAY, mail("reply-1", PLAY))

    received = eventually(lambda: [each for each in place.listener.received() if b"reply-1" in each.raw])
    assert isinstance(received, list)
    assert (received[0].sender, received[0].recipients) == (ANN, [PLAY])


def test_an_unknown_player_comes_back_to_the_listener_as_a_bounce(place: Town) -> None:
    transport = SmtpTransport(f"smtp://127.0.0.1:{place.smtp_port}", GAMES)
    assert transport.deliver(PLAY, f"nobody@{PLAYERS}", mail("lost-1", "nobody")) == delivered()
    transport.close()

    found = eventually(lambda: [each for each in place.listener.received() if b"lost-1" in each.raw and each.sender == ""])
    assert isinstance(found, list)
    report = message_from_bytes(found[0].raw)
    assert found[0].recipients == [PLAY]
    assert report.get_content_type() == "multipart/report"
    assert b"Status: 5.1.1" in found[0].raw
    assert f"nobody@{PLAYERS}".encode() in found[0].raw


def test_a_reply_with_a_wrong_token_comes_back_to_the_player_as_a_bounce(place: Town) -> None:
    post(place, CARL, f"play+wrong@{GAMES}", mail("wrong-1", "play"))

    eventually(lambda: any(b"wrong-1" in each and b"no such address here" in each for each in place.box(CARL)))


def test_what_is_unseen_is_handed_over_and_marked(place: Town, desk: str) -> None:
    post(place, ANN, DESK, mail("poll-1", PLAY))
    eventually(lambda: place.box(DESK, search="UNSEEN"))
    handed: Handed = []

    watch_for_one(desk, lambda *given: handed.append(given))

    assert not place.box(DESK, search="UNSEEN")
    ((raw, sender, recipients),) = handed
    assert b"Subject: poll-1\r\n" in raw
    assert (sender, recipients) == (ANN, [DESK, PLAY])


def test_a_mail_that_is_too_big_is_handed_over_as_a_note(place: Town, desk: str) -> None:
    to_desk(place, "big-1", "0123456789\r\n" * 2000)
    handed: Handed = []

    watch_for_one(desk, lambda *given: handed.append(given), most_bytes=10_000)

    ((raw, sender, recipients),) = handed
    note = message_from_bytes(raw)
    assert int(note[TOO_BIG]) > 20_000
    assert (note["Subject"], note["From"], note["Message-ID"]) == ("big-1", ANN, f"<big-1@{PLAYERS}>")
    assert (note.get_payload(), sender, PLAY in recipients) == ("", ANN, True)


def test_mails_are_moved_to_a_folder_if_one_is_named(place: Town, desk: str) -> None:
    to_desk(place, "move-1")

    watch_for_one(f"{desk}&move=Read by us", lambda raw, sender, recipients: None)

    assert [b"move-1" in each for each in place.box(DESK, '"Read by us"')] == [True]
    assert not any(b"move-1" in each for each in place.box(DESK))


def test_a_folder_whose_numbers_begin_anew_loses_no_mail(place: Town, desk: str) -> None:
    handed: Handed = []
    for subject in ("old-1", "new-1"):
        with IMAP4("127.0.0.1", place.imap_port, timeout=60) as client:
            client.login(DESK, PASSWORD)
            client.delete("Replies")
            client.create("Replies")
            client.append("Replies", "", "", mail(subject, PLAY))
        watch_for_one(desk.replace("/INBOX", "/Replies"), lambda *given: handed.append(given))

    assert [message_from_bytes(raw)["Subject"] for raw, _, _ in handed] == ["old-1", "new-1"]


@pytest.mark.parametrize("idle", [True, False])
def test_watching_sees_new_mail_soon_and_stops_when_told(place: Town, desk: str, idle: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not idle:
        monkeypatch.setattr(imap, "EVERY", 0.2)
        monkeypatch.setattr(imap, "_wait_for_news", lambda box, stop, most: stop.wait(0.2))
    handed: Handed = []
    stop = threading.Event()
    thread = threading.Thread(target=watch, args=(desk, lambda *given: handed.append(given), stop))
    thread.start()
    try:
        to_desk(place, "watch-1")
        eventually(lambda: len(handed) == 1, 10)
        to_desk(place, "watch-2")
        eventually(lambda: len(handed) == 2, 10)
    finally:
        stop.set()
        thread.join(5)

    assert not thread.is_alive()


@pytest.mark.parametrize("error", [ConnectionError("the store is away"), RuntimeError("killed")])
def test_a_mail_that_could_not_be_stored_is_handed_over_again_as_it_was(place: Town, desk: str, error: Exception) -> None:
    to_desk(place, "again-1")
    handed: Handed = []

    def fails_once(raw: bytes, sender: str, recipients: list[str]) -> None:
        handed.append((raw, sender, recipients))
        if len(handed) == 1:
            raise error

    watch_for_one(desk, fails_once)

    assert len(handed) == 2
    assert handed[0] == handed[1]


class Once(threading.Event):
    """Stops whoever is about to wait and try again."""

    def wait(self, timeout: float | None = None) -> bool:
        self.set()
        return True


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(place: Town, desk: str, caplog: pytest.LogCaptureFixture) -> None:
    to_desk(place, "trust-1")
    handed: list[object] = []

    watch(desk.partition("?")[0], lambda *given: handed.append(given), Once())

    assert not handed
    assert "certificate verify failed" in caplog.text


def test_a_url_needs_a_name() -> None:
    with pytest.raises(BadUrl, match="IMAP_URL"):
        watch_for_one("imaps://mail.example.org/INBOX", lambda raw, sender, recipients: None)


def test_recipients_are_read_from_a_hostile_header_too() -> None:
    raw = (
        b'Return-Path: <>\r\nDelivered-To: desk@x\r\nto:\r\n  play+1@x,\r\n "odd, name" <play+2@x>\r\n: bad\r\nTo'
        + b"(" * 9000
        + b": a\r\n\r\nTo: no@x"
    )

    assert imap._envelope(raw) == ("", ["desk@x", "play+1@x", "play+2@x"])


@pytest.mark.parametrize("nested", ["(" * 4000, "a(" * 1900, "a:b:c:" * 600, "<" * 4000], ids=["comments", "names", "groups", "brackets"])
def test_a_mail_with_endless_brackets_in_its_address_holds_up_none_behind_it(place: Town, desk: str, nested: str) -> None:
    with IMAP4("127.0.0.1", place.imap_port, timeout=60) as client:
        client.login(DESK, PASSWORD)
        for subject, to in (("nested-1", nested), ("behind-1", PLAY)):
            client.append("INBOX", "", "", mail(subject, to))
    handed: Handed = []
    stop = threading.Event()

    def take(raw: bytes, sender: str, recipients: list[str]) -> None:
        handed.append((raw, sender, recipients))
        if b"behind-1" in raw:
            stop.set()

    watcher = threading.Thread(target=watch, args=(desk, take, stop), daemon=True)
    watcher.start()
    try:
        eventually(lambda: [PLAY] in [recipients for _, _, recipients in handed])
    finally:
        stop.set()
        watcher.join(5)


def test_the_example_bot_reads_its_letters_by_imap_and_answers_them(place: Town) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"], letter["Message-ID"] = PLAY, CARL, "Your turn", f"<turn@{GAMES}>"
    letter.set_content("It is your turn.")
    asked = {"game": {"id": "g1", "version": 7, "steps": ["bobby 5"]}, "reply_to": PLAY}
    letter.add_attachment(json.dumps(asked).encode(), maintype="application", subtype="json", filename="game.json")
    with smtplib.LMTP("127.0.0.1", place.lmtp_port, "client.test", timeout=60) as client:
        client.sendmail(ANN, [CARL], letter.as_bytes())
    box = f"imap://{quote(CARL)}:{quote(PASSWORD, safe='')}@127.0.0.1:{place.imap_port}"
    bot = [sys.executable, "examples/bot_mail.py", CARL, box, f"smtp://127.0.0.1:{place.smtp_port}"]

    with subprocess.Popen(bot) as process, stopping(process):
        eventually(lambda: not place.box(CARL, search=f'UNSEEN HEADER Message-ID "<turn@{GAMES}>"'))

    received = eventually(lambda: [each for each in place.listener.received() if f"<re-{PLAY}>".encode() in each.raw])
    assert isinstance(received, list)
    [reply] = received
    assert (reply.sender, reply.recipients) == (CARL, [PLAY])
    assert b"\r\n\r\nbobby 5\r\n" in reply.raw
