"""Parse raw bytes into a message and its texts. It never raises and never takes long, whatever the bytes are."""

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import CloseBoundaryNotFoundDefect, HeaderParseError, StartBoundaryNotFoundDefect
from email.header import decode_header
from email.message import Message
from email.policy import compat32
from itertools import islice
from typing import TYPE_CHECKING

MOST_BYTES = 600_000
MOST_LINES = 12_000
MOST_DELIMITERS = 300
MOST_NESTED = 16
MOST_HEADER = 64_000
MOST_HEADER_LINES = 500
MOST_TEXT = 400_000
LONGEST_VALUE = 10_000
MOST_FIELDS = 60
NEEDED = re.compile(
    rb"^(?:from|to|cc|subject|date|message-id|in-reply-to|references|mime-version|content-[a-z-]+|delivered-to|x-original-to|envelope-to"
    rb"|return-path|auto-[a-z-]+|precedence|list-[a-z-]+|mailing-list|x-[a-z-]*(?:auto|list|mailman|beenthere|group|vacation|machine|cron|failed)"
    rb"[a-z-]*):[^\n]*\n?(?:[ \t][^\n]*\n?)*",
    re.I | re.M,
)
"""The header fields that are read if a header is far too long."""
ATTACHABLE = ("application", "audio", "font", "image", "model", "video", "message")
"""Main types that are attachments unless the HTML shows them."""

if TYPE_CHECKING:
    Part = Message[str, str]
else:
    Part = Message

# Python also knows codecs that are no charsets, such as zip, and some that can be made to explode.
CHARSETS = {
    codecs.lookup(name).name
    for name in (
        *("utf-8", "ascii", "iso-8859-1", "cp1252", "mac-roman", "koi8-r", "koi8-u"),
        *(f"iso-8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)),
        *(f"cp125{number}" for number in (0, 1, 3, 4, 5, 6, 7, 8)),
        *("cp437", "cp850", "cp858", "gb18030", "gbk", "gb2312", "big5", "euc-jp", "shift-jis", "iso-2022-jp", "euc-kr"),
    )
}
"""Charsets that are decoded. Python also has codecs that are no charsets, such as zip, and some that can be made to explode."""
UUENCODED = ("x-uuencode", "uuencode", "uue", "x-uue")
WESTERN = {"ascii", "iso8859-1", "cp1252"}
"""Charsets that are decoded as UTF-8 where possible, else as Windows-1252."""


@dataclass(frozen=True, slots=True)
class TextSection:
    """A section of a message: the same words as plain text, as HTML, or both."""

    text: str | None = None
    html: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedMime:
    """A parsed message with its text sections."""

    message: Part
    sections: tuple[TextSection, ...]
    truncated: bool


def parse_mime(raw: bytes) -> ParsedMime:
    """Parse as much of a message as the limits allow; never raises for what is in it."""
    trimmed, rest = trim(raw)
    try:
        message = message_from_bytes(trimmed, policy=compat32)
        leaves = list(_leaves(message))
        sections = tuple(_sections(message, 0))
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError, AssertionError):
        # What the parser cannot take apart is a mail without words, and its sender is told so.
        return ParsedMime(Message(policy=compat32), (), True)
    only_attachments = bool(leaves) and _is_attached(leaves[-1]) and b"\ncontent-type: text/" not in rest
    cut = (bool(rest) and not only_attachments) or (not rest and any(map(_is_cut_off, parts(message))))
    return ParsedMime(message, sections, cut or any(map(_is_too_long, leaves)))


def trim(raw: bytes) -> tuple[bytes, bytes]:
    """Return as much of a message as is read, and the rest in lower case. Lines, parts and depth cost time, not only bytes."""
    whole = raw[:MOST_BYTES].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    small = whole.lower()
    end = min(
        _nth(whole, b"\n", MOST_LINES),
        _nth(whole, b"\n--", MOST_DELIMITERS),
        _nth(small, b"boundary", MOST_NESTED),
        _nth(small, b"message/", MOST_NESTED),
    )
    rest = small[end:] + raw[MOST_BYTES:].lower()
    trimmed = _trim_header(whole[:end])
    return (b"", small) if trimmed is None else (trimmed, rest)


