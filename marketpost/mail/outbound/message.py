"""Build the MIME message of a letter, with headers and DKIM signature. Values that could break out of a header are refused."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP, Policy
from pathlib import Path

import dkim as dkimpy  # type: ignore[import-untyped]
from dkim.crypto import UnparsableKeyError, parse_pem_private_key  # type: ignore[import-untyped]

from marketpost.mail.outbound.letters import Letter
from marketpost.mail.outbound.render import one_line

LONGEST_NAME = 78
LONGEST_SUBJECT = 150
LONGEST_LINE = 76
"""Characters of a line, in quoted-printable text and in folded headers."""
TOKEN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._+-]{0,98}[A-Za-z0-9])?")
MESSAGE_ID = re.compile(r"<[!-;=?A-~]{1,250}@[!-;=?A-~]{1,250}>")
URL = re.compile(r"https?://[!-;=?-~]{1,700}")
ADDRESS = re.compile(r"[^\s<>\"(),:;@\\\[\]\x00-\x1f\x7f-\x9f]{1,64}@[^\s<>\"(),:;@\\\[\]\x00-\x1f\x7f-\x9f]{1,253}")
ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
DOTTED = re.compile(rf"{ATOM}(\.{ATOM})*", re.ASCII)
SIGNED = (
    b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"mime-version", b"content-type",
    b"auto-submitted", b"list-id", b"list-unsubscribe", b"list-unsubscribe-post",
)  # fmt: skip
"""Headers that the DKIM signature covers."""
LETTER_HEADER = "X-Marketpost-Letter"
"""Header with the bounce token of a letter, by which a complaint names it: providers remove addresses from what they report."""


class UnfoldedHeader(UnstructuredHeader, BaseHeader):
    """A header for machines: ids and URLs stay whole, each on its own line.

    Python's own folding would write a long one as an encoded word.
    """

    def fold(self, *, policy: Policy) -> str:
        """Write the header."""
        return f"{self.name}: {f'{policy.linesep} '.join(self.split())}{policy.linesep}"


class SubjectHeader(UnstructuredHeader, BaseHeader):
    """The subject, folded by the older of Python's two methods: the newer sometimes leaves the first line empty."""

    def fold(self, *, policy: Policy) -> str:
        """Write the header."""
        charset = "us-ascii" if self.isascii() else "utf-8"
        folded = Header(self, charset, maxlinelen=LONGEST_LINE, header_name=self.name).encode(linesep=policy.linesep)
        return f"{self.name}: {folded}{policy.linesep}"


HEADERS = HeaderRegistry(default_class=UnfoldedHeader)
HEADERS.map_to_type("Subject", SubjectHeader)
POLICY = SMTP.clone(header_factory=HEADERS, max_line_length=LONGEST_LINE, cte_type="7bit")


class BadHeader(ValueError):
    """Raised for a value that must not stand in a header, such as one with a line break."""


@dataclass(frozen=True, slots=True)
class NamedAddress:
    """A name and a mail address. The name is cleaned; a malformed address is refused."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class DkimKey:
    """A DKIM key. The domain must publish its public half under `selector._domainkey`."""

    domain: str
    selector: str
    private: bytes = field(repr=False)
    """The private key in PEM."""


def read_private(key: str) -> bytes:
    """Read a private key from PEM or from a file; the ValueError says why it is none and nothing of its content."""
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
    """Return the Message-ID of a letter: always the same, so that a mail program shows a letter sent twice once."""
    for part in (game, player, letter, domain):
        _check(TOKEN, part)
    return f"<{game}.{version}.{player}.{letter}@{domain}>"


def thread_root(game: str, domain: str) -> str:
    """Return the id that all letters of a game refer to, so that mail programs thread them. No mail has it itself."""
    _check(TOKEN, game)
    _check(TOKEN, domain)
    return f"<{game}@{domain}>"


def build_message(
    letter: Letter,
    *,
    to: NamedAddress,
    sender: NamedAddress,
    reply_to: str | None,
    message_id: str,
    references: Sequence[str],
    list_id: str | None,
    unsubscribe_url: str | None,
    date: datetime,
    dkim: DkimKey | None = None,
    json_part: bytes | None = None,
    letter_token: str | None = None,
) -> bytes:
    """Build the whole message, ready to be delivered.

    `references` ends with the message it answers; `list_id` is a name such as `game.marketpost.org`; `letter_token` is
    what a complaint about the letter names.
    """
    mail = EmailMessage(POLICY)
    mail["From"] = _address(sender)
    mail["To"] = _address(to)
    if reply_to:
        mail["Reply-To"] = _address(NamedAddress(reply_to, sender.name))
    mail["Subject"] = one_line(letter.subject)[:LONGEST_SUBJECT]
    mail["Date"] = date
    mail["Message-ID"] = _check(MESSAGE_ID, message_id)
    for name, value in (*_thread(references), *_who_sends(letter, list_id, unsubscribe_url)):
        mail[name] = value
    if letter_token:
        mail[LETTER_HEADER] = _check(TOKEN, letter_token)
    mail["MIME-Version"] = "1.0"
    _fill(mail, letter)
    _attach(mail, letter, json_part)
    data = mail.as_bytes()
    return _sign(data, dkim) if dkim else data


def _thread(references: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the headers that put the message into a thread."""
    if references:
        ids = [_check(MESSAGE_ID, each) for each in references]
        yield "In-Reply-To", ids[-1]
        yield "References", " ".join(ids)


