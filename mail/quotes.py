"""Which lines of a mail are new: what is quoted, signed or added by the mail program is left out."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import quotequail  # type: ignore[import-untyped]
from mailparser_reply import EmailReplyParser  # type: ignore[import-untyped]

from mail.habits import any_phrase, folded, pattern, phrases, tidy
from mail.html import Line

MOST_LINES = 3000
MOST_UNQUOTED = 450
LONGEST_LINE = 1000
LIBRARY_LINES = 60
LIBRARY_LINE = 200
LONGEST_ATTRIBUTION = 400
ATTRIBUTION_LINES = 4
HEADER_LINES = 14

MARK = re.compile(r"\s{0,3}(?:>|[A-Z]{1,3}>)")
ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")
TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2} ?(?:uhr|h\b|am\b|pm\b)")
DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{4}-\d\d-\d\d\b")
RULE = re.compile(r"[-_=*~#.·•─━—\s]{3,}")
LINK = re.compile(r"[<\[(]?(?:https?://|www\.|mailto:)[^\s<>\])]+[>\])]?")
PGP = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----")


def marked(text: str) -> list[Line]:
    """Plain text as lines; those with a `>` are quoted."""
    lines = [Line(_clip(line), bool(MARK.match(line))) for line in _without_pgp(text.split("\n"))]
    return list(_torn_quotes(lines))


def _clip(line: str) -> str:
    """What is too long ends in a sign that no order has, so that its beginning is not taken for the whole."""
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…"


def _without_pgp(lines: list[str]) -> Iterator[str]:
    signed = skipping = False
    for line in lines:
        found = PGP.fullmatch(line.strip())
        if found:
            signed |= found.group(1, 2) == ("BEGIN", "SIGNED MESSAGE")
            skipping = found.group(1) == "BEGIN" and found.group(2) != "SIGNED MESSAGE"
        elif not skipping and not (signed and line.startswith("Hash: ")):
            yield line.removeprefix("- ") if signed else line


def _torn_quotes(lines: list[Line]) -> Iterator[Line]:
    """Some programs break quoted lines and forget the `>`. What stands right above more of
    the quote may be anybody's, so it is strange."""
    inside = False
    for place, line in enumerate(lines):
        inside |= line.quoted
        torn = inside and not line.quoted and place + 1 < len(lines) and lines[place + 1].quoted
        yield Line(f"> {line.text}") if torn and line.text.strip() else line


class NewText(NamedTuple):
    """The new lines; whether a quote was recognised, and took all that followed; whether there were more lines than are read."""

    lines: list[str]
    quotes: bool = False
    to_the_end: bool = False
    truncated: bool = False


def new_text(whole: Sequence[Line]) -> NewText:
    lines = list(_readable(whole))
    kept, quotes, to_the_end = _unquoted(lines)
    runs = [_without_footers(run) for run in _runs(kept)]
    texts = [text for run in runs for text in run]
    fewer = _second_opinion(texts)
    ended = len(fewer) < len(texts)
    truncated = len(lines) < len(whole) and not (to_the_end or ended)
    return NewText(_squeezed(fewer), quotes or ended, to_the_end or ended, truncated)


def _readable(lines: Sequence[Line]) -> Iterator[Line]:
    """As many lines as any answer has; looking for quotes takes time for each line that is not marked as one."""
    words = 0
    for line in lines[:MOST_LINES]:
        words += not line.quoted and bool(line.text.strip())
        if words > MOST_UNQUOTED:
            return
        yield line


def _unquoted(lines: Sequence[Line]) -> tuple[list[Line], bool, bool]:
    """Lines with every quoted one blanked: a run of new lines ends there."""
    kept: list[Line] = []
    found = any(line.quoted for line in lines)
    place = 0
    while place < len(lines):
        line = lines[place]
        end = 0 if line.quoted or not line.text.strip() else _introduction(lines, place)
        if end:
            found = True
            if not _goes_on_quoted(lines, end):
                return kept, True, True
            kept.append(Line("", quoted=True))
            place = end
            continue
        if line.introduces and not _goes_on_quoted(lines, place + 1):
            return kept, True, True
        kept.append(Line("", quoted=True) if line.quoted else line)
        place += 1
    return kept, found, bool(lines) and lines[-1].quoted


def _goes_on_quoted(lines: Sequence[Line], place: int) -> bool:
    following = next((line for line in lines[place:] if line.text.strip()), None)
    return following is not None and following.quoted


def _introduction(lines: Sequence[Line], place: int) -> int:
    """Where the words end that say that a quote begins here; 0 if there are none."""
    first = folded(lines[place].text[:LONGEST_ATTRIBUTION])
    if _is_divider(first):
        return len(lines) if _is_above(first) else _header_end(lines, place + 1) or place + 1
    return _header_end(lines, place) or _attribution_end(lines, place)


def _is_above(line: str) -> bool:
    return line.strip(" -_=*#~.:!>[]()<") in phrases("quotes", "above")


@cache
def _divider() -> re.Pattern[str]:
    original = any_phrase("quotes", "original")
    ruled = rf"[-_=*\s]{{2,}}\s*(?:{original})\b[^;]{{0,80}}?[-_=*:\s]*"
    return re.compile(rf"{ruled}|(?:{original})\s*:|_{{20,}}|message du \d[\d/. :]+|[-\s]{{3,}} ?on \S.*\swrote ?-{{2,}}")


