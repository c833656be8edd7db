"""Read what follows the word `vacation` in a message: a number of days, dates, or its end."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

from babel.dates import get_month_names

from marketpost.rules.words import LANGUAGES, fold, lexicon, plain, tokens

WORDS = Path(__file__).parents[1] / "words"
OFF = sorted(spelling for spelling, meanings in lexicon(WORDS, "vacation").items() if meanings == ("off",))
"""Words that end a vacation, or a search for a game."""
Days = tuple[date, date]


def read_days(text: str, today: date) -> Days | None:
    """Return the first and last day: `7 days` from today, `until 31.12.`, `20.12. to 2.1.`; None if it cannot be read."""
    words = tokens(fold(plain(text)))
    for number, unit in pairwise(words):
        if number.isdecimal() and len(number) < 5 and (each := _unit(unit)):
            return (today, today + timedelta(days=int(number) * each - 1)) if int(number) else None
    try:
        found = list(_dates(fold(plain(text)), today))
    except ValueError:
        return None
    return {1: (today, found[0]), 2: (found[0], found[-1])}.get(len(found)) if found else None


def is_off(text: str) -> bool:
    """Whether the text ends a vacation, or a search."""
    return fold(plain(text)) in OFF


def _unit(word: str) -> int:
    """Return how many days a word for a unit means; 0 if it is none."""
    return {"days": 1, "weeks": 7}.get("".join(lexicon(WORDS, "vacation").get(word, ())), 0)


def _dates(text: str, today: date) -> Iterator[date]:
    """Yield the dates in a text; one without a year is the next such day after the one before it."""
    for found in _date().finditer(text):
        part = found.groupdict()
        month = int(part["m"] or part["month"] or _months()[part["name"] or part["name_first"]])
        day = int(part["d"] or part["day"] or part["before"] or part["after"])
        year = part["y"] or part["year"] or part["its_year"]
        today = date(int(year), month, day) if year else _next(today, month, day)
        yield today


def _next(today: date, month: int, day: int) -> date:
    """Return the next such day from today on."""
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


@cache
def _date() -> re.Pattern[str]:
    """Return the pattern of a date: `2026-12-31`, `31.12.`, `31/12/2026`, `31. Dezember` or `December 31`."""
    name = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    return re.compile(
        r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})"
        r"|(?P<day>\d{1,2})[./](?P<month>\d{1,2})(?:[./](?P<year>\d{4}))?"
        rf"|(?P<before>\d{{1,2}})\.? (?P<name>{name})\b\.?(?: (?P<its_year>\d{{4}}))?"
        rf"|\b(?P<name_first>{name})\.? (?P<after>\d{{1,2}})\b"
    )


@cache
def _months() -> dict[str, int]:
    """Return the number of every month by its name in all languages, in full and abbreviated."""
    return {
        fold(name).rstrip("."): month
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for month, name in get_month_names(width, locale=language).items()
    }
