"""Names the edition and options of a game, and which of them are not the usual ones."""

from collections.abc import Mapping
from enum import StrEnum

from marketpost.rules.guide import GuideSection
from marketpost.rules.refusal import Refused
from marketpost.rules.words import Words, capital


def edition_name(words: Words, edition: str) -> str:
    """Name an edition in this language; its code where the ruleset has no name for it."""
    return words.say(f"editions.{edition}") if words.knows(f"editions.{edition}") else edition


def option_label(words: Words, option: str) -> str:
    """Name an option in this language."""
    return words.say(f"options.{option}") if words.knows(f"options.{option}") else option


def value_told(words: Words, option: str, value: object) -> str:
    """Say what an option means with this value. One sentence may serve for all numbers."""
    if words.knows(f"values.{option}={value}"):
        return words.say(f"values.{option}={value}")
    if words.knows(f"values.{option}") and str(value).isdecimal():
        return words.say(f"values.{option}", count=value)
    return f"{option}={value}"


def told(words: Words, edition: str, options: Mapping[str, object]) -> str:
    """Name an edition and options in one phrase; empty where there are none."""
    named = [edition_name(words, edition)] if edition else []
    return "; ".join([*named, *(value_told(words, option, value) for option, value in options.items())])


def note(words: Words, edition: str, options: Mapping[str, object]) -> list[str]:
    """Write the line below a board that names what is unusual; none where all is usual."""
    text = told(words, edition, options)
    return [words.say("variant.note", text=text)] if text else []


def unprinted(words: Words, options: Mapping[str, object]) -> list[str]:
    """Say, where a game is made, what our usual game has otherwise than the printed rules."""
    keys = (f"unprinted.{option}={value}" for option, value in options.items())
    return [words.say(key) for key in keys if words.knows(key)]


def chosen(words: Words, edition: str, options: Mapping[str, object]) -> GuideSection:
    """Write the section of the rules that names the edition and every option."""
    named = {"edition": f"{capital(edition_name(words, edition))}."} if edition else {}
    values = {option: f"{capital(value_told(words, option, value))}." for option, value in options.items()}
    return GuideSection("chosen", words.say("variant.title"), named | values)


def read_option(kinds: Mapping[str, type[StrEnum]], name: str, value: object, *more: str) -> StrEnum:
    """Read the value of an option; refused with the names of all, `more` among them, or with the values that there are."""
    if name not in kinds:
        raise Refused("unknown-option", option=name, options=[*more, *kinds])
    values = [str(each) for each in kinds[name]]
    if value not in values:
        raise Refused("bad-option", option=name, value=str(value)[:40], values=values)
    return kinds[name](value)
