"""Draw boards for web pages."""

from functools import cache
from typing import Any

from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.rules.playout import begin, play_orders
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from marketpost.rules.svg import Style

SAMPLE_TURNS = 19
"""How many turns the game on the home page has been played."""


def board_svg(rules: Ruleset[Any], state: Any, language: str, prefix: str = "map", before: Any = None) -> str:
    """Draw a position, one element a line; each place has the attribute `data-place`. The page's style may darken the light colours.

    Templates may insert it unescaped: the rules escape everything they write.
    """
    words = rules.in_language(language)
    drawn = rules.picture(state, words, before=before, style=Style("light", prefix))
    return drawn.replace("><", ">\n<")


def board_patch(now: str, after: str, base: int) -> str:
    """Describe a picture by what differs from another: `=3-7` stands for these lines of the first; most of a board stays the same.

    The page that shows the first, after entry `base` of the log, puts the second together from both. A browser runs no text.
    """
    lines = now.split("\n")
    known = {line: number for number, line in enumerate(lines)}
    written: list[str] = []
    run: list[int] = []
    for line in [*after.split("\n"), None]:
        follows = bool(run) and run[-1] + 1 < len(lines) and lines[run[-1] + 1] == line
        number = run[-1] + 1 if follows else known.get(line, -1) if line is not None else -1
        if run and not follows:
            written.append(_shortest(lines, run))
            run = []
        if number >= 0:
            run.append(number)
        elif line is not None:
            written.append(line)
    return f'<script type="text/plain" data-base="{base}">' + "\n".join(written) + "</script>"


def _shortest(lines: list[str], run: list[int]) -> str:
    """Write lines of the first picture as they are or as their numbers, whichever is shorter."""
    return min("\n".join(lines[run[0] : run[-1] + 1]), f"={run[0]}-{run[-1]}", key=len)


@cache
def sample_svg(name: str, language: str) -> str:
    """Draw the board of a sample game of bots for the home page."""
    rules, chance = ruleset(name), Sealed(bytes(32), "sample")
    state = begin(rules, Setting(rules.colours[: rules.players[0] + 1], rules.boards()[0]), chance)
    play = bot(rules, usual_bot(rules))
    for _ in range(SAMPLE_TURNS):
        seat = rules.deciders(state)[0]
        play_orders(rules, state, seat, play(state.copy(), seat, chance), chance)
    return board_svg(rules, state, language, "sample")
