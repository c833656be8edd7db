"""Plays one submission on a copy of the position."""

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.events import Event
from marketpost.rules.portobello.orders import Step
from marketpost.rules.portobello.state import State


class Trial:
    """A copy of the position, and the events that have changed it."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state.copy()
        self.chance = chance
        self.events: list[Event] = []
        self.steps: list[Step] = []
        """Those of the branch that applies follow when a `customer` was looked at."""
        self.number = 0
        """Which step is being played, counted from 1."""
        self.ended = False
        self.standing = 0
        """How many events stay if a later step is refused."""
        self.standing_steps = 0

    def happen(self, event: Event) -> None:
        """Apply an event and remember it."""
        event.apply(self.state)
        self.events.append(event)
