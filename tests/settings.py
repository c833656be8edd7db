"""Settings of games in which everything is not as usual."""

from typing import Any

from marketpost.rules.ruleset import Ruleset, Setting


def unusual(rules: Ruleset[Any]) -> Setting:
    """The last edition, and every option with the first value that is not the edition's."""
    edition = rules.editions[-1] if rules.editions else None
    preset = rules.settle(edition, {})
    options = {name: _other(values, str(preset[name])) for name, values in rules.option_values().items()}
    return Setting(rules.colours[: rules.players[0]], rules.boards()[0], edition, options)


def _other(values: list[str], usual: str) -> str:
    return next(value for value in (values if len(values) > 1 else values[0].split("-")) if value != usual)


def wanted(rules: Ruleset[Any]) -> dict[str, Any]:
    """The same as the body of a new game asks for it."""
    setting = unusual(rules)
    return {"options": dict(setting.options)} | ({"edition": setting.edition} if setting.edition else {})
