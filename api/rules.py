"""Serialize the rules of a ruleset, or of a game with its edition and options."""

from collections.abc import Mapping
from typing import Any

from marketpost.rules.bots import bot_names
from marketpost.rules.chance import Sealed
from marketpost.rules.guide import SUMMARY, GuideSection, summary
from marketpost.rules.ruleset import Ruleset, Setting
from marketpost.rules.variant import edition_name, option_label, value_told
from marketpost.rules.words import Words, order_words


def setting_of(game: Ruleset[Any], query: dict[str, Any]) -> Setting:
    """Return the setting that a query asks for; refuse one with which no game can be opened."""
    written = (part.partition("=") for part in query.get("options", "").split(",") if part.strip())
    options = {name.strip(): value.strip() for name, _, value in written}
    setting = Setting(game.colours[: game.players[0]], game.boards()[0], query.get("edition"), options)
    game.start(setting, Sealed(bytes(32), "trial"))
    return setting


def document(game: Ruleset[Any], setting: Setting, spoken: str) -> dict[str, Any]:
    """Serialize the rules for a setting."""
    words = game.in_language(spoken)
    guide = game.guide(setting, spoken)
    return {
        "name": game.name,
        "title": game.title(words),
        "language": spoken,
        "players": list(game.players),
        "colours": list(game.colours),
        "editions": list(game.editions),
        "edition_names": {code: edition_name(words, code) for code in game.editions},
        "edition_options": {code: _told(game.settle(code, {})) for code in game.editions},
        "options": game.option_values(),
        "option_texts": {option: _values(words, option, values) for option, values in game.option_values().items()},
        "boards": list(game.boards()),
        "bots": bot_names(game),
        "edition": setting.edition or next(iter(game.editions), None),
        "chosen": _told(game.settle(setting.edition, setting.options)),
        "variant": game.variant(setting, words),
        "summary": summary(guide),
        "sections": [_section(section) for section in guide if section.name != SUMMARY],
        "orders": words.say("help.orders").strip("\n") if words.knows("help.orders") else "",
        "order_words": order_words(game.words, spoken),
    }


def _told(options: Mapping[str, object]) -> dict[str, str]:
    return {option: str(value) for option, value in options.items()}


def _values(words: Words, option: str, values: list[str]) -> dict[str, str]:
    """Return the meaning of each value of an option; a range gets the label of the option."""
    return {value: option_label(words, option) if len(values) == 1 else value_told(words, option, value) for value in values}


def _section(section: GuideSection) -> dict[str, Any]:
    return {"name": section.name, "title": section.title, "statements": dict(section.statements)}
