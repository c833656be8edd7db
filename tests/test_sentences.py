"""The lists for native readers hold every sentence that players read, of every word file and every letter."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from marketpost.mail.outbound.render import TEMPLATES, read_words
from marketpost.mail.outbound.render import letters as letter_names
from marketpost.rules.words import COMMON
from tests.sentences import FOR_PROGRAMS, Said, heard, page, places, sentences_of, told
from tests.test_words import FOLDERS, GUIDES, entries

languages = pytest.mark.parametrize("language", ["de", "fr", "it"])
LEFT_OPEN = re.compile(r"{[a-z_.]+}")


@cache
def said(language: str) -> Said:
    return heard(language)


def keys_of(folder: Path, language: str) -> set[str]:
    return {key for key, form in entries(folder, language) if not isinstance(form, list) and not FOR_PROGRAMS.fullmatch(key)}


@languages
def test_every_sentence_of_every_word_file_is_listed(language: str) -> None:
    listed: dict[Path, set[str]] = {}
    for _, folder, part in places():
        listed.setdefault(folder, set()).update(sentences_of(folder, part, language))

    for folder in set(FOLDERS) - set(GUIDES):
        assert listed[folder] == keys_of(folder, language)
    for letter in (*letter_names(), "words"):
        assert listed[TEMPLATES / letter] == set(read_words(letter, language))


@languages
def test_sentences_stand_there_as_they_appear(language: str) -> None:
    """With values in them, and where a game or a letter needed them, the real ones."""
    for _, folder, part in places():
        for key, sentence in told(folder, part, language, said(language)).items():
            assert not LEFT_OPEN.search(sentence), (folder, key, sentence)


@languages
def test_the_english_sentence_stands_beside_each(language: str) -> None:
    pages = "\n".join(page(language, said("en"), said(language)))

    for folder, part in ((COMMON, "refusals"), (TEMPLATES / "your-turn", "")):
        english = told(folder, part, "en", said("en"))
        for key, sentence in told(folder, part, language, said(language)).items():
            assert f"- {english[key]}  \n  **{sentence}**" in pages


def test_only_what_programs_read_is_left_out() -> None:
    left_out: list[Any] = [key for folder in FOLDERS for key, _ in entries(folder, "en") if FOR_PROGRAMS.fullmatch(key)]

    assert "refusals.json-unreadable" in left_out
    assert not [key for key in left_out if key.startswith(("answers", "story", "would", "choices", "page", "game"))]
