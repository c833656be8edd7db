"""SVG of ours as a small PNG."""

import threading
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path

from font_roboto import Roboto, RobotoBold  # type: ignore[import-untyped]
from PIL import Image, ImageColor
from resvg import render, usvg

from rules.svg import PALETTES, WIDTH

BLENDS = (
    ("ink", "paper"), ("ink", "road"), ("faint", "block"), ("kerb", "road"), ("new", "paper"), ("on-dark", "red"), ("on-dark", "green"),
    ("on-dark", "blue"), ("on-dark", "fuchsia"), ("on-light", "yellow"), ("on-light", "orange"), ("on-light", "grey"),
)  # fmt: skip
"""What meets at most edges. A shade between them makes edges smooth."""
SHADES = (0.5,)


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Drawn once for all who look at the same position in the same language."""
    tree = usvg.Tree.from_str(svg, _options())
    scale = width / tree.int_size()[0]
    drawn = render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, int(tree.int_size()[1] * scale)))
    stored = BytesIO()
    Image.open(BytesIO(drawn)).convert("RGB").quantize(palette=_palette(), dither=Image.Dither.NONE).save(stored, "PNG")
    return stored.getvalue()


_each_thread = threading.local()


def _options() -> usvg.Options:
    """With a font that came with us, for the machine may have none. They must not go from one thread to another."""
    if not hasattr(_each_thread, "options"):
        _each_thread.options = usvg.Options.default()
        for file in (Roboto, RobotoBold):
            _each_thread.options.load_font_data(Path(file).read_bytes())
    found: usvg.Options = _each_thread.options
    return found


@cache
def _palette() -> Image.Image:
    """Our own colours and little else: a third of the bytes, and found in no time."""
    colours = [part for palette in PALETTES.values() for colour in _colours(palette) for part in colour]
    image = Image.new("P", (1, 1))
    image.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
    return image


def _colours(palette: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    known = {name: ImageColor.getrgb(colour) for name, colour in palette.items()}
    yield from known.values()
    for (one, other), part in product(BLENDS, SHADES):
        yield tuple(round(a + part * (b - a)) for a, b in zip(known[one], known[other], strict=True))
