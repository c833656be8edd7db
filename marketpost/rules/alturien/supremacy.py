"""Decides who holds the supremacy card of a product group."""

from collections.abc import Iterable, Sequence

from marketpost.rules.alturien.events import SupremacyChanged
from marketpost.rules.alturien.state import NOBODY, State
from marketpost.rules.alturien.trial import Trial

FEWEST = 2
"""With fewer houses nobody holds a card."""


def look_again(trial: Trial, groups: Iterable[str]) -> None:
    """Give the card of a group to its new holder, if it changes."""
    for group in groups:
        before = trial.state.supremacy.get(group, NOBODY)
        after = holder(count_houses(trial.state, group), before)
        if after != before:
            trial.happen(SupremacyChanged(group, after))


def count_houses(state: State, group: str) -> list[int]:
    """Count each seat's houses in a group."""
    counts = [0] * len(state.colours)
    for site in state.board.groups[group]:
        if site in state.owners:
            counts[state.owners[site]] += state.houses[site]
    return counts


def holder(counts: Sequence[int], before: int) -> int:
    """Decide who holds the card with these houses, given the holder so far."""
    most = max(counts)
    if before != NOBODY and counts[before] >= FEWEST and counts[before] == most:
        return before
    ahead = [seat for seat, count in enumerate(counts) if count == most]
    return ahead[0] if len(ahead) == 1 and most >= FEWEST else NOBODY
