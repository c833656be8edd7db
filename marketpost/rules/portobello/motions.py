"""Lists the ways of the Bobby."""

from collections.abc import Sequence

from marketpost.rules.motion import Motion
from marketpost.rules.portobello.events import BobbyMoved, Event
from marketpost.rules.portobello.state import State


def motions(state: State, events: Sequence[Event]) -> list[Motion]:
    """List the districts that the Bobby crossed, for each time it was moved; all other pieces stay where they are put."""
    return [Motion("B", "bobby", tuple(map(str, event.route))) for event in events if isinstance(event, BobbyMoved)]
