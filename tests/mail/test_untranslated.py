"""A letter speaks one language: no sentence of it is the English one. Only what people wrote is passed on as they wrote it."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from marketpost.mail.outbound.letters import Letter
from marketpost.rules.words import LANGUAGES
from tests.letter_gallery import SAID
from tests.mail.every_letter import all_letters

FEW = 3
WORD = re.compile(r"\S+://\S+|([^\W\d_]{3,})")
WRITTEN = (*SAID, "User unknown", "log.json")
"""By players, by another server, or to be typed into a terminal."""


def prose(letter: Letter) -> Iterator[str]:
    """Subject, lines of the text, what stands between tags, and what is told of pictures; without blanks that do not count."""
    spoken = re.sub(r"<style.*?</style>", "", letter.html, flags=re.DOTALL)
    alternatives = re.findall(r'(?:alt|title)="([^"]*)"', spoken)
    between = re.split(r"<[^>]*>", spoken)
    for part in (letter.subject, *letter.text.splitlines(), *map(unescape, (*alternatives, *between))):
        yield " ".join(part.split())


def is_sentence(line: str) -> bool:
    return sum(map(bool, WORD.findall(line))) > FEW and not any(each in line for each in WRITTEN)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_sentence_of_a_letter_is_english_but_in_the_english_one(language: str) -> None:
    for name, letter in all_letters(language).items():
        english = {line for line in prose(all_letters("en")[name]) if is_sentence(line)}

        assert english, name
        assert sorted(english & set(prose(letter))) == [], name
