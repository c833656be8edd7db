"""What a text says apart from what changes from one note of a machine to the next."""

import re
from collections.abc import Iterable
from functools import cache

from babel import Locale

from mail.habits import folded
from rules.words import LANGUAGES, fold

WORD = re.compile(r"\w+")
CHANGING = "#"
"""Stands for a date, an hour, the number of a ticket."""


def gist(lines: Iterable[str]) -> str:
    """Two notes of the same machine have the same gist, whenever and under whatever number they were written."""
    words = (CHANGING if _changes(word) else word for line in lines for word in WORD.findall(folded(line)))
    return re.sub(rf"{CHANGING}( {CHANGING})+", CHANGING, " ".join(words))


def _changes(word: str) -> bool:
    return word in _calendar() or any(sign.isdigit() for sign in word)


@cache
def _calendar() -> frozenset[str]:
    """Days and months in our four languages, in full and in short, and what stands between them."""
    told = {"am", "pm", "th", "st", "nd", "rd"}
    for language in LANGUAGES:
        locale = Locale(language)
        for names in (locale.days, locale.months):
            told |= {fold(name).strip(".") for kind in names.values() for width in ("wide", "abbreviated") for name in kind[width].values()}
    return frozenset(told)
