"""Find the new lines of a message: what is quoted, signed or added by the mail program is left out."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import quotequail  # type: ignore[import-untyped]
from mailparser_reply import EmailReplyParser  # type: ignore[import-untyped]

from marketpost.mail.inbound.attributions import ARROWS, LONGEST_ATTRIBUTION, attribution_end, goes_on_quoted
from marketpost.mail.inbound.habits import folded, pattern, tidy
from marketpost.mail.inbound.html_lines import MailLine

MOST_LINES = 3000
MOST_UNQUOTED = 450
"""Lines with text that are searched for quotes."""
LONGEST_LINE = 1000
MOST_BELOW = 30
LIBRARY_LINES = 60
LIBRARY_LINE = 200

MARK = re.compile(r"\s{0,3}(?:>|[A-Z]{1,3}>)")
"""The beginning of a quoted line."""
LINK = re.compile(r"[<\[(]?(?:https?://|www\.|mailto:)[^\s<>\])]+[>\])]?")
PGP = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----")
LIBRARY_LANGUAGES = ["en", "de", "fr", "it", "es", "nl", "da", "sv", "pl", "cs"]


def marked(text: str) -> list[MailLine]:
    """Split plain text into lines; those with a `>` are quoted."""
    lines = [MailLine(_clip(line), bool(MARK.match(line)) and not ARROWS.fullmatch(line)) for line in _without_pgp(text.split("\n"))]
    return list(_torn_quotes(lines))


def _clip(line: str) -> str:
    """Shorten a line; it then ends in a sign that no order has, so that its beginning is not taken for the whole."""
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…"


def _without_pgp(lines: list[str]) -> Iterator[str]:
    """Yield the lines of signed text without the PGP frame."""
    signed = skipping = False
    for line in lines:
        found = PGP.fullmatch(line.strip())
        if found:
            signed |= found.group(1, 2) == ("BEGIN", "SIGNED MESSAGE")
            skipping = found.group(1) == "BEGIN" and found.group(2) != "SIGNED MESSAGE"
        elif not skipping and not (signed and line.startswith("Hash: ")):
            yield line.removeprefix("- ") if signed else line


def _torn_quotes(lines: list[MailLine]) -> Iterator[MailLine]:
    """Mark lines within a quote that lack the `>` as not understood.

    Some mail programs break quoted lines and leave the mark out, so these may be anybody's words.
    """
    inside = False
    for place, line in enumerate(lines):
        inside |= line.quoted
        torn = inside and not line.quoted and place + 1 < len(lines) and lines[place + 1].quoted
        yield MailLine(f"> {line.text}") if torn and line.text.strip() else line


class NewText(NamedTuple):
    """The new lines of a text.

    `quotes`: a quote was found; `to_the_end`: it took everything that followed; `truncated`: there were more lines than are read; `below`:
    what stands below signature marks.
    """

    lines: list[str]
    quotes: bool = False
    to_the_end: bool = False
    truncated: bool = False
    below: tuple[str, ...] = ()


def new_text(whole: Sequence[MailLine]) -> NewText:
    """Find the new lines among all lines of a text."""
    lines = list(_readable(whole))
    kept, quotes, to_the_end = _unquoted(lines)
    below = [*_signatures(kept), *(text for run in _runs(kept) for text in _below_mark(run))]
    runs = [_without_footers(run) for run in _runs(kept)]
    texts = [text for run in runs for text in run]
    fewer = _second_opinion(texts)
    ended = len(fewer) < len(texts)
    truncated = len(lines) < len(whole) and not (to_the_end or ended)
    return NewText(
        _single_spaced(fewer), quotes or ended, to_the_end or ended, truncated, () if ended else tuple(_second_opinion(below[:MOST_BELOW]))
    )


def _readable(lines: Sequence[MailLine]) -> Iterator[MailLine]:
    """Yield the first lines; searching for quotes takes time for each line that is not marked as one."""
    words = 0
    for line in lines[:MOST_LINES]:
        words += not line.quoted and bool(line.text.strip())
        if words > MOST_UNQUOTED:
            return
        yield line


def _unquoted(lines: Sequence[MailLine]) -> tuple[list[MailLine], bool, bool]:
    """Return the lines with quoted ones blanked, whether there was a quote, and whether it went to the end."""
    kept: list[MailLine] = []
    found = any(line.quoted for line in lines)
    place = 0
    while place < len(lines):
        line = lines[place]
        end = 0 if line.quoted or not line.text.strip() else attribution_end(lines, place)
        if end:
            found = True
            if not goes_on_quoted(lines, end):
                return kept, True, True
            kept.append(MailLine("", quoted=True))
            place = end
            continue
        if line.is_attribution and not goes_on_quoted(lines, place + 1):
            return kept, True, True
        kept.append(MailLine("", quoted=True) if line.quoted else line)
        place += 1
    return kept, found, bool(lines) and lines[-1].quoted


def _runs(lines: Sequence[MailLine]) -> Iterator[list[str]]:
    """Yield new lines without a quote between them; marked signatures are left out, unless everything is one."""
    signed = _is_signed(lines)
    run: list[str] = []
    for line in lines:
        if line.quoted and run:
            yield [*run, ""]
            run = []
        if not line.quoted and not (signed and line.signature):
            run.append(line.text)
    yield run


def _is_signed(lines: Sequence[MailLine]) -> bool:
    """Whether there are words that are no signature."""
    return any(line.text.strip() and not line.signature for line in lines)


def _signatures(lines: Sequence[MailLine]) -> list[str]:
    """Return the lines that the mail program marked as signature."""
    return [line.text for line in lines if _is_signed(lines) and line.signature and not line.quoted and line.text.strip()]


def _without_footers(run: list[str]) -> list[str]:
    """Return a run up to its signature or disclaimer, without footers of programs and providers."""
    kept: list[str] = []
    footer = False
    for place, line in enumerate(run):
        text = folded(line[:LONGEST_ATTRIBUTION])
        if _is_signature_mark(line) or _is_disclaimer(run, place):
            break
        was_footer, footer = footer, _is_footer(text, run[place + 1 : place + 2])
        continues = was_footer and bool(text) and (bool(LINK.fullmatch(text)) or _completes_footer(run[place - 1], line))
        footer |= continues
        if not footer:
            kept.append(line)
    return kept


def _below_mark(run: list[str]) -> list[str]:
    """Return the lines of a run below its signature mark."""
    marks = [place for place, line in enumerate(run) if _is_signature_mark(line)]
    return [line for line in run[marks[0] + 1 :] if line.strip()] if marks else []


def _is_signature_mark(line: str) -> bool:
    return tidy(line) in ("--", "__") or line.strip() in ("—", "―")


def _is_footer(text: str, following: list[str]) -> bool:
    """Whether a line was added by a mail program or provider."""
    if not text:
        return False
    bare = LINK.sub(" ", text).strip(" -_*|([<>])") or text.strip(" <>")
    if pattern("footers", "sentences").search(bare):
        return False
    lines = pattern("footers", "lines")
    return bool(lines.match(bare)) or bool(
        following and following[0].strip() and len(bare) > 40 and lines.match(f"{bare} {folded(following[0])}")
    )


def _completes_footer(before: str, line: str) -> bool:
    """Whether a line is the second half of a footer that was too long for one line."""
    whole = f"{folded(before)} {folded(line)}".strip(" -_*|([<>])")
    return (
        len(before) > 40
        and not folded(before).endswith((".", "!", ">"))
        and bool(pattern("footers", "lines").match(whole))
        and line[:1].islower()
    )


def _is_disclaimer(run: list[str], place: int) -> bool:
    """Whether a legal disclaimer begins here."""
    text = folded(" ".join(run[place : place + 4])[:LONGEST_ATTRIBUTION]).lstrip(" *-_=")
    return bool(run[place].strip()) and len(run[place]) > 9 and bool(pattern("footers", "disclaimers").match(text))


def _second_opinion(lines: list[str]) -> list[str]:
    """Cut the lines where one of two libraries sees a quote begin; they know attributions in more languages.

    Their view of signatures is ignored, because it may be an order behind a hyphen. They are slow on hostile text, so they get only the
    beginning.
    """
    seen = [tidy(line)[:LIBRARY_LINE] for line in lines[:LIBRARY_LINES]]
    found = quotequail.unwrap("\n".join(seen))
    if found and found["type"] in ("reply", "forward"):
        top = found.get("text_top", "").split("\n") if found.get("text_top") else []
        return _first(lines, top)
    replies = EmailReplyParser(languages=LIBRARY_LANGUAGES).read("\n".join(seen)).replies
    if len(replies) > 1 or replies[0].headers:
        return _first(lines, [] if replies[0].headers else str(replies[0].content).split("\n"))
    return lines


def _first(lines: list[str], top: list[str]) -> list[str]:
    """Return as many lines as contain the words of `top`."""
    left = sum(1 for line in top if line.strip())
    kept = []
    for line in lines:
        if not left:
            break
        left -= bool(line.strip())
        kept.append(line)
    return kept


def _single_spaced(lines: list[str]) -> list[str]:
    """Tidy the lines and reduce blank ones to one between paragraphs."""
    kept: list[str] = []
    for line in map(tidy, lines):
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return kept
