"""Raw mails in, the player's own words out; and whatever the bytes, no exception and no order that was not written."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from email import message_from_bytes
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketpost.mail.inbound.read_message import parse_message
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from tests.mail.by_hand import by_hand
from tests.mail.corpus import LANGUAGES, Case, cases, understood, verdict
from tests.mail.letters import examples
from tests.mail.programs import PROGRAMS
from tests.mail.turns import Turn, every_ruleset, turns
from tests.mail.worsening import FOLDER, Base, frozen
from tests.thorough import THOROUGH

HEAD = b"From: a@example.org\nTo: play+aa@marketpost.example\nContent-Type: text/plain; charset=utf-8\n\n"
PORTOBELLO = turns("portobello")[0]
SEEN_BY_NOBODY = [
    *("abwesenheit", "auto_submitted", "reponse_automatique", "risposta_automatica", "list"),
    *("empty_return_path", "calendar_reply", "read_receipt", "bounce_failed", "bounce_delayed", "bounce_relayed", "bounce_exim"),
]


def mail(name: str) -> bytes:
    return (FOLDER / f"{name}.eml").read_bytes()


def text(body: str) -> bytes:
    return HEAD + body.encode()


KEPT = [
    *(pytest.param(base, PORTOBELLO, id=base.name) for base in frozen()),
    *(pytest.param(base, turns(name)[0], id=f"{name}-{base.name}") for name in rulesets() for base in frozen(name)),
]


@pytest.mark.parametrize(("base", "turn"), KEPT)
def test_only_the_new_text_is_orders(base: Base, turn: Turn) -> None:
    _, said = understood(base.raw, turn)

    if not base.orders:
        assert said.strange or not said.orders
        return
    assert not said.strange
    read, meant = (turn.rules.notate(turn.rules.parse(each)).casefold() for each in ("\n".join(said.orders), base.orders))
    assert read == meant


def test_every_ruleset_has_its_frozen_answers() -> None:
    assert all(len(frozen(name)) == len(PROGRAMS) * len(LANGUAGES) for name in rulesets())


@every_ruleset
def test_several_hundred_answers_of_all_programs(name: str) -> None:
    told = [verdict(case) for case in cases(name, 312 * THOROUGH, seed=4)]

    assert told.count("wrong") == 0
    assert told.count("exact") >= 0.99 * len(told)


@every_ruleset
def test_answers_written_by_hand_are_read_or_asked_about(name: str) -> None:
    for each in by_hand(name):
        assert verdict(each) in (("exact",) if each.expected else ("asked", "refused")), each.name


@pytest.mark.parametrize("name", SEEN_BY_NOBODY)
def test_what_no_person_wrote_has_no_lines(name: str) -> None:
    incoming = parse_message(mail(name))

    assert incoming.automatic
    assert incoming.lines == []


@pytest.mark.parametrize(
    ("name", "action"),
    [("bounce_failed", "failed"), ("bounce_delayed", "delayed"), ("bounce_relayed", "relayed"), ("bounce_exim", "failed")],
)
def test_a_bounce_says_what_became_of_our_mail(name: str, action: str) -> None:
    assert parse_message(mail(name)).bounce == action


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
    assert parse_message(f"{header}\n\nx".encode()).sender == sender


@pytest.mark.parametrize(
    "charset", ["utf-8", "iso-8859-1", "us-ascii", "unknown-8bit", "zip", "punycode", "utf-7", "x" * 500, "idna", "rot13"]
)
def test_charset_labels_may_lie(charset: str) -> None:
    raw = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\nétal A-B\n".encode()

    assert parse_message(raw).lines == ["étal A-B"]


def nested(depth: int, order: bytes) -> bytes:
    return (
        b"From: a@b.c\n"
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
        + b"\n"
        + order
    )


HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "25 MB of text": lambda order: HEAD + order + b"\n" + b"x" * 25_000_000,
    "25 MB of lines": lambda order: HEAD + (order + b"\n") * (25_000_000 // (len(order) + 1)),
    "50,000 parts": lambda order: b"Content-Type: multipart/mixed; boundary=q\n\n" + (b"--q\n\n" + order + b"\n") * 50_000,
    "nested": lambda order: nested(1500, order),
    "enclosed": lambda order: b"Content-Type: message/rfc822\n\n" * 20_000,
    "headers": lambda order: b"a: b\n" * 200_000 + b"\n" + order,
    "deep html": lambda order: b"Content-Type: text/html\n\n" + b"<div>" * 60_000 + order,
    "wide html": lambda order: b"Content-Type: text/html\n\n" + b"<br>" * 100_000 + order,
    "attributions": lambda order: HEAD + (b"On " + b"a " * 190 + b"\n") * 1000,
    "greetings": lambda order: HEAD + (b"hi " * 60 + b"\n") * 400,
    "pieces": lambda order: HEAD + (order.replace(b" ", b"\n") + b"\n") * 200,
    "commas": lambda order: HEAD + (b", ".join([order] * 19) + b" and then\n") * 100,
    "numbers": lambda order: HEAD + b"".join(b"%d. %s\n" % (place, order) for place in range(1, 400)),
    "brackets": lambda order: b"From: " + b"(" * 60_000 + b"\n\nx",
    "NUL": lambda order: b"\0" * 100_000,
}


@every_ruleset
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_mails_cost_little(kind: str, name: str) -> None:
    turn = max(turns(name), key=lambda turn: len(turn.orders))
    raw = HOSTILE[kind](turn.orders.encode())

    assert cpu_time(lambda: understood(raw, turn)) < 4 * standard_library_time()


@cache
def standard_library_time() -> float:
    """Seconds that Python's parser takes for a mail as long as the longest that we take."""
    longest = HOSTILE["25 MB of lines"](b"stall A-B")
    return cpu_time(lambda: message_from_bytes(longest))


