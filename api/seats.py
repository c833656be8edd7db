"""Turn the seats of a request into seat plans."""

from collections.abc import Sequence
from typing import Any

from marketpost.play.log.actions import SeatPlan
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused


def plan(ports: Ports, host: str, seats: Sequence[tuple[str, Any]], *, join_later: bool = False) -> list[SeatPlan]:
    """Plan the seats of a new game; a host who wants to join later has a seat kept.

    That an address belongs to a player who is also invited by id is not noticed: the refusal would tell whose it is.
    """
    planned = [_seat(ports, host, kind, of) for kind, of in seats]
    if join_later:
        planned = [SeatPlan(invited=host) if seat.player == host else seat for seat in planned]
    own = ports.players.find(host)
    asked = [seat.invited.casefold() for seat in planned if seat.invited]
    invited = [host if own and own.owns(each) else each for each in asked]
    if len(set(invited)) < len(invited) or (host in invited and SeatPlan(player=host) in planned):
        raise Refused("seat-twice")
    return planned


def heir(ports: Ports, told: dict[str, str]) -> SeatPlan:
    """Return the seat plan of the player or bot that takes a seat over."""
    [(kind, of)] = told.items()
    return _seat(ports, "", kind, of)


def _seat(ports: Ports, host: str, kind: str, of: Any) -> SeatPlan:
    """Turn one seat of a request into a seat plan."""
    match kind:
        case "me":
            return SeatPlan(player=host)
        case "email":
            return SeatPlan(invited=of)
        case "player":
            return SeatPlan(invited=_known(ports, of))
        case "bot":
            return SeatPlan(bot=of)
        case _:
            return SeatPlan()


def _known(ports: Ports, player: str) -> str:
    if ports.players.find(player) is None:
        raise Refused("no-such-player")
    return player
