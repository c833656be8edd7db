"""The rules of a game as a text for players, written for the edition and the options of the game at hand.

The one source is `guide/{en,de,fr,it}.toml` in the ruleset's folder. Each part is a section: its `title`, then a statement a key. The key
`lord?lord=action` is the statement `lord` of games in which the option `lord` has the value `action`. `{start_score}` is an option's value.
The part `summary` is the short form; the part `aim` stands in the first letters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from marketpost.rules.words import read_words

SUMMARY = "summary"
AIM = "aim"
TITLE = "title"
WIDTH = 78


@dataclass(frozen=True, slots=True)
class GuideSection:
    name: str
    title: str
    statements: Mapping[str, str]
    """Whole sentences, by a key that is the same in every language and for every option."""


def sections(folder: Path, language: str, options: Mapping[str, object]) -> list[GuideSection]:
    """The summary first, then all that is to be known; empty for a ruleset without such a text."""
    read = (_section(name, part, options) for name, part in read_words(folder, language).items())
    return [section for section in read if section.statements]


def _section(name: str, part: Mapping[str, str], options: Mapping[str, object]) -> GuideSection:
    fitting = {key: told for key, told in part.items() if key != TITLE and _fits(key, options)}
    return GuideSection(name, part[TITLE], {key.partition("?")[0]: told.format_map(options) for key, told in fitting.items()})


def _fits(key: str, options: Mapping[str, object]) -> bool:
    option, sign, value = key.partition("?")[2].partition("=")
    return not sign or str(options[option]) == value


def summary(found: list[GuideSection]) -> list[str]:
    """The rules in short, a sentence or two for each thing."""
    return [told for section in found if section.name == SUMMARY for told in section.statements.values()]


def aim(found: list[GuideSection]) -> GuideSection | None:
    """What the game is about and how it is won, in a few sentences."""
    return next((section for section in found if section.name == AIM), None)


def whole(found: list[GuideSection]) -> list[GuideSection]:
    """Everything but the summary."""
    return [section for section in found if section.name != SUMMARY]


def as_text(found: list[GuideSection]) -> str:
    """For a terminal and for `text/plain`: titles in capitals, a paragraph for each statement."""
    return "\n\n".join("\n".join([section.title.upper(), "", *_paragraphs(section)]) for section in found)


def _paragraphs(section: GuideSection) -> list[str]:
    return [line for told in section.statements.values() for line in wrap(told, WIDTH, initial_indent="* ", subsequent_indent="  ")]
