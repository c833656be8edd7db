"""Raw mails in, the player's own words out; and whatever the bytes, no exception and no order that was not written."""

import random
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mail.reading import read_mail
from rules.portobello.orders import parse
from tests.mail.by_hand import ByHand, by_hand
from tests.mail.corpus import Case, cases, is_order, understood, verdict

FOLDER = Path(__file__).parent.parent / "mails"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
HEAD = b"From: a@example.org\nTo: play+aa@marketpost.example\nContent-Type: text/plain; charset=utf-8\n\n"
SEEN_BY_NOBODY = [
    *("abwesenheit", "auto_submitted", "reponse_automatique", "risposta_automatica", "list"),
    *("empty_return_path", "calendar_reply", "read_receipt", "bounce_failed", "bounce_delayed", "bounce_relayed", "bounce_exim"),
]


def mail(name: str) -> bytes:
    return (FOLDER / f"{name}.eml").read_bytes()


def text(body: str) -> bytes:
    return HEAD + body.encode()


@pytest.mark.parametrize("name", EXPECTED)
def test_only_the_new_text_is_orders(name: str) -> None:
    _, said = understood(mail(name))

    if not EXPECTED[name]:
        assert said.strange or not said.orders
        return
    assert not said.strange
    assert parse("\n".join(said.orders)) == parse(EXPECTED[name])


def test_several_hundred_answers_of_all_programs() -> None:
    told = [verdict(case) for case in cases(936, seed=4)]

    assert told.count("wrong") == 0
    assert told.count("exact") >= 0.98 * len(told)


@pytest.mark.parametrize("mail", list(by_hand()), ids=lambda mail: mail.name)
def test_answers_written_by_hand_are_read_or_asked_about(mail: ByHand) -> None:
    told = verdict(Case(mail.name, mail.raw, mail.expected))

    assert told == ("exact" if mail.expected else "refused")


@pytest.mark.parametrize("name", SEEN_BY_NOBODY)
def test_what_no_person_wrote_has_no_lines(name: str) -> None:
    incoming = read_mail(mail(name))

    assert incoming.automatic
    assert incoming.lines == []


@pytest.mark.parametrize(
    ("name", "action"),
    [("bounce_failed", "failed"), ("bounce_delayed", "delayed"), ("bounce_relayed", "relayed"), ("bounce_exim", "failed")],
)
def test_a_bounce_says_what_became_of_our_mail(name: str, action: str) -> None:
    assert read_mail(mail(name)).bounce == action


@pytest.mark.parametrize(
    ("header", "sender"),
    [
        ("From: A@Example.org", "a@example.org"),
        ('From: "b@example.org" <a@example.org>', "a@example.org"),
        ("From: a@example.org (Anna)", "a@example.org"),
        ("From: a@example.org <b@example.org>", None),
        ("From: a@example.org, b@example.org", None),
        ("From: a@example.org\nFrom: b@example.org", None),
        ("From: a@example.org]<b@example.org>", None),
        ("From: \u212a@example.org", None),
        ("From: <>", None),
        ("Subject: x", None),
    ],
)
def test_a_sender_is_believed_only_in_plain_forms(header: str, sender: str | None) -> None:
    assert read_mail(f"{header}\n\nx".encode()).sender == sender


@pytest.mark.parametrize(
    "charset", ["utf-8", "iso-8859-1", "us-ascii", "unknown-8bit", "zip", "punycode", "utf-7", "x" * 500, "idna", "rot13"]
)
def test_charset_labels_may_lie(charset: str) -> None:
    raw = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\nétal A-B\n".encode()

    assert read_mail(raw).lines == ["étal A-B"]


def nested(depth: int) -> bytes:
    return (
        b"From: a@b.c\n"
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
        + b"\nstall A-B"
    )


