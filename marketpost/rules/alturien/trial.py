"""Plays one submission on a copy of the position."""

from marketpost.rules.alturien.events import Event
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import Chance


class Trial:
    """A copy of the position, and the events that have changed it."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state.copy()
        self.chance = chance
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        """Apply an event and remember it."""
        event.apply(self.state)
        self.events.append(event)
