"""Mails that no person wrote move nothing and start no conversation."""

import re
from pathlib import Path

import pytest

from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh, reply, with_headers

MAILS = Path(__file__).parent.parent / "mails"
UNKNOWN = f"play+{'a' * 32}@{DOMAIN}"


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<chess.lists.test>"},
        {"Return_Path": "<>"},
        {"Subject": "Automatische Antwort: Du bist am Zug"},
        {"Subject": "Réponse automatique : À vous de jouer"},
    ],
)
def test_an_automatic_mail_moves_nothing_and_gets_no_answer(desk: Desk, playing: Player, header: dict[str, str]) -> None:
    version, before = desk.game().version, desk.street.tried

    letter = desk.turn_letter(playing)
    assert desk.receive(with_headers(reply(letter, playing.email, desk.good_orders()), **header), letter.reply_to) == "automatic"

    assert (desk.game().version, desk.street.tried) == (version, before)


@pytest.mark.parametrize("name", ["abwesenheit", "read_receipt", "calendar_reply", "list", "bounce_failed", "bounce_delayed"])
def test_receipts_calendars_and_the_like_are_passed_over(desk: Desk, playing: Player, name: str) -> None:
    version, before = desk.game().version, desk.street.tried
    raw = re.sub(rb"(?m)^From:.*", f"From: {playing.email}".encode(), (MAILS / f"{name}.eml").read_bytes(), count=1)

    desk.receive(raw, desk.turn_letter(playing).reply_to)

    assert (desk.game().version, desk.street.tried) == (version, before)
    assert desk.again(playing).bounces == 0


def test_a_bounce_to_the_address_of_the_letter_is_counted_once(desk: Desk, playing: Player) -> None:
    letter = next(each for each in desk.street.brought if each.recipient == playing.email)
    raw = (MAILS / "bounce_failed.eml").read_bytes()

    assert desk.receive(raw, letter.sender) == "bounce"
    assert desk.receive(raw, letter.sender) == "bounce"

    assert desk.again(playing).bounces == 1


@pytest.mark.parametrize("where", ["reply", "unknown", "new"])
def test_a_forged_bounce_is_not_counted(desk: Desk, playing: Player, where: str) -> None:
    address = {"reply": desk.turn_letter(playing).reply_to, "unknown": f"bounce+{'b' * 32}@{DOMAIN}", "new": f"new@{DOMAIN}"}[where]
    before = desk.street.tried

    assert desk.receive((MAILS / "bounce_failed.eml").read_bytes(), address) == "bounce-ignored"

    assert desk.again(playing).bounces == 0
    assert desk.street.tried == before


def test_a_mail_that_is_only_late_is_no_bounce(desk: Desk, playing: Player) -> None:
    letter = next(each for each in desk.street.brought if each.recipient == playing.email)

    assert desk.receive((MAILS / "bounce_delayed.eml").read_bytes(), letter.sender) == "bounce-ignored"

    assert desk.again(playing).bounces == 0


def test_two_automatic_answerers_fall_silent_after_one(desk: Desk, ann: Player) -> None:
    """Ann's programme answers everything; the first mail of hers that is marked as such ends it."""
    desk.receive(fresh("Bin im Urlaub, bitte nicht stören", UNKNOWN, ann.email), UNKNOWN)
    for _ in range(5):
        letter = desk.newest(ann)
        assert letter.header("Auto-Submitted") == "auto-replied"
        desk.answer(ann, "Bin im Urlaub", letter, Auto_Submitted="auto-replied", Subject=f"Auto: {letter.header('Subject')}")

    assert len(desk.box(ann)) == 1


def test_our_own_letters_would_not_be_answered_by_us(desk: Desk, playing: Player) -> None:
    before = desk.street.tried
    for letter in desk.box(playing):
        assert desk.receive(letter.raw, letter.reply_to) == "automatic"

    assert desk.street.tried == before