HOSTILE = {
    "25 MB of text": HEAD + b"stall A-B\n" + b"x" * 25_000_000,
    "25 MB of lines": HEAD + b"stall A-B\n" * 2_500_000,
    "50,000 parts": b"Content-Type: multipart/mixed; boundary=q\n\n" + b"--q\n\nstall A-B\n" * 50_000,
    "nested": nested(1500),
    "enclosed": b"Content-Type: message/rfc822\n\n" * 20_000,
    "headers": b"a: b\n" * 200_000 + b"\nstall A-B",
    "deep html": b"Content-Type: text/html\n\n" + b"<div>" * 60_000 + b"stall A-B",
    "wide html": b"Content-Type: text/html\n\n" + b"<br>" * 100_000 + b"stall A-B",
    "attributions": HEAD + (b"On " + b"a " * 190 + b"\n") * 1000,
    "greetings": HEAD + (b"hi " * 60 + b"\n") * 400,
    "pieces": HEAD + b"stall\nA-B\n" * 200,
    "brackets": b"From: " + b"(" * 60_000 + b"\n\nx",
    "NUL": b"\0" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mails_cost_little(name: str) -> None:
    before = time.process_time()
    understood(HOSTILE[name])

    assert time.process_time() - before < 1


def test_a_big_attachment_does_not_hide_the_text() -> None:
    picture = b"QUJD" * 19 + b"\n"
    raw = (
        b"Content-Type: multipart/mixed; boundary=q\n\n--q\n\nstall A-B\n--q\nContent-Type: image/png\nContent-Disposition: attachment\n\n"
    )
    incoming = read_mail(raw + picture * 30_000 + b"--q--\n")

    assert (incoming.lines, incoming.truncated) == (["stall A-B"], False)


def test_a_mail_whose_end_was_lost_is_known_by_its_missing_boundary() -> None:
    assert read_mail(b"Content-Type: multipart/mixed; boundary=q\n\n--q\n\n3: stall A-B;").truncated


def test_a_line_right_between_quoted_ones_may_be_anybodys() -> None:
    assert understood(text("> for example\n3: stall A-B\n> or\n\n4: mark 5"))[1].strange == ("> 3: stall A-B",)


@pytest.mark.parametrize(
    ("mark", "damaged"),
    [("gmail_quote", "gmail_qu\x0eote"), ("gmail_quote", "gmail_qu\xc0ote"), ('<div class="gmail_quote"', '<\x00div class="gmail_quote"')],
)
def test_a_forwarded_mail_stays_one_when_its_marks_are_damaged(mark: str, damaged: str) -> None:
    assert read_mail(mail("forwarded_gmail_html").replace(mark.encode(), damaged.encode("latin-1"))).lines == []


@pytest.mark.parametrize("subject", ["Fwd: Zug 7", "WG: Zug 7", "TR : tour 7", "I: turno 7"])
def test_a_subject_may_tell_of_forwarded_words_that_nothing_marks(subject: str) -> None:
    plain = f"From: a@b.test\nSubject: {subject}\n\nstall CG".encode()

    assert read_mail(plain).forwarded
    assert not read_mail(plain + b"\n\n---------- Forwarded message ---------\nFrom: x@y.test\nSubject: Zug 7\n\nstall AB").forwarded
    assert not read_mail(plain.replace(b"Subject: ", b"Subject: Re: ")).forwarded


def test_a_comment_does_not_flow_into_the_next_line() -> None:
    flowed = HEAD.replace(b"charset=utf-8", b"charset=utf-8; format=flowed") + b"3: # let's see \nstall A-B; customer \nC"

    assert read_mail(flowed).lines == ["3: # let's see", "stall A-B; customer C"]


def test_a_line_of_invisible_signs_is_empty() -> None:
    assert read_mail(text("\u200b\n\ufeff\nstall A-B")).lines == ["stall A-B"]


def test_a_line_that_is_too_long_is_no_order() -> None:
    _, said = understood(text("stall A-B; " * 500 + "customer C"))

    assert said.strange
    assert not said.orders


@given(st.binary(max_size=2000))
@settings(max_examples=200, deadline=None)
def test_any_bytes_can_be_read(raw: bytes) -> None:
    understood(raw)


def mutated(case: Case, chance: random.Random) -> bytes:
    raw = bytearray(case.raw)
    match chance.randrange(6):
        case 0:
            for _ in range(chance.randint(1, 40)):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
        case 1:
            del raw[chance.randrange(len(raw)) :]
        case 2:
            place = chance.randrange(len(raw))
            raw[place:place] = chance.choice(
                [b"\0", b"\r\n\r\n", b"\nFrom: x@y.z\n", b"=?utf-8?b?", b"\xff\xfe", b"--", b"\n\n"]
            ) * chance.randint(1, 5)
        case 3:
            place = chance.randrange(len(raw))
            del raw[place : place + chance.randint(1, 200)]
        case 4:
            raw = bytearray(bytes(raw).replace(b"utf-8", chance.choice([b"utf-16", b"zip", b"koi8-r", b"", b"big5"])))
        case 5:
            raw = bytearray(b"Content-Type: multipart/mixed; boundary=z\n\n--z\n" + bytes(raw) + b"\n--z--\n")
    return bytes(raw)


EXAMPLES = {str(parse(each)) for each in ("3: stall A-B; customer C; bobby 5", "4: mark 6", "2: customer")}


def test_mutated_mails_never_give_the_examples_of_our_own_letter() -> None:
    chance = random.Random(11)
    for case in cases(624, seed=9):
        if case.expected.startswith(("3: stall A-B; customer C", "4: mark", "2: customer")):
            continue
        _, said = understood(mutated(case, chance))
        if said.orders and not said.strange and is_order("\n".join(said.orders)):
            assert str(parse("\n".join(said.orders))) not in EXAMPLES, case.name
