"""Players that are no people. They see what a seat sees and write orders like everyone else."""

from typing import Any

from rules.refusal import Refused
from rules.ruleset import Bot, Ruleset

RANDOM = "random"


def bot(rules: Ruleset[Any], name: str) -> Bot:
    """`random` plays any game that can list what is legal; the better ones come with their ruleset."""
    if name == RANDOM:
        return lambda state, seat, chance: chance.pick(rules.legal(state, seat))
    if name not in rules.bots:
        raise Refused("unknown-bot", bot=name, bots=bot_names(rules))
    return rules.bots[name]


def bot_names(rules: Ruleset[Any]) -> list[str]:
    return [RANDOM, *rules.bots]
