"""Fingerprint a text without dates, times and numbers, to recognise automatic replies."""

import re
from collections.abc import Iterable
from functools import cache

from babel import Locale

from marketpost.mail.inbound.habits import folded
from marketpost.rules.words import LANGUAGES, fold

CHANGING = "#"
"""Stands for a date, an hour, the number of a ticket."""


def fingerprint(lines: Iterable[str]) -> str:
    """Return the text's words with dates, times and numbers replaced: two replies of one program have the same fingerprint."""
    words = (_lasting(word) for line in lines for word in folded(line).split())
    return re.sub(rf"{CHANGING}( {CHANGING})+", CHANGING, " ".join(filter(None, words)))


def _lasting(word: str) -> str:
    """Return a word without punctuation; `CHANGING` if it is a number or belongs to a date."""
    if any(sign.isdigit() for sign in word):
        return CHANGING
    bare = re.sub(r"\W", "", word)
    return CHANGING if bare in _calendar() else bare


@cache
def _calendar() -> frozenset[str]:
    """Return the names of days and months in all languages, in full and abbreviated."""
    told = {"am", "pm", "th", "st", "nd", "rd"}
    for language in LANGUAGES:
        locale = Locale(language)
        for names in (locale.days, locale.months):
            told |= {fold(name).strip(".") for kind in names.values() for width in ("wide", "abbreviated") for name in kind[width].values()}
    return frozenset(told)
