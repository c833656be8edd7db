"""Draw boards for web pages."""

from functools import cache
from typing import Any

from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from marketpost.rules.svg import Style

SAMPLE_TURNS = 19
"""How many turns the game on the home page has been played."""


def board_svg(rules: Ruleset[Any], state: Any, language: str, prefix: str = "map", before: Any = None) -> str:
    """Draw a position; each place has the attribute `data-place`. The page's style may darken the light colours.

    Templates may insert it unescaped: the rules escape everything they write.
    """
    words = rules.in_language(language)
    return rules.picture(state, words, before=before, style=Style("light", prefix))


@cache
def sample_svg(name: str, language: str) -> str:
    """Draw the board of a sample game of bots for the home page."""
    rules, chance = ruleset(name), Sealed(bytes(32), "sample")
    state = rules.fold(rules.start(Setting(rules.colours[: rules.players[0] + 1], rules.boards()[0]), chance))
    play = bot(rules, usual_bot(rules))
    for _ in range(SAMPLE_TURNS):
        seat = rules.deciders(state)[0]
        for event in rules.judge(state, seat, play(state.copy(), seat, chance), chance).events:
            event.apply(state)
    return board_svg(rules, state, language, "sample")
