"""What a request for a game may call an edition or an option, in any language; from the ruleset's own word files."""

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
    """Words as they are compared: small letters, no accents, one blank between them."""
    return " ".join(tokens(fold(ELIDED.sub("", plain(text)))))


@cache
def choices(folder: Path, editions: tuple[str, ...]) -> dict[str, Choice]:
    """An edition or option by its code, by what letters call it, and by the phrases under `[request]`."""
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
