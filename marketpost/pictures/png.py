"""Convert our SVG to a small PNG: rendered by resvg, reduced to our colours by Pillow."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from math import isqrt
from pathlib import Path

from font_roboto import Roboto, RobotoBold  # type: ignore[import-untyped]
from PIL import Image, ImageColor
from resvg import render, usvg

from marketpost.rules.svg import PALETTES, WIDTH

IN_LETTERS = 520
"""Width in pixels of pictures in letters: as wide as mail is read, and small enough to send."""
AMONG_SEVERAL = 360
"""Width in pixels of pictures in letters that show several games."""
WIDTHS = (180, 260, 360, 520, 720, 1040)
"""The widths that are drawn; any other becomes the nearest of them, so that caches hold few pictures."""
MOST_PIXELS = 4_000_000
"""Width times height at most: enough for every width and board of ours. A player's own board may be hundreds of times as high as wide."""
SHEET = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
BLENDS = (
    ("ink", "paper"), ("ink", "road"), ("faint", "block"), ("kerb", "road"), ("new", "paper"), ("on-dark", "red"), ("on-dark", "green"),
    ("on-dark", "blue"), ("on-dark", "fuchsia"), ("on-light", "yellow"), ("on-light", "orange"), ("on-light", "grey"),
)  # fmt: skip
"""Colours that meet at most edges; the colour half way between two of them makes the edge smooth."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Draw a picture at this width, or narrower if it would have too many pixels, so that every letter can be sent.

    Cached: a position is drawn once for all who view it in the same language and theme.
    """
    width, (wide, high) = min(width, widest_of(svg)), _size(svg)
    scale = width / wide
    drawn = render(usvg.Tree.from_str(svg, _options()), (scale, 0, 0, 0, scale, 0), bg_size=(width, int(high * scale)))
    stored, image = BytesIO(), Image.open(BytesIO(drawn), formats=["PNG"]).convert("RGB")
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(stored, "PNG")
    return stored.getvalue()


def nearest_width(width: int) -> int:
    """Return the offered width nearest to this one."""
    return min(WIDTHS, key=lambda offered: abs(offered - width))


def pixels_of(svg: str, width: int) -> int:
    """Compute how many pixels the picture has that is drawn in answer to this width."""
    drawn, (wide, high) = min(width, widest_of(svg)), _size(svg)
    return drawn * drawn * high // wide


def widest_of(svg: str) -> int:
    """Compute the greatest width at which the picture has no more than `MOST_PIXELS`."""
    wide, high = _size(svg)
    return max(1, isqrt(MOST_PIXELS * wide // high))


def _size(svg: str) -> tuple[int, int]:
    wide, high = SHEET.findall(svg)[0]
    return int(wide), int(high)


def _options() -> usvg.Options:
    """Return render options with our own fonts, because the machine may have none.

    Made anew for each picture (0.5 ms): they must not be shared between threads.
    """
    options = usvg.Options.default()
    for font in (Roboto, RobotoBold):
        options.load_font_data(Path(font).read_bytes())
    return options


def _palette() -> Image.Image:
    """Return a palette of our colours and blends of them, so that no colour changes and a pixel takes one byte."""
    colours = dict.fromkeys(colour for palette in PALETTES.values() for colour in _colours(palette))
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image


def _colours(palette: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    known = {name: ImageColor.getrgb(colour) for name, colour in palette.items()}
    yield from known.values()
    for one, other in BLENDS:
        yield tuple((a + b) // 2 for a, b in zip(known[one], known[other], strict=True))
