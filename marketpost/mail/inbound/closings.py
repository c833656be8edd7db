"""Lines that open or close a letter whatever their words, because of where they stand and what is not in them."""

from collections.abc import Callable, Sequence

from marketpost.mail.inbound.courtesies import CLAUSE, LONGEST_COURTESY, courtesy_kind, is_doubtful
from marketpost.mail.inbound.habits import folded, pattern

MOST_CLOSING = 3
MOST_WORDS = 6
MOST_AFTER_COURTESY = 12

Test = Callable[[str], bool]


def opens(line: str, is_prose: Test) -> bool:
    """`Moinsen Leute!`, or a sentence that begins with a courtesy: `Sorry, it was a busy week.`"""
    if not line.endswith((",", "!", ".")) or not _is_harmless(line, is_prose):
        return False
    if courtesy_kind(CLAUSE.split(line)[0].strip()) not in ("", "intro"):
        return len(line.split()) <= MOST_AFTER_COURTESY
    return not line.endswith(".") and len(line.split()) < MOST_WORDS


def closing_lines(lines: Sequence[str], is_prose: Test, is_own_name: Test) -> int:
    """How many of the lines, the rest of a letter below its orders, stand above the sender's name and close it; 0 if any may be more."""
    written = 0
    for place, line in enumerate(lines):
        if is_own_name(line):
            return place
        written += bool(line)
        if written > MOST_CLOSING or not _may_close(line, is_prose):
            return 0
    return 0


def _may_close(line: str, is_prose: Test) -> bool:
    return not line or bool(courtesy_kind(line)) or (len(line.split()) <= MOST_WORDS and _is_harmless(line, is_prose))


def _is_harmless(line: str, is_prose: Test) -> bool:
    """Nothing in it denies, puts off or asks, and nothing speaks of orders or of what is on the board."""
    return (
        len(line) <= LONGEST_COURTESY
        and is_prose(line)
        and not any(sign.isdigit() or sign in ";:>#@" for sign in line.removesuffix(":"))
        and not is_doubtful(line)
        and not pattern("doubts", "about_orders").search(folded(line))
    )
