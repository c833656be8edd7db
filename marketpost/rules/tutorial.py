"""The tutorial of a ruleset: lessons, each with something to do in a real game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marketpost.rules.words import read_words, typeset


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of a tutorial: what to know, and what to do now."""

    title: str
    text: str
    goal: frozenset[str]
    """Tags of events; the lesson is learnt when the player's orders have caused one of them."""


def lessons(folder: Path, language: str) -> list[Lesson]:
    """List the lessons in the order of the file; none for a ruleset without a tutorial."""
    parts = read_words(folder, language).values()
    return [Lesson(typeset(part["title"], language), typeset(part["text"], language), frozenset(part["goal"].split())) for part in parts]


def learnt(course: Sequence[Lesson], submissions: Iterable[Iterable[Any]]) -> int:
    """Count the lessons that a player has learnt: one for each submission whose events reach the goal of the next lesson."""
    number = 0
    for events in submissions:
        tags = {type(event).__struct_config__.tag for event in events}
        number += number < len(course) and bool(course[number].goal & tags)
    return number
