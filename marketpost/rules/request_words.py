"""The names that a new-game request may use for editions and options, in any language, from the ruleset's word files."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from marketpost.rules.words import LANGUAGES, fold, plain, read_words, spellings, tokens

ELIDED = re.compile(r"\b[dl]'(?=\w)", re.IGNORECASE)
"""As in `une partie d'Alturien`."""
EDITION = "edition"
"""The name under which a request chooses an edition, beside those of the options."""
NUMBER = "#"
"""Stands in a phrase for the number that an option takes, and for the value then."""
Choice = tuple[str, str]
"""An option and its value."""


def phrase(text: str) -> str:
    """Normalize words for comparison: small letters, no accents, single blanks."""
    return " ".join(tokens(fold(ELIDED.sub("", plain(text)))))


@cache
def choices(folder: Path, editions: tuple[str, ...]) -> dict[str, Choice]:
    """Map names to editions and options: codes, the names in letters, and the phrases under `[request]`."""
    found = {phrase(code): (EDITION, code) for code in editions}
    for language in LANGUAGES:
        found |= {phrase(each): choice for text, choice in _named(read_words(folder, language)) for each in spellings(plain(text))}
    return found


def _named(words: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, Choice]]:
    for code, name in words.get("editions", {}).items():
        yield from ((text, (EDITION, code)) for text in (str(name), str(name).partition("(")[0]))
    for key, told in words.get("values", {}).items():
        option, sign, value = key.partition("=")
        for text in told.values() if isinstance(told, dict) else [told]:
            yield str(text).replace("{count}", NUMBER), (option, value if sign else NUMBER)
    for key, phrases in words.get("request", {}).items():
        option, _, value = key.partition("=")
        yield from ((text, (option, value)) for text in (phrases if isinstance(phrases, list) else []))
