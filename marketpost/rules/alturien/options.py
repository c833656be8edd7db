"""The options of a game: printed variants, the expansion, and how the table is set up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from marketpost.rules.variant import read_option


class Setup(StrEnum):
    """How the table is set."""

    AUTO = "auto"
    """By chance."""
    MANUAL = "manual"
    """By the players, as printed."""


class Expansion(StrEnum):
    """Whether the expansion is played."""

    OFF = "off"
    ON = "on"


class Variant(StrEnum):
    """Which printed variant is played."""

    NONE = "none"
    LONG_SHORT = "long-short"
    """Longer for up to four players, shorter for more."""


class CustomerStart(StrEnum):
    """Where customers are put at the beginning."""

    GREY = "grey"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game, with the usual values as defaults."""

    setup: Setup = Setup.AUTO
    expansion: Expansion = Expansion.OFF
    variant: Variant = Variant.NONE
    customer_start: CustomerStart = CustomerStart.GREY


KINDS: dict[str, type[StrEnum]] = {"setup": Setup, "expansion": Expansion, "variant": Variant, "customer_start": CustomerStart}


def choose(options: Mapping[str, object]) -> Options:
    """Read options; those that are not named are as usual."""
    chosen: dict[str, Any] = {name: read_option(KINDS, name, value) for name, value in options.items()}
    return Options(**chosen)


def settle(edition: str | None, options: Mapping[str, object]) -> dict[str, str]:
    """List every option with its value; Alturien has one edition."""
    return asdict(choose(options))


def unusual(options: Options) -> dict[str, str]:
    """List the options whose value is not the usual one."""
    usual = asdict(Options())
    return {name: value for name, value in asdict(options).items() if value != usual[name]}


def by_hand(options: Options) -> dict[str, str]:
    """List what a record must state: how the table was set up, and every unusual option."""
    return {"setup": options.setup} | unusual(options)
