"""How a mail is made worse: mails as programs wrote them, broken, bent and blown up."""

import base64
import random
import re
import secrets
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.mail.by_hand import by_hand
from tests.mail.corpus import cases

FOLDER = Path(__file__).parent.parent / "mails"
MOST_PARTS = 50_000
BY_HAND, MADE = "portobello", 104
HANGS = {"signature-like-orders"}
"""What they say hangs on the position."""
AUTOMATIC = frozenset(
    (
        *("abwesenheit", "auto_submitted", "reponse_automatique", "risposta_automatica", "list", "empty_return_path"),
        *("calendar_reply", "read_receipt", "bounce_failed", "bounce_delayed", "bounce_relayed", "bounce_exim"),
    )
)
HARMLESS = (0, 1, 2, 7, 8, 14, 27, 31, 127, 0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xC0, 0xC1, 0xFE, 0xFF)
"""Bytes that make no order out of another."""
CHARSETS = (
    *("utf-7", "utf-16", "utf-32-be", "idna", "punycode", "zlib", "rot13", "hex", "unicode_escape", "undefined", "x-user-defined", "mbcs"),
    *("cp037", "iso-2022-jp", "gb18030", "shift_jis", "", "\x00", "utf-8'en'%FF", "a" * 5000, "../../etc/passwd"),
)
ENCODINGS = ("base64", "quoted-printable", "7bit", "8bit", "binary", "x-uuencode", "uue", "gzip", "", "base64, base64", "\xff")


@dataclass(frozen=True, slots=True)
class Base:
    name: str
    raw: bytes
    orders: str


@cache
def frozen(ruleset: str = "") -> tuple[Base, ...]:
    """Mails that are kept as files: those written by hand, or those made for this ruleset."""
    folder = FOLDER / ruleset
    if not folder.is_dir():
        return ()
    expected = tomllib.loads((folder / "expected.toml").read_text("utf-8"))
    return tuple(Base(path.stem, path.read_bytes(), expected.get(path.stem, "")) for path in sorted(folder.glob("*.eml")))


@cache
def written(ruleset: str) -> tuple[Base, ...]:
    """Mails of people who play this ruleset. What the files written by hand order in theirs means nothing in another."""
    kept = (base for base in frozen() if base.name not in AUTOMATIC and (ruleset == BY_HAND or not base.orders))
    hand = (case for case in by_hand(ruleset) if case.name not in HANGS)
    made = (Base(case.name, case.raw, case.expected) for case in [*cases(ruleset, MADE, seed=2026), *hand])
    return (*kept, *frozen(ruleset), *made)


