"""Words in four languages: what players may write, and what they are told."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from babel import Locale
from babel.dates import format_timedelta

from marketpost.rules.refusal import Caution, Refusal

LANGUAGES = ("en", "de", "fr", "it")
COMMON = Path(__file__).parent / "words"
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
SAME_SIGN = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("’‘ʼ´`", "'") | {"：": ":", "；": ";"})


APOSTROPHE = re.compile(r"(?<=\w)'(?=[\w«“])")
TIGHT = re.compile(r" (?=[:;!?»])|(?<=«) ")
"""Where French has a blank at which a line must not break."""
TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|\S")


def fold(word: str) -> str:
    """Normalize a word for comparison: small letters, no accents."""
    if word.isascii():
        return word.lower()
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


def spellings(word: str) -> set[str]:
    """Normalize a word in both ways in which umlauts are written."""
    return {fold(word), fold(unicodedata.normalize("NFC", word.casefold()).translate(UMLAUTS))}


def plain(text: str) -> str:
    """Replace the dashes, quotes and blanks that keyboards and mail programs insert by ordinary ones."""
    return unicodedata.normalize("NFC", text).translate(SAME_SIGN)


def tokens(text: str) -> list[str]:
    """Split a text into words, numbers and single signs; blanks mean nothing."""
    return TOKEN.findall(text)


@cache
def lexicon(folder: Path, part: str = "orders", only: str = "") -> dict[str, tuple[str, ...]]:
    """Map every spelling, in all languages or `only` one, to its meanings; the caller must refuse an ambiguous one with both offered."""
    meanings: dict[str, set[str]] = {}
    for language in [only] if only else LANGUAGES:
        for meaning, words in read_words(folder, language).get(part, {}).items():
            for spelling in set().union(*map(spellings, words)):
                meanings.setdefault(" ".join(tokens(spelling)), set()).add(meaning)
    return {spelling: tuple(sorted(found)) for spelling, found in meanings.items()}


def typeset(text: str, language: str) -> str:
    """Typeset a text: round apostrophes, and French no-break spaces."""
    text = APOSTROPHE.sub("’", text)
    return TIGHT.sub("\N{NO-BREAK SPACE}", text) if language == "fr" else text


def capital(sentence: str) -> str:
    """Begin a sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


TITLE_FORMS = ("to", "inside", "of")


class Title(str):
    """The name of a game in the forms that sentences need: `{title}`, or `{title.of}` for *a game of it*."""

    to: str
    inside: str
    of: str

    def __new__(cls, title: str, words: "Words") -> "Title":
        made = super().__new__(cls, title)
        made.to, made.inside, made.of = (words.say(f"titles.{form}", title=title) for form in TITLE_FORMS)
        return made


class Wait(int):
    """Seconds until something is possible, told like *in 2 hours*."""


@dataclass(frozen=True, slots=True)
class Words:
    """One language of one ruleset."""

    language: str
    folder: Path
    supposing: bool = False
    """Tell what would happen, not what happened: `[would]` takes the place of `[story]`."""
    _known: Mapping[str, Any] = field(init=False, repr=False, compare=False)
    """Everything this language says, by `part.key`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", _known(self.folder, self.language, self.supposing))

    def if_played(self) -> "Words":
        """Return the same words in the conditional, for a preview."""
        return Words(self.language, self.folder, supposing=True)

    def say(self, key: str, /, **values: object) -> str:
        """Write the sentence for `part.key`. A player's own `text` is quoted as it is."""
        found = self._known.get(key)
        if isinstance(found, dict):
            found = found[plural(self.language, int(str(values["count"])))]
        return str(found).format_map({name: value if name == "text" else self.translate(value) for name, value in values.items()})

    def explain(self, refusal: Refusal) -> str:
        """Say why something was refused and what would be right; `why` picks a more precise sentence where there is one."""
        closer = f"refusals.{refusal.code}/{refusal.values.get('why')}"
        return self.say(closer if self.knows(closer) else f"refusals.{refusal.code}", **refusal.values)

    def caution(self, caution: Caution) -> str:
        """Say what may happen that was not meant, and how to write it better."""
        return self.say(f"cautions.{caution.code}", **caution.values)

    def knows(self, key: str) -> bool:
        """Whether there is a sentence for `part.key`."""
        return key in self._known

    def translate(self, value: object) -> str:
        """Write a value inside a sentence: names in this language, lists with commas, ranges of numbers."""
        if isinstance(value, Title):
            return value
        if isinstance(value, Wait):
            return format_timedelta(value, add_direction=True, locale=self.language)
        if isinstance(value, str):
            return str(self._known.get(f"names.{value}") or value)
        if isinstance(value, int) or not isinstance(value, Iterable):  # most are numbers, and to ask for an iterable takes long
            return str(value)
        return ", ".join(_in_rows(map(self.translate, value))) or "–"

    def unlike(self, letters: Mapping[str, str]) -> dict[str, str]:
        """List things whose letter on a board does not begin their name in this language."""
        return {thing: letter for thing, letter in letters.items() if not fold(self.translate(thing)).startswith(fold(letter))}

    def listed(self, parts: Iterable[object], last: str = "or") -> str:
        """Join parts as `one, two or three`."""
        *before, final = [str(part) for part in parts] or [""]
        return f"{', '.join(before)} {self.say(f'lists.{last}')} {final}" if before else final

    def score(self, score: str) -> str:
        """Write a score in words where the ruleset has some for each of its numbers: `3+6` is six cards and three coins."""
        numbers = re.findall(r"-?\d+", score)
        if not all(self.knows(f"story.score-{place}") for place in range(1, len(numbers) + 1)):
            return score
        told = [self.say(f"story.score-{place}", count=number) for place, number in enumerate(numbers, 1)]
        return self.listed(reversed(told), "and")

    def order(self, meaning: str, part: str = "orders") -> str:
        """Write an order word in this language."""
        return str(self._known[f"{part}.{meaning}"][0])


@cache
def _known(folder: Path, language: str, supposing: bool) -> dict[str, Any]:
    """Merge sentences by `part.key`; a ruleset's own go before the shared ones."""
    parts = [part for each in (COMMON, folder) for part in read_words(each, language).items()]
    parts += [("story", read_words(folder, language).get("would", {}))] if supposing else []
    return {f"{part}.{name}": _typeset(found, language) for part, named in parts for name, found in named.items()}


def _typeset(found: Any, language: str) -> Any:
    """Typeset a sentence or its forms; a list holds what players may write and stays as it is."""
    if isinstance(found, dict):
        return {form: typeset(sentence, language) for form, sentence in found.items()}
    return typeset(found, language) if isinstance(found, str) else found


def _in_rows(parts: Iterable[str]) -> Iterator[str]:
    """Write four or more consecutive whole numbers as a range: 1–12."""
    for _, same in groupby(enumerate(parts), lambda each: int(each[1]) - each[0] if each[1].isdecimal() else each[1]):
        row = [part for _, part in same]
        yield from [f"{row[0]}–{row[-1]}"] if len(row) > 3 and row[0].isdecimal() else row


@cache
def read_words(folder: Path, language: str) -> Mapping[str, Any]:
    """Read a word file by part and key, in the order of the file; empty where there is none."""
    path = folder / f"{language}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def order_words(folder: Path, language: str) -> dict[str, list[str]]:
    """List what each order word may be called in a language, the one that we write first."""
    return {meaning: list(words) for meaning, words in read_words(folder, language).get("orders", {}).items()}


@lru_cache(maxsize=256)
def plural(language: str, count: int) -> str:
    """Choose the plural form of a number."""
    return str(Locale(language).plural_form(count))
