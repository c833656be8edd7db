"""Look up the phrases and patterns in `habits.toml`: how people and their mail programs write."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from marketpost.rules.words import fold, plain, spellings

BLANKS = re.compile(r"[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
INVISIBLE = re.compile("[\u00ad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\ufffc]")


@cache
def habits() -> dict[str, Any]:
    """Return the parsed content of `habits.toml`."""
    return tomllib.loads((Path(__file__).parent / "habits.toml").read_text("utf-8"))


def tidy(line: str) -> str:
    """Return the line without invisible characters, with ordinary blanks, dashes and quotes."""
    return plain(BLANKS.sub(" ", INVISIBLE.sub("", line))).strip()


def folded(line: str) -> str:
    """Return the tidy line without case and accents, for comparison."""
    return fold(tidy(line))


@cache
def phrases(part: str, *keys: str) -> frozenset[str]:
    """Return every spelling of the phrases under these keys."""
    return frozenset(folded(each) for key in keys for phrase in habits()[part][key] for each in spellings(plain(phrase)))


@cache
def pattern(part: str, key: str) -> re.Pattern[str]:
    """Return one regular expression for the key; a list means any of its entries."""
    told = habits()[part][key]
    return re.compile("|".join(f"(?:{each})" for each in ([told] if isinstance(told, str) else told)))


def any_phrase(part: str, *keys: str) -> str:
    """Return the phrases as the inside of a regular expression, longest first."""
    return "|".join(re.escape(each) for each in sorted(phrases(part, *keys), key=len, reverse=True))
