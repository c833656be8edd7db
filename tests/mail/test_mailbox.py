"""The local mailbox: kept in a real Redis, read and answered from the command line and in a browser's way."""

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient

from marketpost.cli.mailbox import mailbox_command
from marketpost.mail.outbound.smtp_server_url import is_private
from marketpost.store import local_mailbox as mailboxes
from marketpost.store.local_mailbox import LocalMailbox, MailboxMessage, write_reply
from marketpost.store.redis_client import RedisClient
from marketpost.web.mailbox_page import mailbox_pages

ANN = "Ann@example.org"
PLAY = "play+0123@games.test"


@pytest.fixture
def mailbox(redis: RedisClient) -> LocalMailbox:
    redis.flushdb()
    return LocalMailbox(redis)


def letter(subject: str = "Your turn – règle", html: bool = True) -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "Marketpost <games@games.test>"
    message["To"] = ANN
    message["Reply-To"] = f"Marketpost <{PLAY}>"
    message["Subject"] = subject
    message["Date"] = "Mon, 09 Mar 2026 18:00:00 +0000"
    message["Message-ID"] = "<7-1@games.test>"
    message["References"] = "<7-0@games.test>"
    message.set_content("Red has built. Look: https://games.test/g/7?a=1&b=2.\n\n  stall A-B\n")
    if html:
        message.add_alternative('<p>Red has built. <script>alert(1)</script><img src="https://evil.example/x.png"></p>', subtype="html")
        message.add_attachment("1 red: stall A-B\n", filename="../record.txt")
    return message.as_bytes()


def letter_with_picture() -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "Your turn"
    message.set_content("A board.")
    message.add_alternative('<img src="cid:board-1@marketpost">', subtype="html")
    _, page = message.iter_parts()
    page.add_related(b"\x89PNG", "image", "png", cid="<board-1@marketpost>", disposition="inline", filename="board.png")
    message.add_attachment("1 red: stall A-B\n", filename="record.txt")
    return message.as_bytes()


def test_mails_lie_in_order_and_know_whether_they_were_read(mailbox: LocalMailbox) -> None:
    letters = [letter("Turn 1"), letter("Turn 2")]
    for number, raw in enumerate(letters, 1):
        assert mailbox.add(ANN, "bounce@games.test", raw, number * 1000) == number
    mailbox.mark_read(ANN.upper(), 1)
    mailbox.mark_read(ANN, 99)

    assert [(line.number, line.head.subject, line.read) for line in mailbox.list(ANN)] == [(1, "Turn 1", True), (2, "Turn 2", False)]
    assert mailbox.addresses() == [("ann@example.org", 2, 1)]
    mail = mailbox.read(ANN, 2)
    assert mail
    assert mail.raw == letters[1]
    assert mailbox.read(ANN, 3) is None


def test_only_the_newest_are_kept_and_numbers_never_change(mailbox: LocalMailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailboxes, "MOST_MAILS", 3)
    for number in range(1, 6):
        mailbox.add(ANN, "", letter(f"Turn {number}"), number)
        mailbox.mark_read(ANN, number)

    assert [line.number for line in mailbox.list(ANN)] == [3, 4, 5]
    assert mailbox.addresses() == [("ann@example.org", 3, 0)]


def test_a_mailbox_can_be_erased(mailbox: LocalMailbox, redis: RedisClient) -> None:
    mailbox.add(ANN, "", letter(), 1)
    mailbox.erase(ANN)

    assert redis.dbsize() == 0


def test_a_reply_looks_like_one_of_a_mail_program() -> None:
    raw = write_reply(MailboxMessage(letter()), "ann@example.org", "4: étal E-F\n", datetime(2026, 3, 10, tzinfo=UTC))
    reply = message_from_bytes(raw, policy=policy.default)

    assert (reply["From"], reply["To"], reply["Subject"]) == ("ann@example.org", PLAY, "Re: Your turn – règle")
    assert (reply["In-Reply-To"], reply["References"]) == ("<7-1@games.test>", "<7-0@games.test> <7-1@games.test>")
    assert isinstance(reply, EmailMessage)
    assert reply.get_content().replace("\r\n", "\n") == (
        "4: étal E-F\n\nOn Mon, 09 Mar 2026 18:00:00 +0000, Marketpost <games@games.test> wrote:\n"
        "> Red has built. Look: https://games.test/g/7?a=1&b=2.\n>\n>   stall A-B\n"
    )
    assert raw.isascii()


