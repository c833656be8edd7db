"""Find what a line that is no order may have been meant to be. Nothing of it is done before its writer has said yes."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path

from marketpost.mail.inbound.habits import folded, phrases
from marketpost.mail.inbound.separators import NUMBER, Reads, readings, split, undressed
from marketpost.rules.words import fold, lexicon

LETTERS = re.compile(r"[^\W\d_]{3,}")
WORD = re.compile(r"[^\W\d_]{3,}(?:-[^\W\d_]+)*")
HOMONYM = re.compile(
    r"fine settimana|(?:bonne )?fin (?:de|du) |\b(?:in|at|am|zum) (?:the )?ende?\b|\b(?:a|da) casa\b"
    r"|\b(?:ai|as|ont|ho|ha|abbiamo) passat?[eo]\b"
    r"|\bpass(?:e|er|ez|o|are|ate)? (?:the|my|some|le|la|les|une?|il|lo|du|toute?|tutt[oa]|ma|mon|mes)\b"
)
"""Phrases with a word that is also an order, in another meaning."""
PLACE = re.compile(r"\d|(?<=\s)(?!I\b)[A-Z]{1,2}\b")
"""A number or a place on a board."""
ALIKE = 0.7
"""How similar a word must be to an order word to count as misspelt."""
MOST_WORDS = 40


def repairs(line: str, reads: Reads, vocabulary: Path) -> list[str]:
    """Return every order that the line may be.

    Its number may be a list number or a part of the order, separators may be words, order words may be misspelt, and prose around it is
    left out.
    """
    found: dict[str, None] = {}
    if len(line.split()) > MOST_WORDS:
        return []
    for base in _bases(line):
        spelt = corrected(base, vocabulary)
        for text in dict.fromkeys([base, *([spelt] if spelt else [])]):
            found |= dict.fromkeys(each for each in _forms(text, vocabulary) if reads(each))
    return list(found)


def _bases(line: str) -> Iterator[str]:
    """Yield the line with its number, without it, and with a colon behind it, each without what people put around orders."""
    number = NUMBER.match(line)
    for text in [line, *([line[number.end() :], f"{number[1]}: {line[number.end() :]}"] if number else [])]:
        yield from undressed(text)


def _forms(text: str, vocabulary: Path) -> Iterator[str]:
    """Yield the text with other separators, with a colon, and without prose."""
    yield text
    yield from readings(text)
    yield text.replace(",", " ")
    yield f"{text}:"
    yield from _without_prose(text, vocabulary)


def _without_prose(text: str, vocabulary: Path) -> Iterator[str]:
    """Yield the text without words before or after an order, or without steps that are none."""
    steps = split(text)
    kept = [step for step in steps if not is_prose(step, vocabulary)]
    if 0 < len(kept) < len(steps):
        yield "; ".join(kept)
    words = text.split()
    for size in range(1, len(words)):
        if _says_nothing(words[:size], vocabulary):
            yield " ".join(words[size:])
        if _says_nothing(words[-size:], vocabulary):
            yield " ".join(words[:-size])


def _says_nothing(words: list[str], vocabulary: Path) -> bool:
    """Whether the words are prose that does not deny what stands beside it."""
    return is_prose(" ".join(words), vocabulary) and not any(folded(word) in phrases("courtesies", "sentences") for word in words)


def is_prose(text: str, vocabulary: Path) -> bool:
    """Whether a text has no number, no place and no order word; words shorter than three letters do not count."""
    words = WORD.findall(HOMONYM.sub(" ", fold(text)))
    if not LETTERS.search(text) or PLACE.search(text):
        return False
    return not any(part in _spellings(vocabulary) for word in words for part in (word, word.partition("-")[0]))


def corrected(text: str, vocabulary: Path) -> str | None:
    """Return the text with nearly right order words corrected; None if there are none."""
    found = LETTERS.sub(lambda word: _nearest(word.group(), vocabulary) or word.group(), text)
    return found if found != text else None


def _nearest(word: str, vocabulary: Path) -> str | None:
    """Return the order word nearest to a word; None if it is one already, or two are equally near."""
    known, told = _spellings(vocabulary), fold(word)
    if told in known:
        return None
    near = get_close_matches(told, known, n=5, cutoff=ALIKE)
    alike = {each: SequenceMatcher(None, each, told).ratio() for each in near}
    best = [each for each in near if alike[each] == max(alike.values())]
    return best[0] if best and len({known[each] for each in best}) == 1 else None


def _spellings(vocabulary: Path) -> dict[str, tuple[str, ...]]:
    """Return every order word that is a single word, in all languages, with its meaning."""
    return {spelling: meaning for spelling, meaning in lexicon(vocabulary).items() if LETTERS.fullmatch(spelling)}
