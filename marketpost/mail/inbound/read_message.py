"""Parse an inbound message: its sender, whether a person wrote it, and which lines are new."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from marketpost.mail.inbound.automatic import find_bounce, why_automatic
from marketpost.mail.inbound.habits import folded, pattern
from marketpost.mail.inbound.html_lines import read_html
from marketpost.mail.inbound.mime import ParsedMime, Part, TextSection, parse_mime, value, values, words_of
from marketpost.mail.inbound.quotes import NewText, marked, new_text

MOST_NEW_LINES = 400
MOST_RECIPIENTS = 100
MOST_SECTIONS = 20
LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,8}"
ADDRESS = re.compile(rf"(?<![\w.+@-]){LOCAL}@{DOMAIN}(?![\w@-])")
BARE = re.compile(rf"\s*<?({LOCAL}@{DOMAIN})>?\s*(?:\([^()]*\)\s*)?")
NAMED = re.compile(rf"\s*(?P<name>\"(?:[^\"\\]|\\.)*\"|[^\"<>,;:@()\[\]]*|{LOCAL}@{DOMAIN})\s*<({LOCAL}@{DOMAIN})>\s*(?:\([^()]*\)\s*)?")
QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"")
MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """A parsed inbound message.

    `lines` are what its sender wrote now; empty if no person wrote the message. `forwarded` means that somebody else may have written all
    of it: the subject says that it is forwarded, and no quote was found.
    """

    message_id: str | None
    sender: str | None
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    automatic: str | None
    bounce: str | None
    """What a bounce says about our letter, if it is one."""
    lines: list[str]
    truncated: bool
    forwarded: bool = False
    below: tuple[str, ...] = ()
    """What stands below a signature mark."""
    signed: bool = True
    """Whether its sender may have signed below it; nobody signs a part that others follow."""

    @property
    def names(self) -> tuple[str, ...]:
        """The words with which the sender may sign: those of the name and of the address."""
        if not self.signed:
            return ()
        return (self.sender_name, *re.findall(r"[a-z]{2,}", (self.sender or "").partition("@")[0]))


def parse_message(raw: bytes) -> ParsedMessage:
    """Parse any bytes; never raises."""
    parcel = parse_mime(raw)
    message = parcel.message
    bounce = find_bounce(message)
    automatic = why_automatic(message) or ("bounce" if bounce else None)
    name, sender = _sender(message)
    new = NewText([]) if automatic else _new_text(parcel)
    subject = words_of(value(message, "Subject"))[:500]
    own_id = MESSAGE_ID.search(value(message, "Message-ID"))
    return ParsedMessage(
        message_id=own_id[0] if own_id else None,
        sender=sender,
        sender_name=name,
        recipients=tuple(_recipients(message)),
        subject=subject,
        automatic=automatic,
        bounce=bounce,
        lines=new.lines[:MOST_NEW_LINES],
        truncated=parcel.truncated or new.truncated or len(new.lines) > MOST_NEW_LINES,
        forwarded=bool(new.lines) and not new.quotes and bool(pattern("forwarded", "subjects").match(folded(subject))),
        below=new.below,
    )


def _sender(message: Part) -> tuple[str, str | None]:
    """Return the sender's name and address; the address only in one of the two forms that mail programs write."""
    told = values(message, "From")
    if len(told) != 1:
        return "", None
    if bare := BARE.fullmatch(told[0]):
        return "", bare.group(1).lower()
    named = NAMED.fullmatch(told[0])
    if not named or ("@" in named["name"] and not named["name"].startswith('"') and named["name"].lower() != named.group(2).lower()):
        return "", None
    return words_of(named["name"].strip().strip('"'))[:100], named.group(2).lower()


def _recipients(message: Part) -> Iterable[str]:
    """Return the recipients, each once."""
    headers = [each for name in ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To") for each in values(message, name)]
    found = (address.lower() for each in headers for address in ADDRESS.findall(QUOTED.sub(" ", each)))
    return list(dict.fromkeys(found))[:MOST_RECIPIENTS]


def _new_text(parcel: ParsedMime) -> NewText:
    """Return the new lines of all sections, up to a quote that takes everything after it."""
    lines: list[str] = []
    below: list[str] = []
    quotes = truncated = False
    for section in parcel.sections[:MOST_SECTIONS]:
        found = _section_text(section)
        lines += ["", *found.lines] if lines and found.lines else found.lines
        below += found.below
        quotes |= found.quotes
        truncated |= found.truncated
        if found.to_the_end:
            return NewText(lines, True, True, truncated, tuple(below))
    return NewText(lines, quotes, False, truncated or len(parcel.sections) > MOST_SECTIONS, tuple(below))


def _section_text(section: TextSection) -> NewText:
    """Return the new lines of one section."""
    page = read_html(section.html) if section.html is not None else None
    seen = new_text(page.lines) if page else NewText([])
    if page and page.truncated:
        seen = seen._replace(truncated=True)
    if section.text is None or not section.text.strip():
        return seen
    written = new_text(marked(section.text))
    return _agreed(written, seen) if page and page.lines else written


def _agreed(written: NewText, seen: NewText) -> NewText:
    """Choose between plain text and HTML, which say the same; where they differ, one of them has let quoted words through."""
    one, other = _words(written), _words(seen)
    if not one or not other:
        return seen if other else written
    if one == other:
        return seen
    if written.quotes and f" {one} " in f" {other} ":
        return written
    return seen if seen.quotes else written


def _words(text: NewText) -> str:
    return " ".join(re.findall(r"\w+", " ".join(text.lines)))
