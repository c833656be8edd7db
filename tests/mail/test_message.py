"""A letter as a mail: headers for machines, a signature, and nothing that breaks out of its place."""

import base64
import subprocess
from dataclasses import replace
from typing import Any

import dkim
import pytest

from marketpost.mail.outbound.letters import Letter, LetterAttachment
from marketpost.mail.outbound.message import BadHeader, DkimKey, NamedAddress, message_id
from tests.mail.every_letter import NOW, all_letters, body, languages, mailed, parsed


@languages
def test_a_mail_reads_back_as_it_was_written(language: str) -> None:
    for name, letter in all_letters(language).items():
        data = mailed(letter)
        mail = parsed(data)
        assert max(map(len, data.split(b"\r\n"))) <= 998, name
        assert b"\n" not in data.replace(b"\r\n", b"")
        assert data.isascii(), "any server can deliver it, and no server changes what was signed"
        assert body(mail, "plain").replace("\r\n", "\n") == letter.text
        assert body(mail, "html").replace("\r\n", "\n").strip() == letter.html.strip()
        assert mail["Subject"] == letter.subject
        attached = [each.get_content().replace("\r\n", "\n") for each in mail.iter_attachments()]
        assert attached == [each.text for each in letter.attachments]


def test_a_mail_has_the_headers_that_machines_go_by() -> None:
    mail = parsed(mailed(all_letters("en")["your-turn"]))

    assert mail["To"] == "Anna Ärmel <anna@example.org>"
    assert mail["Reply-To"].addresses[0].addr_spec == "play+abc234@marketpost.example"
    assert mail["Message-ID"] == "<k3v9qd2m.17.p0.your-turn@marketpost.example>"
    assert mail["In-Reply-To"] == mail["References"] == "<k3v9qd2m@marketpost.example>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Id"] == "<k3v9qd2m.marketpost.example>"
    assert mail["List-Unsubscribe"] == f"<https://marketpost.example/unsubscribe/{'x' * 120}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["Date"].datetime == NOW
    assert mail["MIME-Version"] == "1.0"
    assert mail.get_content_type() == "multipart/alternative"


def test_what_answers_a_mail_says_so() -> None:
    assert parsed(mailed(all_letters("en")["refused"]))["Auto-Submitted"] == "auto-replied"
    assert parsed(mailed(all_letters("en")["receipt"]))["Auto-Submitted"] == "auto-replied"


def test_a_board_goes_along_with_the_page_that_shows_it() -> None:
    letter = all_letters("en")["your-turn"]
    mail = parsed(mailed(letter))
    page = mail.get_body(("related",))
    assert page is not None
    (picture,) = [each for each in page.iter_parts() if each.get_content_type() == "image/png"]

    assert mail.get_content_type() == "multipart/alternative"
    assert f"cid:{picture['Content-ID'].strip('<>')}" in body(mail, "html")
    assert picture.get_content() == letter.pictures[0].data


def test_a_game_in_one_line_of_a_million_letters_arrives_whole() -> None:
    page = LetterAttachment("game.html", "é " * 500_000, "html")
    data = mailed(replace(all_letters("en")["over"], attachments=(page,)))
    (attached,) = parsed(data).iter_attachments()

    assert max(map(len, data.split(b"\r\n"))) <= 998
    assert attached.get_content_type() == "text/html"
    assert attached.get_content() == page.text


def test_a_long_thread_keeps_its_ids() -> None:
    ids = [f"<{'r' * 90}{number}@marketpost.example>" for number in range(5)]

    mail = parsed(mailed(all_letters("en")["your-turn"], references=ids))

    assert str(mail["References"]).split() == ids
    assert mail["In-Reply-To"] == ids[-1]


def test_the_position_can_go_along_for_programs() -> None:
    mail = parsed(mailed(all_letters("en")["your-turn"], json_part=b'{"turn": 16}'))
    (attached,) = mail.iter_attachments()

    assert attached.get_content_type() == "application/json"
    assert attached.get_content() == b'{"turn": 16}'
    assert 'turn"' not in body(mail, "plain")


