"""Read the ways in which people list steps: bullets, numbers, commas, `and`; only where it cannot mean anything else."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, product

from marketpost.mail.inbound.courtesies import SMILEY, CourtesyKind, courtesy_kind, is_doubtful, is_listed
from marketpost.mail.inbound.habits import any_phrase, folded, pattern, phrases

WRAPPING = ("**", "__", '""', "“”", "„“", "„”", "«»", "''", "``", "()", "[]")
BULLET = re.compile(r"[-*•·–+‣⁃∙◦■▪●○◆►▸▶→⇒➔➜➝➞➡➢➤✓✔✅\uf0a7\uf0b7]\s+(?=\S)")
"""A cross is none: it may stand for no. The last two are the bullets of Word as text."""
NUMBER = re.compile(r"\(?(\d{1,2})(?:[.)]{1,2}\s*|\s+-\s+)(?=\S)")
ENDING = re.compile(r"(?<=\S)\s*[.!,;]+$")
SMILES = re.compile(rf"(?:\s+(?!8)(?:{SMILEY.pattern}))+\s*$")
"""Smileys at the end of a line; an 8 is a number there, as in `*tile 8*`."""
MOST_POLITE = 8
MOST_TEXTS = 16
MOST_SEPARATORS = 20

Reads = Callable[[str], bool]
"""Whether a text can be read as orders."""


@lru_cache(maxsize=1024)
def undressed(line: str) -> tuple[str, ...]:
    """Return the line as it is, then with less and less around it: comment, bullet, stars, quotes, full stop, courtesies."""
    bare = SMILES.sub("", line.partition("#")[0]).strip()
    before, dash, polite = bare.rpartition(" - ")
    if dash and _is_polite(polite):
        # A space may have any name, so that `a1-b2 - thanks` reads as a route of three.
        line = bare = before.strip()
    bare = ENDING.sub("", BULLET.sub("", bare, count=1) if BULLET.match(bare) else bare).strip()
    while len(bare) > 2 and bare[0] + bare[-1] in WRAPPING:
        bare = ENDING.sub("", bare[1:-1]).strip()
    return tuple(islice(dict.fromkeys([line, bare, *_without_courtesies(bare.split())]), MOST_TEXTS))


def _without_courtesies(words: list[str]) -> Iterator[str]:
    """Yield `Hello, please stall A-B, cheers Ann` without polite or announcing first words, and without polite last words."""
    sizes = range(1, min(len(words), MOST_POLITE + 1))
    openings = [0, *(size for size in sizes if _opens(first := " ".join(words[:size])) and not _counts(first, words[size]))]
    endings = [0, *(size for size in sizes if _is_polite(" ".join(words[-size:])))]
    for opening, ending in product(openings, endings):
        if opening + ending < len(words):
            text = " ".join(words[opening : len(words) - ending])
            yield ENDING.sub("", text.lstrip(" -") if opening else text)


def _opens(text: str) -> bool:
    """Whether each clause is polite or announces orders, by its words or by a colon behind them."""
    clauses = _clauses(text)
    return _is_polite(text) or (bool(clauses) and all(_is_polite(each) or _announces(each, text.endswith(":")) for each in clauses))


def _counts(opening: str, word: str) -> bool:
    """Whether a number is that of a turn: `Turn 3:` takes no tile."""
    return word[0].isdigit() and bool(pattern("doubts", "counted").search(folded(opening)))


def _announces(clause: str, has_colon: bool) -> bool:
    """Whether a clause announces orders."""
    return courtesy_kind(clause) == CourtesyKind.INTRO or (
        courtesy_kind(f"{clause}:") == CourtesyKind.INTRO and (has_colon or not is_doubtful(clause))
    )


def _is_polite(text: str) -> bool:
    """Whether a text is a courtesy, or each clause is one or a form of please."""
    clauses = _clauses(text)
    return _is_courtesy(text) or (
        bool(clauses) and all(folded(clause) in phrases("courtesies", "please") or _is_courtesy(clause) for clause in clauses)
    )


def _clauses(text: str) -> list[str]:
    return [clause.strip() for clause in re.split(r"[,.!:;]+(?:\s+|$)", text) if clause.strip()]


def _is_courtesy(text: str) -> bool:
    """Whether a text is a courtesy; one with a word that may take orders back must be known as it stands."""
    return courtesy_kind(text) not in (CourtesyKind.NONE, CourtesyKind.INTRO) and (
        is_listed(text.strip(" .,!:").split()) or not is_doubtful(text)
    )


def unnumbered(lines: Sequence[str], reads: Reads) -> list[str]:
    """Return the lines without list numbers, as long as each is the number of its place.

    A single number that can also be read with a colon behind it may be a part of the order, and stays.
    """
    place, numbered, found = 0, list[int](), list(lines)
    for row, line in enumerate(lines):
        number = NUMBER.match(line)
        place += bool(number or BULLET.match(line))
        if number and int(number[1]) != place:
            break
        if number:
            numbered.append(row)
            found[row] = _item(line[number.end() :], reads)
    is_list = len(numbered) > 1 or not any(reads(NUMBER.sub(r"\1: ", lines[row], count=1)) for row in numbered)
    return found if is_list else list(lines)


def _item(text: str, reads: Reads) -> str:
    """Return a list item; a bare number gets a colon if it can be read only so."""
    return f"{text}:" if text.isdigit() and not reads(text) and reads(f"{text}:") else text


def has_separators(text: str) -> bool:
    """Whether anything in it may be meant as one."""
    return bool(_separator().search(text))


def separated(text: str, reads: Reads) -> str | None:
    """Return the text with a semicolon for each comma, full stop and `and`; None if it cannot be read so, or otherwise too."""
    listed = {_put(text, found): found for found in _separators(text)}
    readable = [each for each in listed if reads(each)]
    if len(readable) != 1:
        return None
    return None if any(reads(other) for other in _others(text, listed[readable[0]])) else readable[0]


def readings(text: str) -> Iterator[str]:
    """Yield every reading of the text in which each separator is one or a word."""
    for found in _separators(text):
        yield _put(text, found)
        yield from _others(text, found)


def split(text: str) -> list[str]:
    """Split a text at its separators."""
    return [step for step in re.split(r"\s*;\s*", _put(text, next(_separators(text), []))) if step]


def _separators(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the separators of a text, then those without single letters, which may be squares."""
    every = list(islice(_separator().finditer(text.partition("#")[0]), 2 * MOST_SEPARATORS + 1))
    if len(every) > 2 * MOST_SEPARATORS:
        return
    begin = {each.start() for each in every}
    found = [each for each in every if len(_word(each)) != 1 or each.end() not in begin]
    for some in (found, [each for each in found if len(_word(each)) != 1]):
        if 0 < len(some) <= MOST_SEPARATORS:
            yield some


