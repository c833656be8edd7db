"""A piece that travelled over the board, for pages that show its way."""

from typing import NamedTuple


class Motion(NamedTuple):
    """A piece as the picture of a board shows it, and the places along its way, from where it stood to where it stands."""

    letter: str
    colour: str
    """Its colour in the palette of `rules.svg`."""
    places: tuple[str, ...]
    """Spelt as the picture spells them."""
