"""Letters that come back: counted at their own bounce address, once each, or when a server refuses the address at once."""

from pathlib import Path
from smtplib import SMTP, SMTPRecipientsRefused

import pytest

from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.mail.doors import smtp_door
from tests.mail.street import Answers, serving

BOUNCE = (Path(__file__).parents[1] / "mails/bounce_failed.eml").read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def bounce(desk: Desk, address: str, times: int = 1) -> int:
    """How many of so many bounces are taken at the address."""
    taken = 0
    with smtp_door(desk) as port, SMTP("127.0.0.1", port, timeout=60) as client:
        for number in range(times):
            try:
                client.sendmail("", address, BOUNCE.replace(b"Message-ID: <", f"Message-ID: <{number}".encode()) + f"{number}\r\n".encode())
                taken += 1
            except SMTPRecipientsRefused:
                client.rset()
            desk.work()
    return taken


def test_forged_bounces_to_a_reply_token_do_not_make_an_address_dead(desk: Desk, playing: Player) -> None:
    token = desk.turn_letter(playing).reply_to.removeprefix("play+")

    assert bounce(desk, f"bounce+{token}", DEAD_AFTER) == 0
    assert desk.again(playing).bounces == 0


def test_a_letter_comes_back_once(desk: Desk, playing: Player) -> None:
    back = next(each.sender for each in desk.street.brought if each.recipient == playing.email)

    assert bounce(desk, back, DEAD_AFTER) == 1
    assert desk.again(playing).bounces == 1


def test_a_bounce_token_is_no_reply_token(desk: Desk, playing: Player) -> None:
    back = next(each.sender for each in desk.street.brought if each.recipient == playing.email)

    assert bounce(desk, back.replace("bounce+", "play+")) == 0


@pytest.mark.parametrize(("reply", "counted"), [("550 5.1.1 no such user", 1), ("450 4.2.1 try later", 0)])
def test_an_address_that_is_refused_at_once_has_bounced(desk: Desk, reply: str, counted: int) -> None:
    ann = desk.person("Ann")
    with serving(Answers(rcpt=reply)) as server:
        desk.mailer.transport = SmtpTransportPool(f"smtp://127.0.0.1:{server.port}", "games.test")
        desk.note(ann, 1)
        desk.work()

    assert desk.again(ann).bounces == counted


def test_a_letter_that_is_refused_for_its_content_says_nothing_of_the_address(desk: Desk) -> None:
    ann = desk.person("Ann")
    with serving(Answers(data="554 5.7.1 spam")) as server:
        desk.mailer.transport = SmtpTransportPool(f"smtp://127.0.0.1:{server.port}", "games.test")
        desk.note(ann, 1)
        desk.work()

    assert desk.again(ann).bounces == 0