def cpu_time(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def test_a_big_attachment_does_not_hide_the_text() -> None:
    picture = b"QUJD" * 19 + b"\n"
    raw = (
        b"Content-Type: multipart/mixed; boundary=q\n\n--q\n\nstall A-B\n--q\nContent-Type: image/png\nContent-Disposition: attachment\n\n"
    )
    incoming = parse_message(raw + picture * 30_000 + b"--q--\n")

    assert (incoming.lines, incoming.truncated) == (["stall A-B"], False)


def test_a_mail_whose_end_was_lost_is_known_by_its_missing_boundary() -> None:
    assert parse_message(b"Content-Type: multipart/mixed; boundary=q\n\n--q\n\n3: stall A-B;").truncated


def test_a_line_right_between_quoted_ones_may_be_anybodys() -> None:
    assert understood(text("> for example\n3: stall A-B\n> or\n\n4: mark 5"), PORTOBELLO)[1].strange == ("> 3: stall A-B",)


@pytest.mark.parametrize(
    ("mark", "damaged"),
    [("gmail_quote", "gmail_qu\x0eote"), ("gmail_quote", "gmail_qu\xc0ote"), ('<div class="gmail_quote"', '<\x00div class="gmail_quote"')],
)
def test_a_forwarded_mail_stays_one_when_its_marks_are_damaged(mark: str, damaged: str) -> None:
    assert parse_message(mail("forwarded_gmail_html").replace(mark.encode(), damaged.encode("latin-1"))).lines == []


@pytest.mark.parametrize("subject", ["Fwd: Zug 7", "WG: Zug 7", "TR : tour 7", "I: turno 7"])
def test_a_subject_may_tell_of_forwarded_words_that_nothing_marks(subject: str) -> None:
    plain = f"From: a@b.test\nSubject: {subject}\n\nstall CG".encode()

    assert parse_message(plain).forwarded
    assert not parse_message(plain + b"\n\n---------- Forwarded message ---------\nFrom: x@y.test\nSubject: Zug 7\n\nstall AB").forwarded
    assert not parse_message(plain.replace(b"Subject: ", b"Subject: Re: ")).forwarded


@pytest.mark.parametrize(
    "line",
    [
        "* Marketpost [2026-08-03 18:48]:",
        "Le mardi 10 mars 2026 à 18:09:00, vous écriviez :",
        "8 feb 2026, 12:50 da\nplay+aa@marketpost.example:",
    ],
)
def test_a_dated_line_right_above_a_quote_introduces_it(line: str) -> None:
    assert parse_message(text(f"{line}\n\n> 4: mark 6\n\nstall A-B")).lines == ["stall A-B"]


def test_a_comment_does_not_flow_into_the_next_line() -> None:
    flowed = HEAD.replace(b"charset=utf-8", b"charset=utf-8; format=flowed") + b"3: # let's see \nstall A-B; customer \nC"

    assert parse_message(flowed).lines == ["3: # let's see", "stall A-B; customer C"]


def test_a_line_of_invisible_signs_is_empty() -> None:
    assert parse_message(text("\u200b\n\ufeff\nstall A-B")).lines == ["stall A-B"]


def test_a_line_that_is_too_long_is_no_order() -> None:
    _, said = understood(text("stall A-B; " * 500 + "customer C"), PORTOBELLO)

    assert said.strange
    assert not said.orders


@given(st.binary(max_size=2000))
@settings(max_examples=200, deadline=None)
def test_any_bytes_can_be_read(raw: bytes) -> None:
    understood(raw, PORTOBELLO)


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


@every_ruleset
def test_mutated_mails_never_give_the_examples_of_our_own_letter(name: str) -> None:
    chance = random.Random(11)
    for case in cases(name, 156 * THOROUGH, seed=9):
        _, said = understood(mutated(case, chance), case.turn)
        if said.orders and not said.strange:
            played = "\n".join(said.orders)
            same = [each.orders for each in examples(case.turn) if is_same(case.turn, played, each.orders)]
            assert not same or is_same(case.turn, played, case.expected), case.name


def is_same(turn: Turn, one: str, other: str) -> bool:
    with suppress(Refused):
        return bool(turn.rules.parse(one) == turn.rules.parse(other))
    return False
