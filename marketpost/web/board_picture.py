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


def board_patch(now: str, after: str, base: int) -> str:
    """Describe a picture by what differs from another: runs of the same lines are named by their numbers in the first.

    The page that shows the first, after entry `base` of the log, puts the second together from both; most of a board stays the same.
    """
    known = {line: number for number, line in enumerate(now.split("\n"))}
    head, *lines = after.split("\n")
    written = [head.replace("<svg ", f'<svg data-base="{base}" ', 1)]
    run: list[int] = []
    for line in [*lines, None]:
        number = known.get(line, -1) if line is not None and line != lines[-1] else -1
        if run and number != run[-1] + 1:
            written.append(f'<g data-same="{run[0]}-{run[-1]}"></g>')
            run = []
        if number >= 0:
            run.append(number)
        elif line is not None:
            written.append(line)
    return "\n".join(written)


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
