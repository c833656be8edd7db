"""Choose the language of a command: the one asked for, else the player's, else the machine's."""

import os
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from marketpost.rules.words import COMMON, LANGUAGES, Words

Language: TypeAlias = Literal["en", "de", "fr", "it"]
"""As the API names the languages; a test compares them with the word files."""


def of_machine() -> str:
    """Return the language of the machine's locale if it is one of ours, else English."""
    told = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return told[:2] if told[:2] in LANGUAGES else "en"


@dataclass(slots=True)
class _Speaker:
    """The language of this process, which runs one command: all threads and the error handler of click read it."""

    language: str = ""


_speaker = _Speaker()


def speak(language: str | None) -> Language:
    """Set the language in which this command prints; without one, the machine's. Return it."""
    _speaker.language = language or of_machine()
    return cast(Language, _speaker.language)


def words() -> Words:
    """Return the common words in the language of this command."""
    return Words(_speaker.language or of_machine(), COMMON)


def say(key: str, /, **values: object) -> str:
    """Return a sentence of `[terminal]` in the language of this command."""
    return words().say(f"terminal.{key}", **values)