def _nth(text: bytes, what: bytes, count: int) -> int:
    """Return where `what` occurs for the nth time; the end if it does not."""
    place = -1
    for _ in range(count):
        place = text.find(what, place + 1)
        if place < 0:
            return len(text)
    return place


def _trim_header(whole: bytes) -> bytes | None:
    """Reduce a header that is too long to the needed fields; `None` if even those are too many."""
    end = whole.find(b"\n\n")
    header = whole if end < 0 else whole[:end]
    kept = min(MOST_HEADER, _nth(header, b"\n", MOST_HEADER_LINES))
    if kept >= len(header):
        return whole
    fields = [field.group()[:LONGEST_VALUE].rstrip(b"\n") for field in islice(NEEDED.finditer(header), MOST_FIELDS + 1)]
    if len(fields) > MOST_FIELDS:
        return None
    return b"\n".join(fields) + (b"\n" if end < 0 else whole[end:])


def _leaves(message: Part) -> Iterator[Part]:
    """Yield the parts that contain no other parts, without those of an enclosed mail."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        inner = children(part) if part.get_content_maintype() == "multipart" else []
        waiting.extend(reversed(inner))
        if not inner:
            yield part


def parts(message: Part) -> Iterator[Part]:
    """Yield every part, also those inside an enclosed mail."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(children(part)))


def children(part: Part) -> list[Part]:
    """Return the parts inside a part."""
    payload: object = part.get_payload() if part.is_multipart() else []
    return [each for each in payload if isinstance(each, Message)] if isinstance(payload, list) else []


def _sections(part: Part, depth: int) -> Iterator[TextSection]:
    """Yield the text sections of a part."""
    if part.get_content_maintype() == "multipart" and children(part):
        inner = [section for child in children(part) for section in _sections(child, depth + 1)] if depth < MOST_NESTED else []
        yield from [_alternative(inner)] if part.get_content_subtype() == "alternative" else inner
    elif _is_text(part):
        text = text_of(part)
        yield TextSection(html=text) if part.get_content_subtype() == "html" else TextSection(text=_unflow(part, text))


def _alternative(sections: list[TextSection]) -> TextSection:
    """Join the parts of multipart/alternative to one section."""
    texts = [each.text for each in sections if each.text is not None]
    htmls = [each.html for each in sections if each.html is not None]
    return TextSection("\n".join(texts) if texts else None, "\n".join(htmls) if htmls else None)


def _is_text(part: Part) -> bool:
    """Whether a part is text that its sender wrote, not an attachment."""
    return part.get_content_type() in ("text/plain", "text/html") and not _is_attached(part) and not part.is_multipart()


def _is_attached(part: Part) -> bool:
    """Whether a part is an attachment."""
    disposition = value(part, "Content-Disposition").partition(";")[0].strip().lower()
    if disposition == "attachment" or param(part, "filename", "Content-Disposition"):
        return not (part.get_content_maintype() == "image" and part.get("Content-ID"))
    return part.get_content_maintype() in ATTACHABLE and not part.get("Content-ID")


def _is_cut_off(part: Part) -> bool:
    """Whether parts of the message were lost on the way: the last boundary is missing."""
    return any(isinstance(defect, CloseBoundaryNotFoundDefect | StartBoundaryNotFoundDefect) for defect in part.defects)


def _is_too_long(part: Part) -> bool:
    """Whether a text is longer than is read."""
    return _is_text(part) and len(_content(part)) > MOST_TEXT


def text_of(part: Part) -> str:
    """Return the text of a part; unreadable characters are replaced."""
    return _decode(_content(part)[:MOST_TEXT], param(part, "charset"))