Handed = list[tuple[bytes, list[str]]]


def run(mailbox: LocalMailbox, *arguments: str, handed: Handed | None = None, text: str = "") -> Result:
    command: click.Command = mailbox_command(lambda: mailbox, lambda *given: (handed if handed is not None else []).append(given))
    return CliRunner().invoke(command, arguments, input=text)


def test_the_command_shows_addresses_lists_and_mails(mailbox: LocalMailbox) -> None:
    assert "No mail yet" in run(mailbox).output
    mailbox.add(ANN, "", letter(), 1_000_000)

    assert "1 new" in run(mailbox).output
    assert re.search(r"1 \* 1970-01-01 .* Your turn – règle", run(mailbox, ANN).output)
    shown = run(mailbox, ANN, "1").output
    assert "  stall A-B" in shown
    assert "Attached: ../record.txt" in shown
    assert "1 *" not in run(mailbox, ANN).output
    assert "no mail 7" in run(mailbox, ANN, "7").output
    assert "No mail for bob@example.org yet" in run(mailbox, "bob@example.org").output


def test_the_pictures_of_a_mail_are_saved_with_what_is_attached(mailbox: LocalMailbox, tmp_path: Path) -> None:
    mailbox.add(ANN, "", letter_with_picture(), 1)

    assert run(mailbox, ANN, "1", "--save", str(tmp_path)).exit_code == 0

    assert {path.name for path in tmp_path.iterdir()} == {"board.png", "record.txt"}
    assert (tmp_path / "board.png").read_bytes() == b"\x89PNG"


def test_attachments_are_saved_inside_the_folder_only(mailbox: LocalMailbox, tmp_path: Path) -> None:
    mailbox.add(ANN, "", letter(), 1)
    folder = tmp_path / "saved"

    assert run(mailbox, ANN, "1", "--save", str(folder)).exit_code == 0

    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.txt")] == ["saved/record.txt"]
    assert run(mailbox, ANN, "1", "--save", str(folder)).exit_code == 1


def test_a_folder_that_cannot_be_made_is_told_in_one_line(mailbox: LocalMailbox) -> None:
    mailbox.add(ANN, "", letter(), 1)

    done = run(mailbox, ANN, "1", "--save", "/proc/saved")

    assert (done.exit_code, done.stderr) == (1, "Error: /proc/saved: No such file or directory\n")


@pytest.mark.parametrize("option", ["--reply", "--raw", "--save=here"])
def test_what_is_done_with_one_mail_needs_its_number(mailbox: LocalMailbox, option: str) -> None:
    mailbox.add(ANN, "", letter(), 1)

    done = run(mailbox, ANN, option, text="4: stall E-F\n")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "need the NUMBER of a mail" in done.stderr


def test_the_command_hands_a_reply_to_the_door(mailbox: LocalMailbox) -> None:
    mailbox.add(ANN, "", letter(), 1)
    handed: Handed = []

    done = run(mailbox, ANN, "1", "--reply", handed=handed, text="4: stall E-F\n")

    assert f"Answered to {PLAY}" in done.output
    ((raw, recipients),) = handed
    assert recipients == [PLAY]
    assert b"4: stall E-F" in raw
    assert run(mailbox, ANN, "1", "--reply", handed=handed, text=" \n").exit_code == 1
    assert len(handed) == 1


def test_the_command_shows_a_mail_without_tricks_for_the_terminal(mailbox: LocalMailbox) -> None:
    mailbox.add(ANN, "", b"Subject: x\r\n\r\n\x1b[2Jhello\x07\r\n", 1)

    assert "\x1b" not in run(mailbox, ANN, "1").output
    assert "\x1b" in run(mailbox, ANN, "1", "--raw").output


@pytest.fixture
def handed() -> Handed:
    return []


@pytest.fixture
def browser(mailbox: LocalMailbox, handed: Handed) -> FlaskClient:
    mailbox.add(ANN, "", letter(), 1_000_000)
    app = Flask("test")
    app.register_blueprint(mailbox_pages(mailbox, lambda *given: handed.append(given), "secret", is_open=True))
    return app.test_client()


