"""What the players agree on: the printed variants, the expansion, and how the table is set."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from marketpost.rules.refusal import Refused


@dataclass(frozen=True, slots=True)
class Options:
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
    for name, value in options.items():
        _check(name, value)
    return Options(**{name: str(value) for name, value in options.items()})


def settle(edition: str | None, options: Mapping[str, object]) -> dict[str, str]:
    """Every option with its value; there is one edition."""
    return asdict(choose(options))


def unusual(options: Options) -> dict[str, str]:
    usual = asdict(Options())
    return {name: value for name, value in asdict(options).items() if value != usual[name]}


def by_hand(options: Options) -> dict[str, str]:
    """What a record must say: how the table was set, and whatever is not as usual."""
    return {"setup": options.setup} | unusual(options)


def _check(name: str, value: object) -> None:
    if name not in CHOICES:
        raise Refused("unknown-option", option=name, options=list(CHOICES))
    if value not in CHOICES[name]:
        raise Refused("bad-option", option=name, value=str(value)[:40], values=CHOICES[name])
