"""Draws the newest position of any game."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.svg import Style
from marketpost.rules.words import Words

LIGHT = Style("light")


def pictured(rules: Ruleset[Any], played: Sequence[Played], words: Words, style: Style = LIGHT) -> str:
    """Draw the position as SVG, with the last player's moves marked."""
    last = _last_turn(played)
    before = rules.fold(_events(played[:last]))
    state = before.copy()
    for event in _events(played[last:]):
        event.apply(state)
    return rules.picture(state, words, before=before if last else None, style=style)


def _last_turn(played: Sequence[Played]) -> int:
    """Find where the last player's uninterrupted moves began; what nobody decided belongs to the player before it."""
    moves = [(index, each.seat) for index, each in enumerate(played) if each.seat is not None]
    own = takewhile(lambda move: move[1] == moves[-1][1], reversed(moves))
    return min((index for index, _ in own), default=0)


def _events(played: Sequence[Played]) -> list[Any]:
    return [event for each in played for event in each.events]
