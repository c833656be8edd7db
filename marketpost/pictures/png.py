"""SVG of ours as a small PNG: one render by resvg, one reduction to our colours by Pillow."""

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
"""Pixels: as wide as a mail is read, and small enough to be sent."""
WIDTHS = (180, 260, 360, 520, 720, 1040)
"""Those that are drawn: what is asked for becomes the nearest of them, so that few different pictures are made."""
MOST_PIXELS = 4_000_000
"""Width times height: any width we offer of the boards we bring. A board of a player's own can be hundreds of times as high as wide."""
SHEET = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
BLENDS = (
    ("ink", "paper"), ("ink", "road"), ("faint", "block"), ("kerb", "road"), ("new", "paper"), ("on-dark", "red"), ("on-dark", "green"),
    ("on-dark", "blue"), ("on-dark", "fuchsia"), ("on-light", "yellow"), ("on-light", "orange"), ("on-light", "grey"),
)  # fmt: skip
"""What meets at most edges. The colour half way between makes them smooth."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Draw a picture of that width, or as wide as it may be: a letter is sent whatever the board.

    Cached: a position is drawn once for all who look at it in the same language and theme.
    """
    width, (wide, high) = min(width, widest_of(svg)), _size(svg)
    scale = width / wide
    drawn = render(usvg.Tree.from_str(svg, _options()), (scale, 0, 0, 0, scale, 0), bg_size=(width, int(high * scale)))
    stored, image = BytesIO(), Image.open(BytesIO(drawn), formats=["PNG"]).convert("RGB")
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(stored, "PNG")
    return stored.getvalue()


def nearest_width(width: int) -> int:
    return min(WIDTHS, key=lambda offered: abs(offered - width))


def pixels_of(svg: str, width: int) -> int:
    """Compute how many pixels the picture has that is drawn in answer to this width."""
    drawn, (wide, high) = min(width, widest_of(svg)), _size(svg)
    return drawn * drawn * high // wide


def widest_of(svg: str) -> int:
    """The greatest width at which the picture has no more than `MOST_PIXELS`."""
    wide, high = _size(svg)
    return max(1, isqrt(MOST_PIXELS * wide // high))


def _size(svg: str) -> tuple[int, int]:
    wide, high = SHEET.findall(svg)[0]
    return int(wide), int(high)


def _options() -> usvg.Options:
    """Fonts that came with us, for the machine may have none. Made anew each time (0.5 ms): they must not go from one thread to another."""
    options = usvg.Options.default()
    for font in (Roboto, RobotoBold):
        options.load_font_data(Path(font).read_bytes())
    return options


def _palette() -> Image.Image:
    """Our own colours and little else: none becomes another one, and a pixel takes one byte."""
    colours = dict.fromkeys(colour for palette in PALETTES.values() for colour in _colours(palette))
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image


def _colours(palette: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    known = {name: ImageColor.getrgb(colour) for name, colour in palette.items()}
    yield from known.values()
    for one, other in BLENDS:
        yield tuple((a + b) // 2 for a, b in zip(known[one], known[other], strict=True))
