"""What a game is played by: its edition, its options, and which of them are not the usual ones."""

from collections.abc import Mapping

from marketpost.rules.guide import GuideSection
from marketpost.rules.words import Words, capital


def edition_name(words: Words, edition: str) -> str:
    """What this language calls an edition; its code where the ruleset has no name for it."""
    return words.say(f"editions.{edition}") if words.knows(f"editions.{edition}") else edition


def option_label(words: Words, option: str) -> str:
    return words.say(f"options.{option}") if words.knows(f"options.{option}") else option


def value_told(words: Words, option: str, value: object) -> str:
    """What an option means when it has this value. A number may stand in one sentence for all of them."""
    if words.knows(f"values.{option}={value}"):
        return words.say(f"values.{option}={value}")
    if words.knows(f"values.{option}") and str(value).isdecimal():
        return words.say(f"values.{option}", count=value)
    return f"{option}={value}"


def told(words: Words, edition: str, options: Mapping[str, object]) -> str:
    """An edition and options as one phrase; empty where there are none."""
    named = [edition_name(words, edition)] if edition else []
    return "; ".join([*named, *(value_told(words, option, value) for option, value in options.items())])


def note(words: Words, edition: str, options: Mapping[str, object]) -> list[str]:
    """The line below a board that names what is not as usual; none where all is."""
    text = told(words, edition, options)
    return [words.say("variant.note", text=text)] if text else []


def unprinted(words: Words, options: Mapping[str, object]) -> list[str]:
    """Told where a game is made: what our usual way is and the printed rules have otherwise."""
    keys = (f"unprinted.{option}={value}" for option, value in options.items())
    return [words.say(key) for key in keys if words.knows(key)]


def chosen(words: Words, edition: str, options: Mapping[str, object]) -> GuideSection:
    """The section of the rules that names the edition and what each option is."""
    named = {"edition": f"{capital(edition_name(words, edition))}."} if edition else {}
    values = {option: f"{capital(value_told(words, option, value))}." for option, value in options.items()}
    return GuideSection("chosen", words.say("variant.title"), named | values)