def _content(part: Part) -> bytes:
    """Return the decoded bytes of a part; UU encoding is not read.

    Decoding is always requested: without it the parser would use whatever codec the message names.
    """
    if part.is_multipart() or value(part, "Content-Transfer-Encoding").lower() in UUENCODED:
        return b""
    content: object = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _decode(data: bytes, label: str) -> str:
    """Decode bytes by their label; labels are often wrong, so UTF-8 is tried first, and Western means Windows-1252."""
    charset = _charset(label)
    if charset in WESTERN or charset == "utf-8":
        try:
            return _cleaned(data.decode("utf-8"))
        except UnicodeDecodeError:
            charset = "utf-8" if charset == "utf-8" and _is_cut(data) else "cp1252"
    return _cleaned(data.decode(charset, "replace"))


def _is_cut(data: bytes) -> bool:
    """Whether only the last character is broken."""
    try:
        data[:-4].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 8
    return True


def _charset(label: str) -> str:
    """Return the charset of a label; UTF-8 if it is unknown or not allowed."""
    try:
        name = codecs.lookup(label.strip(" \"'").lower()).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name in CHARSETS else "utf-8"


LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def _cleaned(text: str) -> str:
    """Unify line ends, and replace control characters by the sign for unreadable, so that no order can hide behind them."""
    return CONTROLS.sub("\ufffd", LINE_ENDS.sub("\n", text)).removeprefix("\ufeff")


def _unflow(part: Part, text: str) -> str:
    """Join the lines of text in format=flowed."""
    if param(part, "format").lower() != "flowed":
        return text
    return "\n".join(_flowed_lines(text.split("\n"), param(part, "delsp").lower() == "yes"))


def _flowed_lines(lines: list[str], delsp: bool) -> Iterator[str]:
    """Join lines by RFC 3676: one that ends in a blank continues in the next one of the same quote depth.

    A line with a comment does not: a blank typed behind it would make the next line part of the comment.
    """
    open_depth, open_pieces = -1, list[str]()
    for line in lines:
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if open_pieces and (depth != open_depth or content == "-- "):
            yield _quoted(open_depth, open_pieces)
            open_pieces = []
        flows = content.endswith(" ") and content != "-- " and "#" not in content
        open_depth = depth
        open_pieces.append(content[:-1] if flows and delsp else content)
        if not flows:
            yield _quoted(depth, open_pieces)
            open_pieces = []
    if open_pieces:
        yield _quoted(open_depth, open_pieces)


def _quoted(depth: int, pieces: list[str]) -> str:
    mark = ">" * depth
    return f"{mark} {''.join(pieces)}" if mark else "".join(pieces)


def value(part: Part, name: str) -> str:
    """Return a header on one line; empty if it is missing."""
    return next(iter(values(part, name)), "")


def values(part: Part, name: str) -> list[str]:
    """Return every header of that name, from the raw items: the parser's own access fails on bytes that are not ASCII."""
    return [_unfolded(str(told)) for key, told in part.raw_items() if key.lower() == name.lower()][:50]


def _unfolded(text: str) -> str:
    joined = re.sub(r"\s*[\r\n]+\s*", " ", text[:LONGEST_VALUE])
    return _decode(joined.encode("utf-8", "surrogateescape"), "utf-8").replace("\n", " ").strip()


def param(part: Part, name: str, header: str = "Content-Type") -> str:
    """Return a parameter of a header; empty if it is missing or malformed."""
    try:
        told = part.get_param(name, "", header)
    except (ValueError, LookupError, TypeError, AttributeError, UnicodeError):
        return ""
    return (told[2] or "" if isinstance(told, tuple) else str(told or ""))[:200]


def words_of(header: str) -> str:
    """Decode a header's encoded words, with our own list of charsets."""
    try:
        pieces = decode_header(header[:2000])
    except (HeaderParseError, ValueError, LookupError, binascii.Error):
        return header[:2000]
    texts = [piece if isinstance(piece, str) else _decode(piece, charset or "utf-8") for piece, charset in pieces]
    return re.sub(r"\s+", " ", "".join(texts)).strip()
