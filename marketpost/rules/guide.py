"""The rules of a game as a text for players, for the edition and the options at hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from marketpost.rules.words import read_words, typeset

SUMMARY = "summary"
AIM = "aim"
TITLE = "title"
PRIMER = (AIM, "turn", "end")
"""Statements of the summary that a first letter repeats."""
WIDTH = 78


@dataclass(frozen=True, slots=True)
class GuideSection:
    """A titled part of the rules."""

    name: str
    title: str
    statements: Mapping[str, str]
    """Whole sentences, by a key that is the same in every language and for every option."""


def sections(folder: Path, language: str, options: Mapping[str, object]) -> list[GuideSection]:
    """List the sections: the summary first, then all rules; empty for a ruleset without such a text."""
    read = (_section(name, part, options, language) for name, part in read_words(folder, language).items())
    return [section for section in read if section.statements]


def _section(name: str, part: Mapping[str, str], options: Mapping[str, object], language: str) -> GuideSection:
    fitting = {key.partition("?")[0]: told for key, told in part.items() if key != TITLE and _fits(key, options)}
    told = {key: typeset(each.format_map(options), language) for key, each in fitting.items()}
    return GuideSection(name, typeset(part[TITLE], language), told)


def _fits(key: str, options: Mapping[str, object]) -> bool:
    option, sign, value = key.partition("?")[2].partition("=")
    return not sign or str(options[option]) == value


def summary(found: list[GuideSection]) -> list[str]:
    """Return the rules in short, a sentence or two for each subject."""
    return [told for section in found if section.name == SUMMARY for told in section.statements.values()]


def aim(found: list[GuideSection]) -> GuideSection | None:
    """Say what the game is about and how it is won, in a few sentences."""
    return next((section for section in found if section.name == AIM), None)


def primer(found: list[GuideSection]) -> list[str]:
    """Explain the game in ten lines: what it is about, how a turn works, and how it ends and is won."""
    short = next((section.statements for section in found if section.name == SUMMARY), {})
    return [short[key] for key in PRIMER if key in short]


def whole(found: list[GuideSection]) -> list[GuideSection]:
    """Return everything except the summary."""
    return [section for section in found if section.name != SUMMARY]


def as_text(found: list[GuideSection]) -> str:
    """Write the rules for a terminal and for `text/plain`: titles in capitals, a paragraph for each statement."""
    return "\n\n".join("\n".join([section.title.upper(), "", *_paragraphs(section)]) for section in found)


def _paragraphs(section: GuideSection) -> list[str]:
    return [line for told in section.statements.values() for line in wrap(told, WIDTH, initial_indent="* ", subsequent_indent="  ")]
