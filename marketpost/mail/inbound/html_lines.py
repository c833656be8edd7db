"""Convert the HTML of a message to lines, marked as quoted or signature where the mail program says so."""

import re
from dataclasses import dataclass

from lxml import etree  # type: ignore[import-untyped]

MOST_HTML = 400_000
MOST_STEPS = 30_000
"""Tags that are visited; the rest of the message counts as truncated."""
LONGEST_LINE = 2000

BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure", "footer",
    "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section",
    "table", "tr", "ul",
})  # fmt: skip
TAG = re.compile("<\ufffd*/?\ufffd*[A-Za-z][^<>]*>")
UNSEEN = frozenset(["head", "script", "style", "title", "template", "noscript", "object", "select", "textarea", "svg", "math", "xml"])
PREFORMATTED = ("pre", "listing", "xmp")
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|!|$)")
"""Styles that hide an element."""

QUOTE_CLASS = re.compile(
    r"(?:^|\s)(?:x_)*(?:yahoo_quoted|\S*yahoo_quoted\S*|protonmail_quote|moz-forward-container"
    r"|zmail_extra|tutanota_quote|mail_quote|quoted-?text|reply-quote|WM_quote|mailQuote|hmquote"
    r"|ms-outlook-mobile-reference-message|ox-quote)(?:\s|$)",
    re.I,
)
"""CSS classes with which mail programs mark a quote."""
# What only says that a quote begins: if nothing behind it is marked as quoted, all of it is.
ATTRIBUTION_CLASS = re.compile(
    r"(?:^|\s)(?:x_)*(?:gmail_attr|gmail_quote_attribution|moz-cite-prefix|moz-email-headers-table|replyheader|OutlookMessageHeader"
    r"|quote-header|quote_header)(?:\s|$)",
    re.I,
)
# Everything that follows one of these is quoted, wherever the program put it.
REST_ID = re.compile(
    r"^(?:x_)*(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|zwchr|stopSpelling|reply_?header|quoted_header|"
    r"mailbird-?quote|spark-?quote|LP_quote|isForwardContent|isReplyContent)$",
    re.I,
)
REST_STYLE = re.compile(
    r"border-top\s*:\s*(?:solid\s+#(?:e1e1e1|b5c4df|ccc(?:ccc)?)\s+1(?:\.0)?p[tx]|1(?:\.0)?p[tx]\s+solid\s+#(?:e1e1e1|b5c4df))", re.I
)
QUOTE_STYLE = re.compile(r"border-left\s*:[^;]*solid", re.I)
"""A style with which mail programs mark a quote."""
QUOTE_ID = re.compile(r"yahoo_quoted|^(?:x_)*(?:reply-intro|quoted-message|mail-quote|quote)$", re.I)
QUOTE_NAME = frozenset({"quote", "messagereplysection"})
SIGNATURE_CLASS = re.compile(
    r"(?:^|\s)(?:x_)*(?:gmail_signature|gmail_signature_prefix|moz-signature|protonmail_signature_block(?:-\S+)?|io-ox-signature|k9mail-signature|tutanota_signature"
    r"|elementToProof-signature|mail-signature|email-signature)(?:\s|$)",
    re.I,
)
SIGNATURE_ID = re.compile(
    r"^(?:x_)*(?:Signature|AppleMailSignature|ms-outlook-mobile-signature|composer_signature|_rc_sig|mail-app-auto-default-signature|bluemail_signature|signature-?\d*)$",
    re.I,
)


@dataclass(slots=True)
class MailLine:
    """One line as the reader sees it."""

    text: str
    quoted: bool = False
    signature: bool = False
    is_attribution: bool = False


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The lines of an HTML part."""

    lines: list[MailLine]
    truncated: bool = False


def read_html(html: str) -> HtmlText:
    """Return the visible text line by line."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(TAG.sub(_mended, html[:MOST_HTML]).encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError, AssertionError):
        root = None
    if root is None:
        return HtmlText([])
    walk = _Walk()
    steps = 0
    for event, node in etree.iterwalk(root, events=("start", "end")):
        steps += 1
        if steps > MOST_STEPS:
            break
        if isinstance(node.tag, str):
            (walk.enter if event == "start" else walk.leave)(node)
    return HtmlText(walk.finish(), steps > MOST_STEPS)


def _mended(tag: re.Match[str]) -> str:
    """Remove unreadable characters from a tag, so that the mail program's mark is still recognised."""
    return tag.group().replace("\ufffd", "")


