"""The options in which the four printed rule texts differ, and editions as presets of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from marketpost.rules.refusal import Refused


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game, with the usual values as defaults."""

    start_score: int = 10
    lord: str = "automatic"
    co_majority: str = "pay"
    bobby_placer: str = "right"
    neutral_arrives: str = "open"
    customers: str = "bag"


USUAL_EDITION = "de"
EDITIONS: dict[str, dict[str, Any]] = {
    "de": {},
    "fr": {"lord": "action"},
    "it": {"lord": "action", "start_score": 0},
    "2.0": {"lord": "action", "co_majority": "free", "bobby_placer": "left", "neutral_arrives": "closed"},
}
CHOICES: dict[str, list[str]] = {
    "start_score": [str(score) for score in range(51)],
    "lord": ["automatic", "action"],
    "co_majority": ["pay", "free"],
    "bobby_placer": ["right", "left", "first"],
    "neutral_arrives": ["open", "closed"],
    "customers": ["bag", "queue"],
}


def choose(edition: str, options: Mapping[str, object]) -> Options:
    """Build the options of an edition, with those set by hand over them; refused if one does not exist."""
    if edition not in EDITIONS:
        raise Refused("unknown-edition", edition=edition, editions=list(EDITIONS))
    for name, value in options.items():
        _check(name, value)
    return replace(Options(), **EDITIONS[edition] | {name: _typed(name, value) for name, value in options.items()})


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


def _check(name: str, value: object) -> None:
    if name not in CHOICES:
        raise Refused("unknown-option", option=name, options=list(CHOICES))
    if isinstance(value, bool) or str(value) not in CHOICES[name]:
        values = ["0-50"] if name == "start_score" else CHOICES[name]
        raise Refused("bad-option", option=name, value=str(value)[:40], values=values)


def _typed(name: str, value: object) -> str | int:
    return int(str(value)) if name == "start_score" else str(value)
