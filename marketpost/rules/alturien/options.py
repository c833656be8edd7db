"""The options of a game: printed variants, the expansion, and how the table is set up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from marketpost.rules.refusal import Refused


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game, with the usual values as defaults."""

    setup: str = "auto"
    expansion: str = "off"
    variant: str = "none"
    customer_start: str = "grey"


CHOICES: dict[str, list[str]] = {
    "setup": ["auto", "manual"],
    "expansion": ["off", "on"],
    "variant": ["none", "long-short"],
    "customer_start": ["grey", "plain"],
}


def choose(options: Mapping[str, object]) -> Options:
    """Build the options from values set by hand; refused if one does not exist."""
    for name, value in options.items():
        _check(name, value)
    return Options(**{name: str(value) for name, value in options.items()})


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


def _check(name: str, value: object) -> None:
    if name not in CHOICES:
        raise Refused("unknown-option", option=name, options=list(CHOICES))
    if value not in CHOICES[name]:
        raise Refused("bad-option", option=name, value=str(value)[:40], values=CHOICES[name])
