"""The options in which the four printed rule texts differ, and editions as presets of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from marketpost.rules.refusal import Refused
from marketpost.rules.variant import read_option

HIGHEST_START = 50


class LordArrival(StrEnum):
    """How the lord comes once the bag is empty."""

    AUTOMATIC = "automatic"
    ACTION = "action"


class CoMajority(StrEnum):
    """What crossing a lane costs that several lead in."""

    PAY = "pay"
    FREE = "free"


class BobbyPlacer(StrEnum):
    """Who places the Bobby: the neighbour of the first player, or that player."""

    RIGHT = "right"
    LEFT = "left"
    FIRST = "first"


class NeutralArrival(StrEnum):
    """How a neutral tile comes to a player."""

    OPEN = "open"
    CLOSED = "closed"


class CustomerSupply(StrEnum):
    """Where customers are drawn from."""

    BAG = "bag"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game; the defaults are those of the usual edition."""

    start_score: int = 10
    lord: LordArrival = LordArrival.AUTOMATIC
    co_majority: CoMajority = CoMajority.PAY
    bobby_placer: BobbyPlacer = BobbyPlacer.RIGHT
    neutral_arrives: NeutralArrival = NeutralArrival.OPEN
    customers: CustomerSupply = CustomerSupply.BAG


KINDS: dict[str, type[StrEnum]] = {
    "lord": LordArrival,
    "co_majority": CoMajority,
    "bobby_placer": BobbyPlacer,
    "neutral_arrives": NeutralArrival,
    "customers": CustomerSupply,
}
USUAL_EDITION = "de"
EDITIONS: dict[str, dict[str, Any]] = {
    "de": {},
    "fr": {"lord": LordArrival.ACTION},
    "it": {"lord": LordArrival.ACTION, "start_score": 0},
    "2.0": {
        "lord": LordArrival.ACTION,
        "co_majority": CoMajority.FREE,
        "bobby_placer": BobbyPlacer.LEFT,
        "neutral_arrives": NeutralArrival.CLOSED,
    },
}


def choose(edition: str, options: Mapping[str, object]) -> Options:
    """Build the options of an edition, with those set by hand over them; refused if one does not exist."""
    if edition not in EDITIONS:
        raise Refused("unknown-edition", edition=edition, editions=list(EDITIONS))
    return replace(Options(), **EDITIONS[edition] | {name: _read(name, value) for name, value in options.items()})


def settle(edition: str | None, options: Mapping[str, object]) -> dict[str, Any]:
    """List every option with its value."""
    return asdict(choose(edition or USUAL_EDITION, options))


def by_hand(edition: str, options: Options) -> dict[str, str]:
    """List what a record must state beside the edition."""
    preset = asdict(choose(edition, {}))
    return {name: str(value) for name, value in asdict(options).items() if value != preset[name]}


def unusual(edition: str, options: Options) -> tuple[str, dict[str, str]]:
    """Return the edition if it is not the usual one, and the options that differ from the edition's."""
    return "" if edition == USUAL_EDITION else edition, by_hand(edition, options)


def _read(name: str, value: object) -> StrEnum | int:
    if name != "start_score":
        return read_option(KINDS, name, value, "start_score")
    text = str(value)
    if isinstance(value, bool) or text not in map(str, range(HIGHEST_START + 1)):
        raise Refused("bad-option", option="start_score", value=text[:40], values=[f"0-{HIGHEST_START}"])
    return int(text)