def split(raw: bytes) -> tuple[list[bytes], bytes]:
    """The fields of the header, and the body."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    return re.split(rb"\n(?![ \t])", head), body


def put(fields: list[bytes], body: bytes) -> bytes:
    return b"\n".join(fields) + b"\n\n" + body


def named(fields: list[bytes], *names: bytes) -> list[bytes]:
    return [each for each in fields if each.partition(b":")[0].strip().lower() in names]


def without(fields: list[bytes], *names: bytes) -> list[bytes]:
    return [each for each in fields if each.partition(b":")[0].strip().lower() not in names]


def addressed(raw: bytes, sender: str, to: str, id: str = "") -> bytes:
    """From this sender under the name that stands there, and with a Message-ID of its own."""
    fields, body = split(raw)
    name = next((each.partition(b":")[2].partition(b"<")[0] for each in named(fields, b"from") if b"<" in each), b" ")
    kept = without(fields, b"from", b"to", b"cc", b"message-id", b"delivered-to")
    own = [
        b"From:" + name + f"<{sender}>".encode(),
        f"To: {to}".encode(),
        f"Message-ID: <{id or secrets.token_hex(12)}@example.org>".encode(),
    ]
    return put([*own, *kept], body)


Worsen = Callable[[random.Random, bytes], bytes]


def unchanged(chance: random.Random, raw: bytes) -> bytes:
    return raw


def sprinkled(chance: random.Random, raw: bytes) -> bytes:
    """Bytes that nobody can type, anywhere in the body."""
    fields, body = split(raw)
    data = bytearray(body)
    for _ in range(chance.choice((1, 2, 5, 30))):
        data[(place := chance.randrange(len(data) + 1)) : place] = bytes([chance.choice(HARMLESS)]) * chance.choice((1, 1, 3))
    return put(fields, bytes(data))


def of_another_charset(chance: random.Random, raw: bytes) -> bytes:
    label = chance.choice(CHARSETS).encode("latin-1")
    return re.sub(rb"charset=\"?[\w-]+\"?", lambda found: b'charset="' + label + b'"', raw)


def of_another_encoding(chance: random.Random, raw: bytes) -> bytes:
    label = chance.choice(ENCODINGS).encode("latin-1")
    return re.sub(rb"(?i)content-transfer-encoding: *[\w-]+", lambda found: b"Content-Transfer-Encoding: " + label, raw)


CONTENT = (b"content-type", b"content-transfer-encoding", b"content-disposition", b"mime-version")


def wrapped(raw: bytes, kind: str, before: bytes = b"", after: bytes = b"") -> bytes:
    """The mail's content as a part of another."""
    fields, body = split(raw)
    bound = secrets.token_hex(8).encode()
    part = put(named(fields, *CONTENT) or [b"Content-Type: text/plain"], body)
    head = [*without(fields, *CONTENT), b"MIME-Version: 1.0", f'Content-Type: multipart/{kind}; boundary="'.encode() + bound + b'"']
    pieces = [each for each in (before, part, after) if each]
    return put(head, b"".join(b"--" + bound + b"\n" + each + b"\n" for each in pieces) + b"--" + bound + b"--\n")


def nested(chance: random.Random, raw: bytes) -> bytes:
    for _ in range(chance.choice((1, 2, 5, 12, 40, 200))):
        raw = wrapped(raw, chance.choice(("mixed", "alternative", "related", "signed", "x-unknown")))
    return raw


def bottomless(chance: random.Random, raw: bytes) -> bytes:
    """Boxes in boxes that are never closed."""
    fields, body = split(raw)
    deep = chance.choice((100, 1000, 10_000))
    boxes = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (each, each) for each in range(deep))
    return put(without(fields, *CONTENT), b"")[:-1] + boxes + put(named(fields, *CONTENT), body)


def many_parts(chance: random.Random, raw: bytes) -> bytes:
    count = chance.choice((100, 5000, MOST_PARTS))
    fields, body = split(raw)
    small = chance.choice(
        (b"", b"Content-Type: text/plain\n\nx\n", b"Content-Type: text/html\n\n<p>x\n", b"Content-Type: message/rfc822\n\nA: b\n\nc\n")
    )
    head = [*without(fields, *CONTENT), b"MIME-Version: 1.0", b'Content-Type: multipart/mixed; boundary="b"']
    part = put(named(fields, *CONTENT) or [b"Content-Type: text/plain"], body)
    return put(head, b"--b\n" + part + b"\n" + (b"--b\n" + small) * count + b"--b--\n")


def many_headers(chance: random.Random, raw: bytes) -> bytes:
    fields, body = split(raw)
    more = chance.choice(
        ([b"X-%d: y" % each for each in range(20_000)], [b"X: " + b"y" * 900_000], [b"X: a" + b"\n b" * 50_000], [b":" * 3000] * 100)
    )
    return put([*fields, *more] if chance.random() < 0.5 else [*more, *fields], body)


