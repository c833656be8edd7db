"""What orders of all games have in common: their length, and that their words exist in four languages."""

from functools import cache
from pathlib import Path

from marketpost.rules.refusal import Unreadable
from marketpost.rules.words import fold, lexicon

MOST_STEPS = 100
LONGEST_STEP = 300


def first_meaning(folder: Path, words: list[str], number: int, part: str = "orders") -> tuple[str, int]:
    """Find the meaning of the first words and how many they are; the longest name wins."""
    found, size = _named(folder, part, *words[: _longest(folder, part)])
    if len(found) > 1:
        raise Unreadable(number, words[0], why="two-meanings", offers=list(found))
    return found[0] if found else "", size


def _named(folder: Path, part: str, *words: str) -> tuple[tuple[str, ...], int]:
    known = lexicon(folder, part)
    for size in range(len(words), 0, -1):
        if found := known.get(" ".join(map(fold, words[:size]))):
            return found, size
    return (), 0


@cache
def _longest(folder: Path, part: str) -> int:
    """Count the words of the longest name."""
    return max(len(name.split()) for name in lexicon(folder, part))
