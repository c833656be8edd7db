"""Split a message about several games into its parts: each begins with the label of its game."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from marketpost.mail.inbound.habits import any_phrase, habits, tidy

BEFORE = r"[\s*_\"'“”„«»(\[#=~•·–-]*(?:\d{1,2}[.)]\s+)?"
BEHIND = r"[)\]*_\"'”»]*\s*(?:[:.)=~>|/-]*[*_\"]*(?=\s|$)|[:;,|/])\s*"
"""What people put around a label."""

Reads = Callable[[str, str], bool]
"""Whether a text can be read, or is legal, as orders of the game with this label; of any of the games, without a label."""


@dataclass(frozen=True, slots=True)
class Split:
    """The lines of a message by label, and those above the first label."""

    unlabelled: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)


def split_parts(lines: Sequence[str], labels: Collection[str], reads: Reads, is_legal: Reads = lambda label, text: False) -> Split:
    """Split lines at labels: those of the letter, and what looks like one but belongs to no game of it.

    The end of an order that a mail program has wrapped is no label. A line that is both a label and an order, such as `A2 - c1-e1`, has a
    label if it is legal as orders of that game and, as a whole, of none; otherwise neither it nor the lines below it have one. That is
    tried once for each label, which bounds what a hostile message costs. Two parts with the same label are one.
    """
    found, now, tried = Split(), "", set[str]()
    for line in lines:
        label, rest = _label(tidy(line), labels)
        is_order = bool(label) and reads("", tidy(line))
        if is_order and label not in tried:
            tried.add(label)
            is_order = not is_legal(label, rest) or is_legal("", tidy(line))
        if not label or is_order or _is_wrapped(found.parts.get(now, []), line, partial(reads, now)):
            now = "" if is_order else now
            found.parts.get(now, found.unlabelled).append(line)
            continue
        now = label
        found.parts.setdefault(now, []).extend([rest] if rest else [])
    return found


@cache
def _line() -> re.Pattern[str]:
    """Return the pattern of a line with a label: the label, what stands behind it, and the rest."""
    words = "|".join((any_phrase("labels", "game"), *map(re.escape, habits()["labels"]["game"])))
    return re.compile(rf"{BEFORE}(?:(?:{words})\s+)?([^\W\d_] ?\d{{1,3}})({BEHIND})(.*)", re.IGNORECASE)


def _label(line: str, labels: Collection[str]) -> tuple[str, str]:
    """Return the label that a line begins with, and the rest of the line; empty texts for any other line.

    That of a game may have a blank in it. A label of no game counts only with a colon behind it, or alone on its line beside labels with
    the same letter.
    """
    found = _line().fullmatch(line)
    if not found:
        return "", ""
    label, mark, rest = found[1].upper().replace(" ", ""), found[2], found[3].strip()
    if label in labels:
        return label, rest
    if " " in found[1]:
        return "", ""
    if ":" in mark or (not rest and found[1][0] in {each[0] for each in labels}):
        return label, rest
    return "", ""


def _is_wrapped(before: Sequence[str], line: str, reads: Callable[[str], bool]) -> bool:
    """Whether the line ends an order of the line above, which cannot be read without it."""
    last = tidy(before[-1]) if before else ""
    return bool(last) and not reads(last) and reads(f"{last} {tidy(line)}")
