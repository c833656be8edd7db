"""SVG of ours as a small PNG."""

import threading
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from font_roboto import Roboto, RobotoBold  # type: ignore[import-untyped]
from PIL import Image
from resvg import render, usvg

from rules.svg import WIDTH

COLOURS = 64
"""A map needs few, and a mail is the smaller for it."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Drawn once for all who look at the same position in the same language."""
    tree = usvg.Tree.from_str(svg, _options())
    scale = width / tree.int_size()[0]
    height = round(tree.int_size()[1] * scale)
    drawn = render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, height))
    small = Image.open(BytesIO(drawn)).convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    stored = BytesIO()
    small.save(stored, "PNG")
    return stored.getvalue()


_each = threading.local()


def _options() -> usvg.Options:
    """With a font that came with us: the machine may have none. Each thread has its own."""
    if not hasattr(_each, "options"):
        _each.options = usvg.Options.default()
        for file in (Roboto, RobotoBold):
            _each.options.load_font_data(Path(file).read_bytes())
    found: usvg.Options = _each.options
    return found
