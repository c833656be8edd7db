"""Plays steps on a position and remembers the events."""

from marketpost.rules.alturien.events import Event
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import Chance


class Trial:
    """A position that may be changed, and the events that have changed it. To keep the position, give a copy."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        """Apply an event and remember it."""
        event.apply(self.state)
        self.events.append(event)
