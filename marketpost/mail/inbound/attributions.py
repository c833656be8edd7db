"""Find lines that announce a quote: dividers, header blocks, and attribution lines such as `On Monday, Ann wrote:`."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from marketpost.mail.inbound.habits import any_phrase, folded, phrases
from marketpost.mail.inbound.html_lines import MailLine

LONGEST_ATTRIBUTION = 400
ATTRIBUTION_LINES = 4
HEADER_LINES = 14
ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")
TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2} ?(?:uhr|h\b|am\b|pm\b)")
DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{4}-\d\d-\d\d\b")
RULED = re.compile(r"[-_=*]{3,} ?[^\W\d][^\d;]{2,60}[-_=*]{3,}")
RULE = re.compile(r"[-_=*~#.·•─━—\s]{3,}")
ARROWS = re.compile(rf">>> .*(?:{DATE.pattern}).*>>>\s*")
"""An attribution line of GroupWise, below which the quote has no marks."""
WRITER = re.compile(rf"<{ADDRESS.pattern}>")


def goes_on_quoted(lines: Sequence[MailLine], place: int) -> bool:
    """Whether the next line with text is marked as quoted."""
    following = next((line for line in lines[place:] if line.text.strip()), None)
    return following is not None and following.quoted


def attribution_end(lines: Sequence[MailLine], place: int) -> int:
    """Return the line after the divider, header block or attribution line that begins here; 0 if none does."""
    first = folded(lines[place].text[:LONGEST_ATTRIBUTION])
    if _is_divider(first):
        return len(lines) if _is_above(first) else _header_end(lines, place + 1) or place + 1
    if RULED.fullmatch(first) and (end := _header_end(lines, place + 1)):
        return end
    return _header_end(lines, place) or _attribution_end(lines, place)


def _is_above(line: str) -> bool:
    """Whether a line asks to write above it, as our letters do."""
    return line.strip(" -_=*#~.:!>[]()<") in phrases("quotes", "above")


@cache
def _divider() -> re.Pattern[str]:
    original = any_phrase("quotes", "original")
    ruled = rf"[-_=*\s]{{2,}}\s*(?:{original})\b[^;]{{0,80}}?[-_=*:\s]*"
    return re.compile(rf"{ruled}|{ARROWS.pattern}|(?:{original})\s*:|_{{20,}}|message du \d[\d/. :]+|[-\s]{{3,}} ?on \S.*\swrote ?-{{2,}}")


def _is_divider(line: str) -> bool:
    return bool(_divider().fullmatch(line)) or _is_above(line)


@cache
def _labels() -> re.Pattern[str]:
    kinds = "|".join(f"(?P<{kind}>{any_phrase('labels', kind)})" for kind in ("from", "date", "to", "copy", "subject", "reply"))
    return re.compile(rf"[*_|\s]*(?:{kinds})[*_\s]*:")


def _label(line: str) -> str | None:
    found = _labels().match(folded(line[:LONGEST_ATTRIBUTION]))
    return found.lastgroup if found else None


def _header_end(lines: Sequence[MailLine], place: int) -> int:
    """Return the end of a block such as `From: … Sent: … To: … Subject: …`, which may be wrapped or on one line; 0 if none."""
    while place < len(lines) and (not lines[place].text.strip() or RULE.fullmatch(lines[place].text)):
        place += 1
    if place >= len(lines) or lines[place].quoted or not _label(lines[place].text):
        return 0
    if _labels_within(lines[place].text) >= 3:
        return place + 1
    kinds, end, other = set[str](), place, 0
    for index in range(place, min(place + HEADER_LINES, len(lines))):
        kind = _label(lines[index].text)
        other = 0 if kind else other + 1
        if other > 2 or lines[index].quoted:
            break
        if kind:
            kinds.add(kind)
            end = index + 1
    real = kinds - {"reply"}
    return end if ("from" in real and len(real) >= 2) or len(real) >= 3 else 0


@cache
def _inner_label() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_phrase('labels', 'from', 'date', 'to', 'subject')})[*\s]*:[*\s]")


def _labels_within(line: str) -> int:
    return len(set(_inner_label().findall(folded(line[:LONGEST_ATTRIBUTION]))))


def _attribution_end(lines: Sequence[MailLine], place: int) -> int:
    """Return the end of `On Tuesday, X <x@y> wrote:`, which may be wrapped and may begin with the name; 0 if none."""
    block = list(_block(lines, place))
    if not block:
        return 0
    strict = _starts_attribution(block[0])
    if strict and _runs_on(block[0]):
        return place + 1
    broken_before_address = len(block) > 1 and block[1].startswith("<") and bool(ADDRESS.search(block[1]))
    if not strict and not _tells_of_mail(block[0]) and not broken_before_address:
        return _end_above_quote(lines, place, block)
    for count in range(1, len(block) + 1):
        before_quote = goes_on_quoted(lines, place + count)
        if _is_attribution(" ".join(block[:count]), before_quote):
            begins_later = not strict and any(
                _starts_attribution(block[k]) and _is_attribution(" ".join(block[k:count]), before_quote) for k in range(1, count)
            )
            return 0 if begins_later else place + count
    return _end_above_quote(lines, place, block)


def _end_above_quote(lines: Sequence[MailLine], place: int, block: list[str]) -> int:
    """Return the end of a line right above a quote that has two of a date, an address and a colon, in any language; 0 if none."""
    is_dated, announces = bool(DATE.search(block[0])), block[0].endswith(":")
    names_writer = bool((ADDRESS if is_dated else WRITER).search(block[0]))
    if is_dated + names_writer + announces >= 2 and goes_on_quoted(lines, place + 1):
        return place + 1
    if not is_dated:
        return 0
    is_broken = len(block) > 1 and block[1].endswith(":") and bool(ADDRESS.search(block[1]))
    return place + 2 if is_broken and goes_on_quoted(lines, place + 2) else 0


def _runs_on(line: str) -> bool:
    """Whether the quote begins on the line of its attribution, behind the colon."""
    heads = (line[: verb.end()] for verb in _wrote().finditer(line) if re.match(r"\s?:\s", line[verb.end() :]))
    return any(ADDRESS.search(head) and _is_attribution(head, before_quote=False) for head in heads)


def _block(lines: Sequence[MailLine], place: int) -> Iterator[str]:
    """Yield the next lines that are neither quoted nor empty, folded."""
    for line in lines[place : place + ATTRIBUTION_LINES]:
        text = folded(line.text[:LONGEST_ATTRIBUTION])
        if line.quoted or not text:
            return
        yield text


@cache
def _start() -> re.Pattern[str]:
    starters, days = any_phrase("quotes", "starters"), any_phrase("quotes", "days")
    numbers = r"\d{4}[-/]\d\d?[-/]\d\d?\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    return re.compile(rf"[*_\s]*(?:(?:{starters})\b(?:.*\d|,? (?:{days})\b)|(?:{days})\b[.,].*\d|{numbers})")


def _starts_attribution(line: str) -> bool:
    return bool(_start().match(line))


@cache
def _wrote() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_phrase('quotes', 'wrote')})(?!\w)")


def _tells_of_mail(line: str) -> bool:
    return bool(ADDRESS.search(line) or _wrote().search(line))


def _is_attribution(text: str, before_quote: bool) -> bool:
    """Whether a text is an attribution line, by its verb, its colon, a date and an address."""
    text = text.rstrip(" *_>-")
    if len(text) > LONGEST_ATTRIBUTION:
        return False
    verbs = list(_wrote().finditer(text))
    ends = text.endswith(":") or (bool(verbs) and verbs[-1].end() == len(text))
    when, who = bool(DATE.search(text) or TIME.search(text) or _starts_attribution(text)), bool(ADDRESS.search(text))
    if verbs and ends:
        return when or who or (before_quote and len(text) <= 100)
    return ends and when and who
