"""A letter as a mail: MIME, the headers that machines go by, and a signature. Nothing in it can break out of a header."""

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, quote
from functools import lru_cache
from pathlib import Path

import dkim as dkimpy  # type: ignore[import-untyped]
from dkim.crypto import UnparsableKeyError, parse_pem_private_key  # type: ignore[import-untyped]

from mail.letters import Letter, Picture
from mail.render import one_line

LONGEST_NAME = 78
LONGEST_SUBJECT = 150
LONGEST_LINE = 78
HEADER_LINE = 76
LONGEST_REMEMBERED = 2000
"""Bytes of a line. A whole game may stand in one, which is in no other letter and would fill the memory."""
FOLD = "\r\n "
LINE = 76
"""Of base64."""
TOKEN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._+-]{0,98}[A-Za-z0-9])?")
MESSAGE_ID = re.compile(r"<[!-;=?A-~]{1,250}@[!-;=?A-~]{1,250}>")
URL = re.compile(r"https?://[!-;=?-~]{1,700}")
ADDRESS = re.compile(r"[^\s<>\"(),:;@\\\[\]\x00-\x1f\x7f-\x9f]{1,64}@[^\s<>\"(),:;@\\\[\]\x00-\x1f\x7f-\x9f]{1,253}")
ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
DOTTED = re.compile(rf"{ATOM}(\.{ATOM})*", re.ASCII)
PHRASE = re.compile(rf"{ATOM}( {ATOM})*", re.ASCII)
"""A name that needs no quotes."""
SIGNED = (
    b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"mime-version", b"content-type",
    b"auto-submitted", b"list-id", b"list-unsubscribe", b"list-unsubscribe-post",
)  # fmt: skip


Part = list[bytes]
"""Of a mail, in pieces that are put together once, at the end."""


class BadHeader(ValueError):
    """A value that must not get into a header."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Somebody's name and address. A name is cleaned, an address is taken as it is or refused."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """What a mail is signed with. The domain must publish the public half under `selector._domainkey`."""

    domain: str
    selector: str
    private: bytes = field(repr=False)
    """PEM."""


def read_private(key: str) -> bytes:
    """From a key in PEM, or from the file of that name. A ValueError says why it is none, and nothing of what is in it."""
    try:
        private = key.encode() if "-----" in key else Path(key).read_bytes()
    except OSError as error:
        raise ValueError(f"the file cannot be read: {error.strerror}") from error
    try:
        parse_pem_private_key(private)
    except (UnparsableKeyError, ValueError, LookupError):
        raise ValueError("there is no private key in it that letters can be signed with") from None
    return private


def message_id(game: str, version: int, player: str, letter: str, domain: str) -> str:
    """Always the same for the same letter, so that one sent twice is shown once."""
    for part in (game, player, letter, domain):
        _check(TOKEN, part)
    return f"<{game}.{version}.{player}.{letter}@{domain}>"


def thread_root(game: str, domain: str) -> str:
    """What all letters of a game refer to. No mail has this id itself."""
    _check(TOKEN, game)
    _check(TOKEN, domain)
    return f"<{game}@{domain}>"


def build(
    letter: Letter,
    *,
    to: Mailbox,
    sender: Mailbox,
    reply_to: str | None,
    message_id: str,
    references: Sequence[str],
    list_id: str | None,
    unsubscribe_url: str | None,
    date: datetime,
    dkim: Key | None = None,
    json_part: bytes | None = None,
) -> bytes:
    """The whole mail, ready to be carried. `references` ends with what it answers; `list_id` is a name such as `game.marketpost.org`."""
    headers = [
        f"From: {_address(sender)}",
        f"To: {_address(to)}",
        *([f"Reply-To: {_address(Mailbox(reply_to, sender.name))}"] if reply_to else []),
        f"Subject: {_words(one_line(letter.subject)[:LONGEST_SUBJECT], 'Subject')}",
        f"Date: {format_datetime(date)}",
        f"Message-ID: {_check(MESSAGE_ID, message_id)}",
        *_thread(references),
        *_who_sends(letter, list_id, unsubscribe_url),
        "MIME-Version: 1.0",
    ]
    data = b"".join(["".join(f"{header}\r\n" for header in headers).encode("ascii"), *_body(letter, json_part)])
    return _sign(data, dkim) if dkim else data


def _thread(references: Sequence[str]) -> Iterator[str]:
    """Ids stay whole, each in a line of its own."""
    if references:
        yield f"In-Reply-To: {_check(MESSAGE_ID, references[-1])}"
        yield "References: " + "\r\n ".join(_check(MESSAGE_ID, each) for each in references)


def _who_sends(letter: Letter, list_id: str | None, unsubscribe_url: str | None) -> Iterator[str]:
    yield f"Auto-Submitted: {'auto-replied' if letter.reply else 'auto-generated'}"
    yield "X-Auto-Response-Suppress: All"
    if list_id:
        yield f"List-Id: <{_check(TOKEN, list_id)}>"
    if unsubscribe_url:
        yield f"List-Unsubscribe: <{_check(URL, unsubscribe_url)}>"
        yield "List-Unsubscribe-Post: List-Unsubscribe=One-Click"


def _body(letter: Letter, json_part: bytes | None) -> Part:
    """Put together by hand: Python's own way reads every line of every part again and takes longer than all the rest."""
    page = _text("html", letter.html)
    if letter.pictures:
        page = _together("related", [page, *map(_picture, letter.pictures)])
    whole = _together("alternative", [_text("plain", letter.text), page])
    more = [_text(each.kind, each.text, each.name) for each in letter.attachments]
    if json_part is not None:
        more.append(_in_base64("application/json", json_part, 'attachment; filename="game.json"'))
    return _together("mixed", [whole, *more]) if more else whole


