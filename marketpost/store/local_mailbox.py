"""The local mailbox: letters are put here where no mail server is set. Each address has its newest few hundred, newest last."""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.utils import format_datetime, make_msgid, parseaddr

import msgspec

from marketpost.store.redis_client import RedisClient

MOST_MAILS = 500
"""Letters for each address; the oldest are deleted first."""
QUOTE_MARK = "> "

# ADD: put a letter into a local mailbox.
# KEYS: last numbers, heads, letters, read marks. ARGV: address, head, letter, most letters. Result: the letter's number.
# Atomic, so that two letters never share a number. Numbers are not used again; the oldest letter beyond the limit is deleted.
ADD = """
local number = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('HSET', KEYS[2], number, ARGV[2])
redis.call('HSET', KEYS[3], number, ARGV[3])
local gone = number - tonumber(ARGV[4])
redis.call('HDEL', KEYS[2], gone)
redis.call('HDEL', KEYS[3], gone)
redis.call('SREM', KEYS[4], gone)
return number
"""


class MailboxHead(msgspec.Struct, frozen=True):
    """What a list shows of a letter."""

    sender: str
    """Sender of the envelope."""
    subject: str
    at: int


@dataclass(frozen=True, slots=True)
class MailboxLine:
    """A letter in a list."""

    number: int
    head: MailboxHead
    read: bool


@dataclass(frozen=True, slots=True)
class MailboxAttachment:
    """An attachment or picture of a letter."""

    name: str
    kind: str
    content: bytes


_head = msgspec.json.Decoder(MailboxHead)