class _Walk:
    """Walks the tree without recursion and counts how deep it is in hidden, quoted, signature and preformatted elements."""

    def __init__(self) -> None:
        self.lines: list[MailLine] = []
        self.buffer: list[str] = []
        self.depth = {"unseen": 0, "quoted": 0, "signature": 0, "attribution": 0, "pre": 0}
        self.rest = False
        self.open: list[list[str]] = []

    def enter(self, node: "etree._Element") -> None:
        """Begin an element."""
        tag = str(node.tag).lower()
        kinds = self._kinds(tag, node)
        if tag in BLOCKS or tag == "br" or not {"quoted", "signature", "rest"}.isdisjoint(kinds):
            self._end_line(always=tag == "br")
        if tag in ("td", "th"):
            self.buffer.append(" ")
        if "rest" in kinds:
            self.rest = True
        for kind in kinds:
            if kind in self.depth:
                self.depth[kind] += 1
        self.open.append(kinds)
        if tag != "br":
            self._write(node.text)

    def leave(self, node: "etree._Element") -> None:
        """End an element."""
        tag = str(node.tag).lower()
        kinds = self.open.pop()
        if tag in BLOCKS or {"quoted", "signature"} & set(kinds):
            self._end_line()
        for kind in kinds:
            if kind in self.depth:
                self.depth[kind] -= 1
        self._write(node.tail)

    def finish(self) -> list[MailLine]:
        """End the last line and return all lines."""
        self._end_line()
        return self.lines

    def _kinds(self, tag: str, node: "etree._Element") -> list[str]:
        """Return what an element is: hidden, preformatted, quoted, signature, or the beginning of a quote."""
        kinds = ["unseen"] if tag in UNSEEN else []
        if not node.attrib:
            return [*kinds, "quoted"] if tag == "blockquote" else [*kinds, "pre"] if tag in PREFORMATTED else kinds
        style, id, css, name = (str(node.get(key) or "")[:500] for key in ("style", "id", "class", "name"))
        if HIDDEN.search(style):
            kinds.append("unseen")
        if tag in PREFORMATTED:
            kinds.append("pre")
        return [*kinds, *_role(tag, style, id, css, name, node)]

    def _write(self, text: str | None) -> None:
        """Add text to the current line; line breaks count only in preformatted text."""
        if not text or self.depth["unseen"]:
            return
        if not self.depth["pre"]:
            self.buffer.append(re.sub(r"[ \t\n\r\f]+", " ", text))
            return
        first, *others = text.split("\n")
        self.buffer.append(first)
        for line in others:
            self._end_line(always=True)
            self.buffer.append(line)

    def _end_line(self, always: bool = False) -> None:
        """End the current line; a blank line is kept only where the writer put one."""
        text = "".join(self.buffer)
        self.buffer = []
        if text.strip(" \t\n\r\f") or always:
            shown = text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"
            quoted = self.rest or self.depth["quoted"] > 0
            self.lines.append(MailLine(shown.strip(), quoted, self.depth["signature"] > 0, self.depth["attribution"] > 0))


def _role(tag: str, style: str, id: str, css: str, name: str, node: "etree._Element") -> list[str]:
    """Return what the mail program says that an element is."""
    divides = node.get("data-marker") == "__DIVIDER__" or name == "_MailOriginal"
    if REST_ID.search(id) or (tag in ("div", "p", "table") and REST_STYLE.search(style)) or divides:
        return ["rest"]
    if ATTRIBUTION_CLASS.search(css):
        return ["quoted", "attribution"]
    if _is_quote(tag, style, id, css, name) or _is_forwarded(tag, css, node):
        return ["quoted"]
    if SIGNATURE_CLASS.search(css) or SIGNATURE_ID.search(id) or name.lower() == "messagesignaturesection":
        return ["signature"]
    return []


def _is_quote(tag: str, style: str, id: str, css: str, name: str) -> bool:
    """Whether an element is marked as a quote."""
    return (
        tag == "blockquote"
        or bool(QUOTE_CLASS.search(css) or QUOTE_ID.search(id))
        or (tag in ("div", "a") and name.lower() in QUOTE_NAME)
        or (tag == "div" and bool(QUOTE_STYLE.search(style)))
    )


def _is_forwarded(tag: str, css: str, node: "etree._Element") -> bool:
    """Whether a Gmail quote element holds a forwarded mail.

    Gmail wraps a reply's blockquote and a forwarded mail in the same element; only the first leaves room for own words.
    """
    return tag == "div" and "gmail_quote" in css.split() and node.find(".//blockquote") is None
