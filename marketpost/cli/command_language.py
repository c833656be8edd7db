"""The language of a command: the one asked for, else the player's own, else that of the machine."""

import os
from dataclasses import dataclass

from marketpost.rules.words import COMMON, LANGUAGES, Words


def of_machine() -> str:
    """By its locale, if that is one of ours."""
    told = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return told[:2] if told[:2] in LANGUAGES else "en"


@dataclass(slots=True)
class _Speaker:
    """A process is one command. Its threads speak as it does, and so does whoever tells why it ended."""

    language: str = ""


_speaker = _Speaker()


def speak(language: str | None) -> str:
    """From now on this command says everything in it, or in the machine's."""
    _speaker.language = language or of_machine()
    return _speaker.language


def words() -> Words:
    return Words(_speaker.language or of_machine(), COMMON)


def say(key: str, /, **values: object) -> str:
    return words().say(f"terminal.{key}", **values)
