"""How people list their steps: bullets, numbers, commas, `and`. Read only where it cannot mean anything else."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from marketpost.mail.inbound.courtesies import courtesy_kind
from marketpost.mail.inbound.habits import any_phrase, folded, phrases

WRAPPING = ("**", "__", '""', "“”", "„“", "„”", "«»", "''", "``", "()", "[]")
BULLET = re.compile(r"[-*•·–+◦‣▪●○►➢]\s+(?=\S)")
NUMBER = re.compile(r"\(?(\d{1,2})[.)]\s*(?=\S)")
OPENING = re.compile(r"[,:.!]+\s+|\s+-\s+")
MOST_SEPARATORS = 20

Reads = Callable[[str], bool]


def undressed(line: str) -> list[str]:
    """The line as it stands, then without comment, bullets, stars, quotes, full stops and courtesies around it."""
    texts = [line]
    line = line.partition("#")[0].rstrip()
    bare = BULLET.sub("", line, count=1) if BULLET.match(line) else line
    bare = re.sub(r"(?<=\S)\s*[.!,;]+$", "", bare).strip()
    for pair in WRAPPING:
        if len(bare) > 2 and bare[0] + bare[-1] == pair:
            bare = re.sub(r"[.!,;]+$", "", bare[1:-1]).strip()
    texts += [text for text in (bare, _without_courtesies(bare)) if text]
    return list(dict.fromkeys(texts))


def _without_courtesies(text: str) -> str:
    """`Hello, stall A-B please` without what is only polite."""
    while (opening := OPENING.search(text)) and courtesy_kind(text[: opening.start()]) in ("greeting", "thanks", "intro"):
        text = text[opening.end() :]
    words = text.split()
    polite = next((size for size in (3, 2, 1) if folded(" ".join(words[-size:])) in phrases("courtesies", "please")), 0)
    return " ".join(words[: len(words) - polite]).rstrip(" ,") if 0 < polite < len(words) else text


def unnumbered(lines: Sequence[str], reads: Reads) -> list[str]:
    """The lines without their numbers, as long as each is the number of its place in the list.

    A single number that can also be read with a colon behind it may be a part of the order.
    """
    place, numbered, found = 0, list[int](), list(lines)
    for row, line in enumerate(lines):
        number = NUMBER.match(line)
        place += bool(number or BULLET.match(line))
        if number and int(number[1]) != place:
            break
        if number:
            numbered.append(row)
            found[row] = line[number.end() :]
    is_list = len(numbered) > 1 or not any(reads(NUMBER.sub(r"\1: ", lines[row], count=1)) for row in numbered)
    return found if is_list else list(lines)


def separated(text: str, reads: Reads) -> str | None:
    """The text with a semicolon for each comma, full stop and `and`, if it can be read so and no separator may belong to a step."""
    listed = {_put(text, found): found for found in _separators(text)}
    readable = [each for each in listed if reads(each)]
    if len(readable) != 1:
        return None
    return None if any(reads(other) for other in _others(text, listed[readable[0]])) else readable[0]


def readings(text: str) -> Iterator[str]:
    """Everything that the text may be if each separator may be one or a word."""
    for found in _separators(text):
        yield _put(text, found)
        yield from _others(text, found)


def split(text: str) -> list[str]:
    """What stands between separators."""
    return [step for step in re.split(r"\s*;\s*", _put(text, next(_separators(text), []))) if step]


def _separators(text: str) -> Iterator[list[re.Match[str]]]:
    """All that may be meant as such, then without single letters, which may be squares: before another separator they must be."""
    every = list(_separator().finditer(text.partition("#")[0]))
    begin = {each.start() for each in every}
    found = [each for each in every if len(_word(each)) != 1 or each.end() not in begin]
    for some in (found, [each for each in found if len(_word(each)) != 1]):
        if 0 < len(some) <= MOST_SEPARATORS:
            yield some


def _word(separator: re.Match[str]) -> str:
    return separator.group().strip(" ,;.&+")


def _others(text: str, found: list[re.Match[str]]) -> Iterator[str]:
    """The same with one separator taken for a word of the step before it or behind it: `e` is `and` and may be a square."""
    for place, separator in enumerate(found):
        word = _word(separator)
        for instead in dict.fromkeys((f" {word} ; ", f" ; {word} ", f" {word} ")):
            if instead.strip() != ";":
                yield _put(text, found, {place: instead})


def _put(text: str, found: list[re.Match[str]], instead: dict[int, str] | None = None) -> str:
    pieces, end = list[str](), 0
    for place, separator in enumerate(found):
        pieces += [text[end : separator.start()], (instead or {}).get(place, "; ")]
        end = separator.end()
    return re.sub(r"^[; ]+|[; ]+$|(?<=; ) +", "", "".join([*pieces, text[end:]]))


@cache
def _separator() -> re.Pattern[str]:
    """A word counts only before another step; behind a sign or at the end of a line it has nothing to join."""
    words = rf"(?:{any_phrase('separators', 'words')})"
    return re.compile(rf"\s*(?:[,;]\s*|[.&+]\s+)(?:{words}(?=\s))?|(?:^|\s+){words}(?=\s)", re.IGNORECASE)
