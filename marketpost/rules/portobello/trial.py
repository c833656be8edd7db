"""Plays steps on a position and remembers the events."""

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.events import Event
from marketpost.rules.portobello.options import CustomerSupply
from marketpost.rules.portobello.orders import Step
from marketpost.rules.portobello.state import State


class Trial:
    """A position that may be changed, and the events that have changed it. To keep the position, give a copy."""

    __slots__ = ("chance", "ended", "events", "looked", "number", "standing", "standing_steps", "state", "steps")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
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
        self.looked = 0
        """The number of the step that drew a customer without saying where it goes; 0 if there was none."""

    def happen(self, event: Event) -> None:
        """Apply an event and remember it."""
        event.apply(self.state)
        self.events.append(event)

    def keep(self) -> None:
        """Let everything so far stay, whatever becomes of later steps: chance has shown what was hidden."""
        if self.state.options.customers != CustomerSupply.QUEUE:
            self.standing, self.standing_steps = len(self.events), self.number
