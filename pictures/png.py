"""SVG of ours as a small PNG."""

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
EASY = 4
"""How hard a picture is squeezed: a tenth larger than it might be, in half the time."""
ROUGH = 8
"""How much smaller a piece is drawn to see where it is."""
KEPT = 5000
"""Pieces that are remembered, most of them of a kilobyte or two."""
SPOKEN = re.compile(r"<(title|desc)\b[^>]*>.*?</\1>", re.DOTALL)
"""What is not drawn."""
TAG = re.compile(r"<(?P<ends>/?)[a-zA-Z]+[^>]*?(?P<alone>/?)>")
LOOSE = re.compile(r'<g( (class|pointer-events|data-[a-z]+)="[^"]*")*>')
"""A group that changes nothing of what is in it."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Drawn once for all who look at the same position in the same language."""
    opening, pieces = taken_apart(svg)
    sheet = Image.new("RGB", _size(opening, width))
    for piece in pieces:
        if drawn := _drawn(opening, piece, width):
            sheet.paste(drawn.colours, drawn.at, drawn.mask)
    stored = BytesIO()
    sheet.quantize(palette=_palette(), dither=Image.Dither.NONE).save(stored, "PNG", compress_level=EASY)
    return stored.getvalue()


def taken_apart(svg: str) -> tuple[str, list[str]]:
    """The opening of a document, with what holds for all of it, and what it draws, piece by piece in its order."""
    plain = SPOKEN.sub("", svg)
    opening = plain[: plain.index(">", plain.index("<svg")) + 1]
    pieces, depth, start = [], 0, 0
    for tag in TAG.finditer(plain, len(opening)):
        if depth == 0 and (tag["ends"] or LOOSE.fullmatch(tag[0])):
            continue
        start = start if depth else tag.start()
        depth += 0 if tag["alone"] else -1 if tag["ends"] else 1
        if depth == 0:
            pieces.append(plain[start : tag.end()])
    style = [piece for piece in pieces if piece.startswith(("<style", "<defs"))]
    return opening + "".join(style), [piece for piece in pieces if piece not in style]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A piece of a picture, and where its upper left corner goes."""

    colours: Image.Image
    mask: Image.Image | None
    at: tuple[int, int]


@lru_cache(maxsize=KEPT)
def _drawn(opening: str, piece: str, width: int) -> Drawn | None:
    """From one position to the next most of a board stays as it is. Drawn small at first, to see where anything is at all."""
    tree = usvg.Tree.from_str(f"{opening}{piece}</svg>", _options())
    size, scale = _size(opening, width), width / tree.int_size()[0]
    rough = _render(tree, scale / ROUGH, (0, 0), (size[0] // ROUGH + 1, size[1] // ROUGH + 1))
    found = rough.getchannel("A").getbbox()
    if found is None:
        return None
    left, top = (max(0, (edge - 1) * ROUGH) for edge in found[:2])
    right, bottom = (min(most, (edge + 1) * ROUGH) for edge, most in zip(found[2:], size, strict=True))
    image = _render(tree, scale, (left, top), (right - left, bottom - top))
    box = image.getchannel("A").getbbox() or (0, 0, 1, 1)
    image = image.crop(box)
    mask = image.getchannel("A")
    return Drawn(image.convert("RGB"), None if mask.getextrema() == (255, 255) else mask, (left + box[0], top + box[1]))


def _render(tree: usvg.Tree, scale: float, corner: tuple[int, int], size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(render(tree, (scale, 0, -corner[0], 0, scale, -corner[1]), bg_size=size)))


@lru_cache(maxsize=KEPT)
def _size(opening: str, width: int) -> tuple[int, int]:
    wide, high = usvg.Tree.from_str(f"{opening}</svg>", _options()).int_size()
    return width, int(high * width / wide)


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