def _text(kind: str, text: str, name: str = "") -> Part:
    """In lines that end as mail demands; whatever a line may not have or end with is written as a number."""
    named = f'Content-Disposition: attachment; filename="{_check(TOKEN, name)}"\r\n' if name else ""
    head = f'Content-Type: text/{_check(TOKEN, kind)}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n{named}\r\n'
    lines = text.encode("utf-8", "replace").splitlines()
    return [head.encode("ascii"), *[_remembered(line) if len(line) <= LONGEST_REMEMBERED else _quoted(line) for line in lines]]


def _quoted(line: bytes) -> bytes:
    return b2a_qp(line + b"\r\n")


@lru_cache(maxsize=4096)
def _remembered(line: bytes) -> bytes:
    """Most lines stand in many letters."""
    return _quoted(line)


def _picture(picture: Picture) -> Part:
    name = _check(TOKEN, f"{picture.name}.png")
    cid = _check(MESSAGE_ID, f"<{picture.cid}>")
    return _in_base64("image/png", picture.data, f'inline; filename="{name}"\r\nContent-ID: {cid}')


def _in_base64(kind: str, data: bytes, disposition: str) -> Part:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: {disposition}\r\n\r\n"
    coded = b2a_base64(data, newline=False)
    return [head.encode("ascii"), b"\r\n".join([*[coded[start : start + LINE] for start in range(0, len(coded), LINE)], b""])]


def _together(kind: str, parts: Sequence[Part]) -> Part:
    """Their boundary begins with what no part can have in it, however it is written."""
    line = f"--=_{kind}".encode()
    whole = [f'Content-Type: multipart/{kind}; boundary="=_{kind}"\r\n\r\n'.encode()]
    for part in parts:
        whole += [line, b"\r\n", *part, b"\r\n"]
    return [*whole, line, b"--\r\n"]


def _address(mailbox: Mailbox) -> str:
    local, _, domain = _check(ADDRESS, mailbox.address).rpartition("@")
    try:
        plain = domain.encode("idna").decode()
    except ValueError as error:
        raise BadHeader(f"{mailbox.address[:80]!r} is no address") from error
    address = f"{_check(DOTTED, local)}@{_check(DOTTED, plain)}"
    name = one_line(mailbox.name)[:LONGEST_NAME].strip()
    return f"{_name(name)}{FOLD if len(name) + len(address) > LONGEST_LINE - len('Reply-To:  <>') else ' '}<{address}>" if name else address


def _name(name: str) -> str:
    if not name.isascii():
        return _words(name, "Reply-To")
    return name if PHRASE.fullmatch(name) else f'"{quote(name)}"'


def _check(form: re.Pattern[str], value: str) -> str:
    if not form.fullmatch(value):
        raise BadHeader(f"{value[:80]!r} must not stand in a header")
    return value


@lru_cache(maxsize=4096)
def _words(text: str, header: str) -> str:
    """Folded by the older of Python's two ways: the newer one leaves the first line empty now and then.

    Remembered, for a game's letters have the same subject turn after turn.
    """
    if text.isascii() and len(header) + len(text) <= HEADER_LINE - len(": "):
        return text
    return Header(text, "us-ascii" if text.isascii() else "utf-8", header_name=header).encode(linesep="\r\n")


def _sign(data: bytes, key: Key) -> bytes:
    signature = dkimpy.sign(
        data,
        key.selector.encode(),
        key.domain.encode(),
        key.private,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[name for name in SIGNED if re.search(rb"(?mi)^" + name + b":", data.partition(b"\r\n\r\n")[0])],
    )
    return bytes(signature) + data
