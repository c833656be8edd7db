"""Tells a hint in the reader's language: the orders that a bot prefers, and why in one sentence."""

from typing import Any, Protocol

from marketpost.rules.analysis_told import percent
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.words import Words


def orders_told(rules: Ruleset[Any], orders: str, words: Words) -> str:
    """Write orders as a language writes them."""
    try:
        return str(rules.notate(rules.parse(orders), words))
    except Refused:
        return orders


def rule_told(rule: str, words: Words) -> list[str]:
    """Say who may ask for hints at a table, where that is not the usual rule."""
    return [words.say(f"hint.{rule}")] if words.knows(f"hint.{rule}") and rule in ("allowed", "off") else []


class ComparedOrders(Protocol):
    """Orders, the next best, and the chances to win with each, in thousandths, by so many trial games."""

    @property
    def orders(self) -> str: ...
    @property
    def chance(self) -> int: ...
    @property
    def other(self) -> str: ...
    @property
    def less(self) -> int: ...
    @property
    def trials(self) -> int: ...


def why_told(rules: Ruleset[Any], found: ComparedOrders, words: Words) -> str:
    """Say in one sentence why these orders are preferred to the next best."""
    if not found.orders:
        return words.say("hint.none")
    if not found.other:
        return words.say("hint.only")
    if not found.trials:
        return words.say("hint.unsure")
    compared = {"chance": percent(found.chance, words), "less": percent(found.less, words), "trials": found.trials}
    return words.say("hint.same" if found.less == found.chance else "hint.why", text=orders_told(rules, found.other, words), **compared)