def monstrous_text(chance: random.Random, raw: bytes) -> bytes:
    """Text that makes a reader's head spin, below what was written."""
    more = chance.choice(
        (
            b"> " * 200_000,
            b"\n".join([b"On Mon, Ann wrote:"] * 20_000),
            b"x" * 500_000,
            b"stall A-B; " * 40_000,
            b"stall A-B\n" * 20_000,
            b" " * 300_000 + b"x",
            b"-- \n" * 20_000,
            b"a@" * 100_000,
            b"(" * 100_000,
            b"\n" * 300_000,
            "é̈".encode() * 100_000,
            b"http://" * 60_000,
            b"Best regards, " * 20_000,
            b"1-" * 100_000,
        )
    )
    return wrapped(raw, "mixed", after=b"Content-Type: text/plain; charset=utf-8\n\n" + more)


def monstrous_html(chance: random.Random, raw: bytes) -> bytes:
    more = chance.choice(
        (
            b"<div>" * 50_000,
            b"<blockquote>" * 20_000 + b"x",
            b"<table><tr><td>" * 20_000,
            b"&lt;" * 100_000,
            b"&" * 200_000,
            b"<!--" * 50_000,
            b"<p style='" + b"a:b;" * 100_000 + b"'>x",
            b"<a href='" * 30_000,
            b"<br>" * 200_000,
            b"<![CDATA[" * 20_000,
            b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><p>&b;&b;",
            b"<" * 200_000,
            b"\x00" * 200_000,
        )
    )
    return wrapped(raw, "mixed", after=b"Content-Type: text/html; charset=utf-8\n\n<html><body>" + more)


def enclosed(chance: random.Random, raw: bytes) -> bytes:
    """Forwarded as a file: what is in it was said to somebody else."""
    fields, _ = split(raw)
    keep = without(fields, *CONTENT)
    inside = b"Content-Type: message/rfc822\n\n" + raw
    return put([*keep, b'Content-Type: multipart/mixed; boundary="f"'], b"--f\nContent-Type: text/plain\n\n\n--f\n" + inside + b"\n--f--\n")


def cut_off(chance: random.Random, raw: bytes) -> bytes:
    """The end of the mail was lost on its way, and with it the end of its last part."""
    whole = wrapped(raw, "mixed").rstrip(b"\n-")
    return whole[: chance.randrange(whole.find(b"\n\n") + 2, whole.rfind(b"\n--"))]


def noisy(chance: random.Random, raw: bytes) -> bytes:
    """Whatever."""
    data = bytearray(raw)
    for _ in range(chance.choice((1, 10, 100, 1000))):
        place = chance.randrange(len(data))
        data[place : place + chance.choice((0, 1, 1, 20))] = chance.randbytes(chance.choice((0, 1, 1, 40)))
        if not data:
            break
    return bytes(data)


def spliced(chance: random.Random, raw: bytes) -> bytes:
    other = chance.choice(frozen()).raw
    return raw[: chance.randrange(len(raw))] + other[chance.randrange(len(other)) :]


def big(chance: random.Random, raw: bytes, size: int) -> bytes:
    if chance.random() < 0.5:
        data = base64.b64encode(chance.randbytes(3000)) + b"\n"
        after = b'Content-Type: image/jpeg\nContent-Disposition: attachment; filename="x.jpg"\nContent-Transfer-Encoding: base64\n\n'
        return wrapped(raw, "mixed", after=after + data * (size // len(data)))
    return wrapped(raw, "mixed", after=b"Content-Type: text/plain\n\n" + chance.choice((b"x", b"x\n", b"> x\n", b"\xff")) * (size // 4))


MEANING_KEPT: dict[str, Worsen] = {
    "as written": unchanged,
    "untypable bytes": sprinkled,
    "charset lies": of_another_charset,
    "encoding lies": of_another_encoding,
    "nested": nested,
    "bottomless": bottomless,
    "many parts": many_parts,
    "many headers": many_headers,
    "monstrous text": monstrous_text,
    "monstrous html": monstrous_html,
    "cut off": cut_off,
}
MEANING_LOST: dict[str, Worsen] = {"forwarded as a file": enclosed}
NO_MEANING: dict[str, Worsen] = {"noise": noisy, "spliced": spliced, **MEANING_KEPT}
HEAVY = {"many parts", "many headers", "monstrous text", "monstrous html", "bottomless", "nested"}