def test_the_same_letter_has_the_same_id_and_another_another() -> None:
    assert message_id("g", 1, "p", "over", "d.example") == message_id("g", 1, "p", "over", "d.example")
    assert len({message_id("g", version, player, "over", "d.example") for version in (1, 2) for player in ("p", "q")}) == 4


EVIL = "x\r\nBcc: victim@example.org\r\n\r\nboo"


@pytest.mark.parametrize("change", [
    {"to": NamedAddress(f"a@example.org{EVIL}")},
    {"to": NamedAddress("a@example.org, b@example.org")},
    {"to": NamedAddress("a@example.org>")},
    {"to": NamedAddress("no address")},
    {"to": NamedAddress("jörg@example.org")},
    {"sender": NamedAddress(f"{EVIL}@example.org")},
    {"reply_to": f"a@example.org{EVIL}"},
    {"message_id": f"<a@b>{EVIL}"},
    {"message_id": "<a@b>\n"},
    {"references": [f"<a@b>\r\n{EVIL}"]},
    {"list_id": EVIL},
    {"unsubscribe_url": f"https://x/{EVIL}"},
    {"unsubscribe_url": "javascript:alert(1)"},
], ids=str)  # fmt: skip
def test_nothing_breaks_out_of_a_header(change: dict[str, Any]) -> None:
    with pytest.raises(BadHeader):
        mailed(all_letters("en")["sign-in"], **change)


@pytest.mark.parametrize("part", ["game", "player", "letter", "domain"])
def test_an_id_is_made_of_plain_words(part: str) -> None:
    with pytest.raises(BadHeader):
        message_id(**{"game": "g", "version": 1, "player": "p", "letter": "over", "domain": "d"} | {part: EVIL})


@pytest.mark.parametrize(
    "name", [EVIL, "a\x00b", "\u2028evil", '"quoted" <x@y>', "=?utf-8?q?a=0D=0ABcc:_x?=", "ü" * 300, "a" * 3000, "\u202egnp"]
)
def test_a_name_is_cleaned_and_stays_a_name(name: str) -> None:
    letter = Letter(f"Hello {name}", "text\n", "<p>html</p>")

    mail = parsed(mailed(letter, to=NamedAddress("anna@example.org", name)))

    assert mail["Bcc"] is None
    assert [each.addr_spec for each in mail["To"].addresses] == ["anna@example.org"]
    assert body(mail, "plain").strip() == "text"


def test_an_address_in_another_script_is_written_as_the_network_knows_it() -> None:
    mail = parsed(mailed(all_letters("de")["sign-in"], to=NamedAddress("jo@bücher.example")))

    assert mail["To"].addresses[0].addr_spec == "jo@xn--bcher-kva.example"


def openssl(*arguments: str, given: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


def test_a_signed_mail_can_be_checked() -> None:
    private = openssl("genrsa", "2048")
    public = base64.b64encode(openssl("rsa", "-pubout", "-outform", "DER", given=private))
    key = DkimKey("marketpost.example", "mp1", private)

    def dns(name: bytes, **_: object) -> bytes:
        assert name == b"mp1._domainkey.marketpost.example."
        return b"v=DKIM1; k=rsa; p=" + public

    data = mailed(all_letters("fr")["over"], dkim=key)

    assert dkim.verify(data, dnsfunc=dns)
    assert not dkim.verify(data.replace(b"List-Unsubscribe=One-Click", b"List-Unsubscribe=Two-Click"), dnsfunc=dns)
    assert not dkim.verify(data.replace(b"Portobello", b"Pontobello", 1), dnsfunc=dns)


def test_a_key_is_never_shown() -> None:
    assert "secret" not in repr(DkimKey("d", "s", b"secret"))
