"""A game asked for in words: `portobello with bob@example.org and a greedy bot`."""

import re
from dataclasses import dataclass

from rules.bots import bot_names
from rules.ruleset import rulesets

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True, slots=True)
class Wish:
    rules: str
    addresses: tuple[str, ...]
    """Who is to be invited, each once."""
    bots: tuple[str, ...]


def read_wish(text: str) -> Wish | None:
    """Nothing where no game is named that we have. Words that name neither game nor bot are how people talk."""
    known, text = rulesets(), text.casefold()
    words = re.findall(r"[a-z]+", ADDRESS.sub(" ", text))
    name = next((word for word in words if word in known), None)
    if name is None:
        return None
    addresses = tuple(dict.fromkeys(ADDRESS.findall(text)))
    return Wish(name, addresses, tuple(word for word in words if word in bot_names(known[name])))
