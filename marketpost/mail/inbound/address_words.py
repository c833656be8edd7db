"""Read what follows the word `address` in a message: what to do, a mail address, and a code."""

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from marketpost.play.table.new_game_request import ADDRESS
from marketpost.rules.words import LANGUAGES, fold, lexicon, read_words

WORDS = Path(__file__).parents[1] / "words"
VERBS = {word for language in LANGUAGES for words in read_words(WORDS, language)["address"].values() for word in words}
ADDRESS_ARGUMENT = re.compile(
    rf"(?P<verb>{'|'.join(sorted({*VERBS, *lexicon(WORDS, 'address')}, key=len, reverse=True))})"
    rf"(?:\s+<?(?P<email>{ADDRESS.pattern})>?(?:\s*<mailto:[^\s<>]*>)?(?:\s+(?P<code>[A-Z0-9]{{8}}))?)?",
    re.IGNORECASE,
)
"""Some mail programs write an address a second time, as a `mailto:` link."""


class AddressVerb(StrEnum):
    """A change of a player's addresses that a mail asks for."""

    ADD = "add"
    REMOVE = "remove"
    MAIN = "main"
    LIST = "list"


class AddressRequest(NamedTuple):
    """A request for such a change; with a code, it confirms the address."""

    verb: AddressVerb
    email: str
    code: str


def read_address_request(text: str) -> AddressRequest | None:
    """Read a request such as `add me@work.example`; None if it cannot be read."""
    found = ADDRESS_ARGUMENT.fullmatch(text.strip())
    if found is None:
        return None
    [verb] = lexicon(WORDS, "address")[fold(found["verb"])]
    return AddressRequest(AddressVerb(verb), found["email"] or "", found["code"] or "")
