"""How often one may ask: the usual limits, and those that an operator sets over them."""

from limits import parse_many

USUAL = {"player": "600/minute", "address": "60/minute", "codes": "5/hour"}
"""`player`: any call with a token, or from one address without. `address`: registering and signing in. `codes`: for one mail address."""


def read_rates(text: str) -> dict[str, str]:
    """The usual limits, with these over them; none when they are `off`. A ValueError says which is none."""
    if text.strip() == "off":
        return {}
    return USUAL | dict(_rate(pair) for pair in text.split(",") if pair.strip())


def _rate(pair: str) -> tuple[str, str]:
    name, _, limit = (part.strip() for part in pair.partition("="))
    if name not in USUAL:
        raise ValueError(f"{pair.strip()!r} limits none of {', '.join(USUAL)}")
    try:
        parse_many(limit)
    except ValueError as error:
        raise ValueError(f"{limit!r} is no limit") from error
    return name, limit
