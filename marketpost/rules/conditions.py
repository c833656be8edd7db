"""Conditions of orders ahead: sentences in the words of a game, in four languages, that hold or do not.

A ruleset brings the sentences as data (`[conditions]` in its word files, such as `builds-in = ["{who} builds in {lane}"]`), a reader for
what may stand in each of their gaps, and a test for each sentence.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from marketpost.rules.refusal import Refused
from marketpost.rules.words import COMMON, LANGUAGES, Words, fold, lexicon, read_words, spellings, tokens

ANYONE = "anyone"
"""Stands for a seat: any player but the one who wrote the condition."""
GRAMMAR = "ahead"
"""The part of the shared word files with the words around conditions: if, and, not, otherwise."""
MOST_IN_A_GAP = 4
"""Words and signs that fill one gap of a sentence at the most."""
GAP = re.compile(r"\{(\w+)\}")
Gaps = Mapping[str, str]
"""What fills each gap of a sentence."""


@dataclass(frozen=True, slots=True)
class Since:
    """What happened since a seat's last turn: the position then, the events, and the position now."""

    before: Any
    events: Sequence[Any]
    state: Any
    seat: int

    def is_by(self, who: str, seat: int) -> bool:
        """Whether `who` of a condition means this seat."""
        return seat != self.seat if who == ANYONE else 0 <= seat < len(self.state.colours) and self.state.colours[seat] == who

    def seats(self, who: str) -> list[int]:
        """List the seats that `who` of a condition means."""
        return [seat for seat in range(len(self.state.colours)) if self.is_by(who, seat)]


ReadGap = Callable[[Any, list[str]], str | None]
"""Returns what some words mean in a position, as it is stored; None if they cannot fill this gap."""
Test = Callable[[Since, Gaps], bool]


@dataclass(frozen=True, slots=True)
class Conditions:
    """What orders ahead of a game may depend on."""

    folder: Path = COMMON
    """The word files with the sentences, `[conditions]`."""
    tests: Mapping[str, Test] = field(default_factory=dict)
    """Whether each sentence holds."""
    gaps: Mapping[str, ReadGap] = field(default_factory=dict)
    """How each gap is read, beside `who` and `number`, which all games have."""


class Condition(msgspec.Struct, frozen=True):
    """One sentence with its gaps filled."""

    name: str
    gaps: dict[str, str] = {}
    negated: bool = False


def holds(conditions: Conditions, since: Since, wanted: Sequence[Condition]) -> bool:
    """Whether all of these hold."""
    return all(conditions.tests[each.name](since, each.gaps) != each.negated for each in wanted)


def read_conditions(conditions: Conditions, state: Any, text: str) -> tuple[Condition, ...]:
    """Parse sentences joined by `and`, in any language; refused if one of them cannot be read."""
    words = tokens(text)
    found = _joined(conditions, state, words) if len(words) <= 100 else None
    if not found:
        raise Refused("unreadable-condition", text=text.strip()[:120])
    return tuple(found)


def _joined(conditions: Conditions, state: Any, words: list[str]) -> list[Condition] | None:
    """Parse up to an `and` behind which the rest can be read too: a sentence may have an `and` of its own."""
    ends = [place for place, word in enumerate(words) if _means(word, "and")]
    for end in [*ends, len(words)]:
        first = _sentence(conditions, state, words[:end])
        rest = _joined(conditions, state, words[end + 1 :]) if end < len(words) else []
        if first and rest is not None:
            return [first, *rest]
    return None


def _sentence(conditions: Conditions, state: Any, words: list[str]) -> Condition | None:
    is_negated = bool(words) and _means(words[0], "not")
    for name, form in _forms(conditions.folder):
        gaps = _filled(conditions, state, form, words[is_negated:]) if name in conditions.tests else None
        if gaps is not None:
            return Condition(name, gaps, is_negated)
    return None


def _filled(conditions: Conditions, state: Any, form: tuple[str, ...], words: list[str]) -> dict[str, str] | None:
    """Return what fills the gaps of a form if these words have it; None if they do not."""
    if not form:
        return None if words else {}
    first, rest = form[0], form[1:]
    if not first.startswith("{"):
        return _filled(conditions, state, rest, words[1:]) if words and first in spellings(words[0]) else None
    for size in range(1, min(MOST_IN_A_GAP, len(words) - len(rest)) + 1):
        value = _read_gap(conditions, state, first[1:-1], words[:size])
        gaps = None if value is None else _filled(conditions, state, rest, words[size:])
        if gaps is not None and value is not None:
            return {first[1:-1]: value, **gaps}
    return None


def _read_gap(conditions: Conditions, state: Any, name: str, words: list[str]) -> str | None:
    if name == "who":
        return ANYONE if _means(" ".join(words), ANYONE) else named(conditions.folder, words, state.colours)
    if name == "number":
        return str(int(words[0])) if len(words) == 1 and words[0].isascii() and words[0].isdecimal() and len(words[0]) < 6 else None
    return conditions.gaps[name](state, words)


def named(folder: Path, words: list[str], options: Sequence[str]) -> str | None:
    """Find the one of these whose name, in any language, the words are."""
    said = fold(" ".join(words))
    return next((each for each in options if said in _names(folder, each)), None)


@cache
def _names(folder: Path, thing: str) -> frozenset[str]:
    found = [read_words(folder, language).get("names", {}).get(thing, thing) for language in LANGUAGES]
    found += [spelling for spelling, meanings in lexicon(folder).items() if thing in meanings]
    return frozenset(each for name in (thing, *found) for each in spellings(name))


@cache
def _forms(folder: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List every form of every sentence in all languages, cut into words and gaps; those with fewer gaps first."""
    found = [(name, tuple(_cut(form))) for language in LANGUAGES for name, forms in _sentences(folder, language) for form in forms]
    return tuple(sorted(dict.fromkeys(found), key=lambda each: sum(word.startswith("{") for word in each[1])))


def _sentences(folder: Path, language: str) -> list[tuple[str, list[str]]]:
    return list(read_words(folder, language).get("conditions", {}).items())


def _cut(form: str) -> Iterator[str]:
    """Cut a form into folded words and gaps."""
    for word in form.split():
        yield from [word] if word.startswith("{") else map(fold, tokens(word))


def _means(word: str, meaning: str) -> bool:
    return meaning in lexicon(COMMON, GRAMMAR).get(fold(word), ())


def notate_conditions(conditions: Conditions, wanted: Sequence[Condition], words: Words) -> str:
    """Write sentences in a language; `read_conditions` reads them back."""
    told = [_notate(condition, words) for condition in wanted]
    return f" {words.order('and', GRAMMAR)} ".join(told)


def _notate(condition: Condition, words: Words) -> str:
    gaps = {name: _named_in(value, words) for name, value in condition.gaps.items()}
    told = words.order(condition.name, "conditions").format_map(gaps)
    return f"{words.order('not', GRAMMAR)} {told}" if condition.negated else told


def _named_in(value: str, words: Words) -> str:
    return words.order(ANYONE, GRAMMAR) if value == ANYONE else words.translate(value)


def examples(conditions: Conditions, words: Words) -> list[str]:
    """List the sentences of a game in a language, with words in their gaps that say what fills them."""
    return [GAP.sub(lambda gap: f"<{words.say(f'gaps.{gap[1]}')}>", forms[0]) for _, forms in _sentences(conditions.folder, words.language)]
