"""Find lines that are no part of the orders beside them; they are left aside, and the player is told so."""

import re
from collections.abc import Callable

from marketpost.mail.inbound.courtesies import courtesy_kind
from marketpost.mail.inbound.habits import folded, pattern

LONGEST_ASIDE = 400
"""Characters of a line that may be left aside."""
SENTENCE = 6
"""From this many words on, a common word such as `last` or `wie` in a sentence does not put orders off."""
QUESTION = 4
"""From this many words on, a question asks for more than consent."""
MEASURED = 3
"""From this many other words on, a number with a unit belongs to small talk."""
VOCATIVE = re.compile(r"^\w+,\s|,\s*\w+\W*$")
ENDS = re.compile(r"(?<=[.!?…])\s+")

Test = Callable[[str], bool]


def is_aside(line: str, is_prose: Test) -> bool:
    """Whether the line names nothing of the game, and no sentence of it may deny, put off, condition or question orders.

    A line that ends in a colon speaks of what follows and is never left aside.
    """
    told = without_measures(line)
    return (
        len(line) <= LONGEST_ASIDE
        and not line.endswith(":")
        and not any(sign.isdigit() or sign in ">#@" for sign in told)
        and is_prose(told)
        and not any(takes_back(sentence) for sentence in ENDS.split(line))
    )


def without_measures(line: str) -> str:
    """Return `It is 30 degrees here` without the number and its unit; a line of little else stays, because it may be an order."""
    told = re.sub(pattern("doubts", "measures").pattern, " ", line, flags=re.IGNORECASE) if len(line) <= LONGEST_ASIDE else line
    return told if len(told.split()) >= MEASURED else line


def without_sayings(text: str) -> str:
    """Return the folded text without sayings such as `not bad` that deny nothing."""
    return pattern("doubts", "harmless").sub(" ", folded(text))


def takes_back(sentence: str) -> bool:
    """Whether a sentence may be about the orders beside it; a short sentence more easily than a long one."""
    if courtesy_kind(sentence):
        return False
    if pattern("doubts", "decisive").search(folded(sentence)):
        return True
    told = without_sayings(sentence)
    doubts = [each.group() for each in pattern("doubts", "words").finditer(told)]
    strong = [each for each in doubts if not pattern("doubts", "common").fullmatch(each)]
    is_about_orders = bool(pattern("doubts", "about_orders").search(told))
    if "?" in told:
        return bool(strong) or is_about_orders or len(told.split()) < QUESTION
    return bool(strong) if _tells(sentence, told) else bool(doubts) or is_about_orders


def _tells(sentence: str, told: str) -> bool:
    """Whether a sentence is long enough to be about something else, or is an exclamation."""
    return len(VOCATIVE.sub("", sentence).split()) >= SENTENCE or bool(pattern("doubts", "exclaims").fullmatch(told))