def _word(separator: re.Match[str]) -> str:
    return separator.group().strip(" ,;.&+")


def _others(text: str, found: list[re.Match[str]]) -> Iterator[str]:
    """Yield the text with one separator read as a word of the step before or behind it: `e` is `and` and may be a square."""
    for place, separator in enumerate(found):
        word = _word(separator)
        for instead in dict.fromkeys((f" {word} ; ", f" ; {word} ", f" {word} ")):
            if instead.strip() != ";":
                yield _put(text, found, {place: instead})


def _put(text: str, found: list[re.Match[str]], instead: dict[int, str] | None = None) -> str:
    """Return the text with its separators replaced."""
    pieces, end = list[str](), 0
    for place, separator in enumerate(found):
        pieces += [text[end : separator.start()], (instead or {}).get(place, "; ")]
        end = separator.end()
    return re.sub(r"^[; ]+|[; ]+$|(?<=; ) +", "", "".join([*pieces, text[end:]]))


@cache
def _separator() -> re.Pattern[str]:
    """Return the pattern of a separator; a word counts only before another step."""
    words = rf"(?:{any_phrase('separators', 'words')})"
    return re.compile(rf"\s*(?:[,;]\s*|[.&+]\s+)(?:{words}(?=\s))?|(?:^|\s+){words}(?=\s)", re.IGNORECASE)
