"""One submission being played out on a position of its own."""

from marketpost.rules.alturien.events import Event
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import Chance


class Trial:
    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state.copy()
        self.chance = chance
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        event.apply(self.state)
        self.events.append(event)