def _who_sends(letter: Letter, list_id: str | None, unsubscribe_url: str | None) -> Iterator[tuple[str, str]]:
    """Yield the headers that mark the message as automatic and offer to unsubscribe."""
    yield "Auto-Submitted", "auto-replied" if letter.reply else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    if list_id:
        yield "List-Id", f"<{_check(TOKEN, list_id)}>"
    if unsubscribe_url:
        yield "List-Unsubscribe", f"<{_check(URL, unsubscribe_url)}>"
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"


def _fill(mail: EmailMessage, letter: Letter) -> None:
    """Add the text and the HTML with its pictures.

    Boundaries begin with `=_`, which neither quoted-printable nor base64 can produce.
    """
    mail.make_alternative("=_alternative")
    for kind, text in (("plain", letter.text), ("html", letter.html)):
        mail.add_alternative(_writable(text), subtype=kind, cte="quoted-printable")
    if letter.pictures:
        (_, page) = mail.iter_parts()
        _show(page, letter)


def _show(page: MIMEPart, letter: Letter) -> None:
    """Add the pictures to the HTML part."""
    page.make_related("=_related")
    for each in letter.pictures:
        cid, name = _check(MESSAGE_ID, f"<{each.cid}>"), _check(TOKEN, f"{each.name}.png")
        page.add_related(each.data, "image", "png", cid=cid, disposition="inline", filename=name)


def _attach(mail: EmailMessage, letter: Letter, json_part: bytes | None) -> None:
    """Add attachments, as base64: a whole game may be one line of a million characters."""
    if letter.attachments or json_part is not None:
        mail.make_mixed("=_mixed")
    for each in letter.attachments:
        kind, name = _check(TOKEN, each.kind), _check(TOKEN, each.name)
        mail.add_attachment(_writable(each.text).encode(), "text", kind, filename=name, params={"charset": "utf-8"})
    if json_part is not None:
        mail.add_attachment(json_part, "application", "json", filename="game.json")


def _writable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _address(mailbox: NamedAddress) -> Address:
    """Return an address header with the domain in ASCII; `BadHeader` if it is malformed."""
    local, _, domain = _check(ADDRESS, mailbox.address).rpartition("@")
    try:
        plain = domain.encode("idna").decode()
    except ValueError as error:
        raise BadHeader(f"{mailbox.address[:80]!r} is no address") from error
    name = one_line(mailbox.name)[:LONGEST_NAME].strip()
    return Address(name, _check(DOTTED, local), _check(DOTTED, plain))


def _check(form: re.Pattern[str], value: str) -> str:
    """Return the value if it has this form, else raise `BadHeader`."""
    if not form.fullmatch(value):
        raise BadHeader(f"{value[:80]!r} must not stand in a header")
    return value


def _sign(data: bytes, key: DkimKey) -> bytes:
    """Prepend the DKIM signature."""
    signature = dkimpy.sign(
        data,
        key.selector.encode(),
        key.domain.encode(),
        key.private,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[name for name in SIGNED if re.search(rb"(?mi)^" + name + b":", data.partition(b"\r\n\r\n")[0])],
    )
    return bytes(signature) + data