class LocalMailbox:
    """Stores letters by recipient."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._add = redis.register_script(ADD)

    @staticmethod
    def _key(part: str, address: str) -> str:
        return f"{{mailbox}}:{part}:{address.casefold()}"

    def add(self, recipient: str, sender: str, raw: bytes, at: int) -> int:
        """Add a letter; returns its number."""
        head = msgspec.json.encode(MailboxHead(sender, _subject(raw), at))
        keys = ["{mailbox}:numbers", *(self._key(part, recipient) for part in ("heads", "mails", "read"))]
        return int(self._add(keys=keys, args=[recipient.casefold(), head, raw, MOST_MAILS]))

    def addresses(self) -> list[tuple[str, int, int]]:
        """List each address with the number of its letters and of those that are unread."""
        names = self.redis.hkeys("{mailbox}:numbers")
        return [(name, *self._counts(name)) for name in sorted(each.decode() for each in names)]

    def _counts(self, address: str) -> tuple[int, int]:
        mails = self.redis.hlen(self._key("heads", address))
        return mails, mails - self.redis.scard(self._key("read", address))

    def list(self, address: str) -> list[MailboxLine]:
        """List the letters of an address, oldest first."""
        heads = self.redis.hgetall(self._key("heads", address))
        read = self.redis.smembers(self._key("read", address))
        return [MailboxLine(int(number), _head.decode(heads[number]), number in read) for number in sorted(heads, key=int)]

    def read(self, address: str, number: int) -> "MailboxMessage | None":
        """Read a letter; None if there is none with this number."""
        found = self.redis.hget(self._key("mails", address), str(number))
        return MailboxMessage(found) if found is not None else None

    def mark_read(self, address: str, number: int) -> None:
        """Mark a letter as read."""
        if self.redis.hexists(self._key("heads", address), str(number)):
            self.redis.sadd(self._key("read", address), number)

    def erase(self, address: str, name: str = "") -> None:
        """Delete all letters to an address and, with a name, the letters to others that mention either."""
        self.redis.hdel("{mailbox}:numbers", address.casefold())
        for part in ("heads", "mails", "read"):
            self.redis.delete(self._key(part, address))
        theirs = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in (address, name) if each), re.IGNORECASE)
        for other, _, _ in self.addresses() if name else ():
            for line in self.list(other):
                mail = self.read(other, line.number)
                if mail and any(theirs.search(text) for text in (line.head.subject, mail.header("To"), mail.text, mail.html)):
                    self._remove(other, line.number)

    def _remove(self, address: str, number: int) -> None:
        for part in ("heads", "mails"):
            self.redis.hdel(self._key(part, address), str(number))
        self.redis.srem(self._key("read", address), number)


def _subject(raw: bytes) -> str:
    return str(message_from_bytes(raw.partition(b"\r\n\r\n")[0], policy=policy.default)["Subject"] or "")


class MailboxMessage:
    """A letter as its reader sees it."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.message: EmailMessage = BytesParser(policy=policy.default).parsebytes(raw)

    def header(self, name: str) -> str:
        """Read a header as one line; empty if there is none."""
        return " ".join(str(self.message.get(name, "")).split())

    @property
    def text(self) -> str:
        """Its plain text."""
        return self._part("plain")

    @property
    def html(self) -> str:
        """Its HTML, with pictures as references to attachments."""
        return self._part("html")

    @property
    def page(self) -> str:
        """Its HTML with the pictures embedded, to open it in a browser."""
        page = self.html
        for part in self._pictures():
            data = b64encode(_content(part)).decode()
            page = page.replace(f"cid:{str(part['Content-ID']).strip('<>')}", f"data:image/png;base64,{data}")
        return page

    def _pictures(self) -> Iterator[MIMEPart]:
        for part in self.message.walk():
            if part.get("Content-ID") and part.get_content_type() == "image/png":
                yield part

    @property
    def pictures(self) -> list[MailboxAttachment]:
        """The pictures that its HTML shows."""
        return [
            MailboxAttachment(part.get_filename() or "picture.png", part.get_content_type(), _content(part)) for part in self._pictures()
        ]

    def _part(self, kind: str) -> str:
        part = self.message.get_body(preferencelist=(kind,))
        return str(part.get_content()) if isinstance(part, MIMEPart) else ""

    @property
    def attachments(self) -> list[MailboxAttachment]:
        """Its attachments."""
        return list(self._attachments())

    def _attachments(self) -> Iterator[MailboxAttachment]:
        for number, part in enumerate(self.message.iter_attachments(), 1):
            yield MailboxAttachment(part.get_filename() or f"part-{number}", part.get_content_type(), _content(part))

    @property
    def reply_to(self) -> str:
        """The address that an answer goes to."""
        return parseaddr(self.header("Reply-To") or self.header("From"))[1]


def _content(part: MIMEPart) -> bytes:
    content = part.get_content()
    if isinstance(content, str):
        return content.replace("\r\n", "\n").encode()
    return content if isinstance(content, bytes) else part.as_bytes()


def write_reply(mail: MailboxMessage, address: str, text: str, at: datetime | None = None) -> bytes:
    """Write the message that a mail program sends when `address` answers a letter: the text above, the letter quoted below."""
    at = at or datetime.now(UTC)
    reply = EmailMessage(policy=policy.SMTP.clone(max_line_length=76))
    reply["From"], reply["To"] = address, mail.reply_to
    subject = mail.header("Subject")
    reply["Subject"] = subject if subject.casefold().startswith("re:") else f"Re: {subject}"
    reply["Date"] = format_datetime(at)
    reply["Message-ID"] = make_msgid(domain=address.rpartition("@")[2] or "localhost")
    if known := mail.header("Message-ID"):
        reply["In-Reply-To"] = known
        reply["References"] = f"{mail.header('References')} {known}".strip()
    reply["MIME-Version"] = "1.0"
    reply.set_content(f"{text.rstrip()}\n\n{_quote(mail)}", cte="quoted-printable")
    return reply.as_bytes()


def _quote(mail: MailboxMessage) -> str:
    lines = mail.text.replace("\r\n", "\n").rstrip().split("\n")
    return f"On {mail.header('Date')}, {mail.header('From')} wrote:\n" + "".join(f"{QUOTE_MARK}{line}".rstrip() + "\n" for line in lines)