def _is_divider(line: str) -> bool:
    return bool(_divider().fullmatch(line)) or _is_above(line)


@cache
def _labels() -> re.Pattern[str]:
    kinds = "|".join(f"(?P<{kind}>{any_phrase('labels', kind)})" for kind in ("from", "date", "to", "copy", "subject", "reply"))
    return re.compile(rf"[*_|\s]*(?:{kinds})[*_\s]*:")


def _label(line: str) -> str | None:
    found = _labels().match(folded(line[:LONGEST_ATTRIBUTION]))
    return found.lastgroup if found else None


def _header_end(lines: Sequence[Line], place: int) -> int:
    """The end of a block such as `From: … Sent: … To: … Subject: …`, which may be wrapped or stand on one line."""
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


def _attribution_end(lines: Sequence[Line], place: int) -> int:
    """The end of `On Tuesday, X <x@y> wrote:`, which may be wrapped over several lines and begin with the name."""
    block = list(_block(lines, place))
    if not block:
        return 0
    strict = _starts_attribution(block[0])
    if strict and _runs_on(block[0]):
        return place + 1
    broken_before_address = len(block) > 1 and block[1].startswith("<") and bool(ADDRESS.search(block[1]))
    if not strict and not _tells_of_mail(block[0]) and not broken_before_address:
        return 0
    for count in range(1, len(block) + 1):
        before_quote = _goes_on_quoted(lines, place + count)
        if _is_attribution(" ".join(block[:count]), before_quote):
            begins_later = not strict and any(
                _starts_attribution(block[k]) and _is_attribution(" ".join(block[k:count]), before_quote) for k in range(1, count)
            )
            return 0 if begins_later else place + count
    return 0


def _runs_on(line: str) -> bool:
    """Whether the quote begins on the line of its attribution, behind the colon."""
    heads = (line[: verb.end()] for verb in _wrote().finditer(line) if re.match(r"\s?:\s", line[verb.end() :]))
    return any(ADDRESS.search(head) and _is_attribution(head, before_quote=False) for head in heads)


def _block(lines: Sequence[Line], place: int) -> Iterator[str]:
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
    text = text.rstrip(" *_>-")
    if len(text) > LONGEST_ATTRIBUTION:
        return False
    verbs = list(_wrote().finditer(text))
    ends = text.endswith(":") or (bool(verbs) and verbs[-1].end() == len(text))
    when, who = bool(DATE.search(text) or TIME.search(text) or _starts_attribution(text)), bool(ADDRESS.search(text))
    if verbs and ends:
        return when or who or (before_quote and len(text) <= 100)
    return ends and when and who


def _runs(lines: Sequence[Line]) -> Iterator[list[str]]:
    """New lines without a quote between them; signatures that the program marked are left out, unless everything is one."""
    signed = any(line.text.strip() and not line.signature for line in lines)
    run: list[str] = []
    for line in lines:
        if line.quoted and run:
            yield [*run, ""]
            run = []
        if not line.quoted and not (signed and line.signature):
            run.append(line.text)
    yield run


def _without_footers(run: list[str]) -> list[str]:
    """A run up to its signature or disclaimer, without what the program or the provider put in."""
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


def _is_signature_mark(line: str) -> bool:
    return tidy(line) in ("--", "__") or line.strip() in ("—", "―")


def _is_footer(text: str, following: list[str]) -> bool:
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
    """The second line of a footer that was too long for one; a line of its own has a meaning of its own."""
    whole = f"{folded(before)} {folded(line)}".strip(" -_*|([<>])")
    return (
        len(before) > 40
        and not folded(before).endswith((".", "!", ">"))
        and bool(pattern("footers", "lines").match(whole))
        and line[:1].islower()
    )


def _is_disclaimer(run: list[str], place: int) -> bool:
    text = folded(" ".join(run[place : place + 4])[:LONGEST_ATTRIBUTION]).lstrip(" *-_=")
    return bool(run[place].strip()) and len(run[place]) > 9 and bool(pattern("footers", "disclaimers").match(text))


def _second_opinion(lines: list[str]) -> list[str]:
    """Two libraries that know the attributions of more languages than we do. Only where they see a quote begin counts: what they
    take for a signature may be an order behind a hyphen. They are slow on purpose-made text, so they see little of it."""
    seen = [tidy(line)[:LIBRARY_LINE] for line in lines[:LIBRARY_LINES]]
    found = quotequail.unwrap("\n".join(seen))
    if found and found["type"] in ("reply", "forward"):
        top = found.get("text_top", "").split("\n") if found.get("text_top") else []
        return _first(lines, top)
    replies = _library().read("\n".join(seen)).replies
    if len(replies) > 1 or replies[0].headers:
        return _first(lines, [] if replies[0].headers else str(replies[0].content).split("\n"))
    return lines


def _first(lines: list[str], top: list[str]) -> list[str]:
    """As many lines as hold the words of `top`."""
    left = sum(1 for line in top if line.strip())
    kept = []
    for line in lines:
        if not left:
            break
        left -= bool(line.strip())
        kept.append(line)
    return kept


@cache
def _library() -> EmailReplyParser:
    return EmailReplyParser(languages=["en", "de", "fr", "it", "es", "nl", "da", "sv", "pl", "cs"])


def _squeezed(lines: list[str]) -> list[str]:
    """Tidy lines, single blank lines between paragraphs, none around."""
    kept: list[str] = []
    for line in map(tidy, lines):
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return kept