PATH = "/mailbox/ann@example.org/1"


def test_the_pages_show_addresses_lists_and_mails(browser: FlaskClient) -> None:
    assert 'href="/mailbox/ann@example.org"' in browser.get("/mailbox").text
    assert "Your turn – règle" in browser.get("/mailbox/ann@example.org").text
    page = browser.get(PATH).text
    assert "  stall A-B" in page
    assert '<a href="https://games.test/g/7?a=1&amp;b=2" rel="noreferrer">' in page
    assert browser.get("/mailbox/bob@example.org").status_code == 404
    assert browser.get("/mailbox/ann@example.org/2").status_code == 404


def test_the_html_of_a_mail_can_do_nothing_and_load_nothing(browser: FlaskClient) -> None:
    answer = browser.get(PATH)

    assert "<script" not in answer.text
    assert re.search(r'<iframe sandbox="" [^>]*srcdoc="&lt;p&gt;', answer.text)
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:;")


def test_the_pictures_that_came_along_are_shown(browser: FlaskClient, mailbox: LocalMailbox) -> None:
    number = mailbox.add(ANN, "", letter_with_picture(), 1000)

    answer = browser.get(f"/mailbox/{ANN}/{number}")

    assert "data:image/png;base64,iVBORw==" in answer.text
    assert "cid:" not in answer.text
    assert "board.png" not in answer.text


def test_an_attachment_is_handed_out_as_a_file(browser: FlaskClient) -> None:
    answer = browser.get(f"{PATH}/1")

    assert answer.data == b"1 red: stall A-B\n"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert browser.get(f"{PATH}/2").status_code == 404


def fill_in(browser: FlaskClient, **changes: Any) -> Any:
    token = re.search(r'name="token" value="(\w+)"', browser.get(PATH).text)
    assert token
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"} | changes.pop("headers", {})
    return browser.post(PATH, data={"token": token[1], "text": "4: stall E-F"} | changes, headers=headers)


def test_a_reply_goes_through_the_door(browser: FlaskClient, handed: Handed) -> None:
    answer = fill_in(browser)

    assert (answer.status_code, answer.headers["Location"]) == (303, f"{PATH}?sent=1")
    assert handed[0][1] == [PLAY]
    assert "on its way" in browser.get(answer.headers["Location"]).text
    assert fill_in(browser, text=" ").status_code == 400
    assert len(handed) == 1


@pytest.mark.parametrize(
    "forged",
    [
        {"headers": {"Origin": "https://evil.example"}},
        {"headers": {"Origin": "null"}},
        {"headers": {"Sec-Fetch-Site": "cross-site"}},
        {"headers": {"Sec-Fetch-Site": "same-site"}},
        {"token": "0" * 64},
        {"token": "é"},
    ],
)
def test_nobody_else_can_send_a_reply(browser: FlaskClient, handed: Handed, forged: dict[str, Any]) -> None:
    assert fill_in(browser, **forged).status_code == 403
    assert not handed


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ({}, "192.0.2.7"),
        ({"X-Forwarded-For": "192.0.2.7"}, "127.0.0.1"),
        ({"Forwarded": "for=192.0.2.7"}, "127.0.0.1"),
        ({"Host": "games.example.org"}, "127.0.0.1"),
        ({"Host": "127.0.0.1.evil.example"}, "127.0.0.1"),
    ],
)
def test_for_everyone_else_there_is_no_mailbox(browser: FlaskClient, headers: dict[str, str], address: str) -> None:
    for path in ("/mailbox", PATH):
        assert browser.get(path, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code == 404
    assert browser.post(PATH, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code == 404


def test_with_a_mail_server_or_in_public_there_is_no_mailbox(mailbox: LocalMailbox) -> None:
    app = Flask("test")
    app.register_blueprint(mailbox_pages(mailbox, lambda raw, recipients: None, "secret", is_open=False))

    assert app.test_client().get("/mailbox").status_code == 404
    assert is_private("http://127.0.0.1:8000", None)
    assert not is_private("http://127.0.0.1:8000", "smtp://mail.example.org")
    assert not is_private("https://games.example.org", None)
    assert not is_private("http://127.0.0.1:8000", None, proxies=1)
