"""SVG of ours as a small PNG."""

import re
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path
from struct import pack

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
BAND = 32
"""Rows that are squeezed apart from all others: from one position to the next many stay as they are."""
KEPT = 3000
"""Bands that are remembered, most of them of a few hundred bytes."""
LINES, PIECES = 1500, 3000
"""Of lines, and of the pieces they are made of, so many are remembered."""
STEP = 256
"""Pictures of about the same height share their pieces."""
LARGEST_SUM = 65521
"""Sums in a file are counted up to it (Adler-32)."""
SPOKEN = re.compile(r"<(title|desc)\b[^>]*>.*?</\1>", re.DOTALL)
"""What is not drawn."""
TAG = re.compile(r"<(?P<ends>/?)[a-zA-Z]+[^>]*?(?P<alone>/?)>")
LOOSE = re.compile(r'<g( (class|pointer-events|data-[a-z]+)="[^"]*")*>')
"""A group that changes nothing of what is in it."""
SHEET = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
TEXT = re.compile(r'<text x="([\d.-]+)" y="([\d.-]+)" font-size="([\d.]+)" font-weight="\w+" text-anchor="(\w+)"[^>]*>([^<]*)</text>')
CIRCLE = re.compile(r'<circle cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"')
RECTANGLE = re.compile(r'<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"')
AROUND = 8
"""More than half of any line around a thing."""
Box = tuple[int, int, int, int]


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Drawn once for all who look at the same position in the same language. Each line of the SVG is something that changes as a whole."""
    opening, *lines, _ = svg.rstrip("\n").split("\n")
    wide, high = _size(opening)
    height = int(high * width / wide)
    tall = -(-high // STEP) * STEP
    shared = SHEET.sub(f'viewBox="0 0 {wide} {tall}"', opening)
    paper, taller = (f'width="{wide}" height="{each}"' for each in (high, tall))
    bands: list[list[Drawn]] = [[] for _ in range(0, height, BAND)]
    for line in lines:
        for drawn in _drawn(shared, _silent(line).replace(paper, taller), width):
            for band in bands[drawn.top // BAND : drawn.bottom // BAND + 1]:
                band.append(drawn)
    tops = range(0, height, BAND)
    rows = [_squeezed(tuple(band), top, width, min(BAND, height - top)) for top, band in zip(tops, bands, strict=True)]
    return _file(width, height, rows)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Part of a picture, where it goes. What has one colour is that colour alone: paper is large."""

    colours: Image.Image | tuple[int, ...]
    mask: Image.Image | None
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A band as it stands in a file, and what the end of the file must know of it."""

    chunk: bytes
    checksum: int
    size: int


@lru_cache(maxsize=KEPT)
def _squeezed(parts: tuple[Drawn, ...], top: int, width: int, height: int) -> Squeezed:
    """In the format of a file every row begins with a nought, so the sheet has a column more."""
    sheet = Image.new("RGB", (1 + width, height))
    for part in parts:
        sheet.paste(part.colours, (1 + part.left, part.top - top, 2 + part.right, 1 + part.bottom - top), part.mask)
    known = sheet.quantize(palette=_palette(), dither=Image.Dither.NONE)
    known.paste(0, (0, 0, 1, height))
    rows = known.tobytes()
    squeeze = zlib.compressobj(EASY, wbits=-zlib.MAX_WBITS, memLevel=9)
    return Squeezed(_chunk(b"IDAT", squeeze.compress(rows) + squeeze.flush(zlib.Z_FULL_FLUSH)), zlib.adler32(rows), len(rows))


forget_rows = _squeezed.cache_clear


def _file(width: int, height: int, bands: Sequence[Squeezed]) -> bytes:
    """As PNG demands it: the bands are parts of one stream, at whose end is a checksum of all of it, put together from theirs."""
    low, high = 1, 0
    for band in bands:
        high = (high + (band.checksum >> 16) + band.size * (low - 1)) % LARGEST_SUM
        low = (low + (band.checksum & 0xFFFF) - 1) % LARGEST_SUM
    head = _chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    ending = _chunk(b"IDAT", b"\x03\x00" + pack(">HH", high, low))
    return b"".join([b"\x89PNG\r\n\x1a\n", head, _colour_table(), BEGINNING, *(band.chunk for band in bands), ending, _chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


BEGINNING = _chunk(b"IDAT", b"\x78\x01")


@lru_cache(maxsize=KEPT)
def _silent(line: str) -> str:
    """Without what is not drawn, and then the same in every language."""
    return SPOKEN.sub("", line)


@lru_cache(maxsize=LINES)
def _drawn(opening: str, line: str, width: int) -> tuple[Drawn, ...]:
    return tuple(piece for each in taken_apart(line) if (piece := _piece(opening, each, width)))


def taken_apart(line: str) -> list[str]:
    """What a line draws, piece by piece in its order."""
    pieces, depth, start = [], 0, 0
    for tag in TAG.finditer(line):
        if depth == 0 and (tag["ends"] or LOOSE.fullmatch(tag[0])):
            continue
        start = start if depth else tag.start()
        depth += 0 if tag["alone"] else -1 if tag["ends"] else 1
        if depth == 0:
            pieces.append(line[start : tag.end()])
    return pieces


@lru_cache(maxsize=PIECES)
def _piece(opening: str, piece: str, width: int) -> Drawn | None:
    """What changes is mostly made of pieces that were seen before, elsewhere or earlier."""
    tree = usvg.Tree.from_str(f"{opening}{piece}</svg>", _options())
    wide, high = _size(opening)
    scale = width / wide
    found = _written(piece, scale) or _plain(piece, scale) or _seen(tree, scale, (width, int(high * scale)))
    left, top, right, bottom = max(0, found[0]), max(0, found[1]), min(width, found[2]), min(int(high * scale), found[3])
    if right <= left or bottom <= top:
        return None
    image = _render(tree, scale, (left, top), (right - left, bottom - top))
    box = image.getchannel("A").getbbox()
    return _put(image.crop(box), left + box[0], top + box[1]) if box else None


def _put(image: Image.Image, left: int, top: int) -> Drawn:
    mask, shown = image.getchannel("A"), image.convert("RGB")
    colour = shown.getpixel((0, 0)) if shown.getcolors(1) else None
    whole = mask.getextrema() == (255, 255)
    colours = colour if whole and isinstance(colour, tuple) else shown
    return Drawn(colours, None if whole else mask, left, top, left + image.width - 1, top + image.height - 1)


def _written(piece: str, scale: float) -> Box | None:
    """Where a text is, if it is one: no sign is broader than it is high."""
    if not (found := TEXT.fullmatch(piece)):
        return None
    x, y, size = (float(number) * scale for number in found.groups()[:3])
    long = size * (1 + len(found[5]))
    before = {"start": size, "middle": long / 2, "end": long}[found[4]]
    return int(x - before), int(y - 1.2 * size), int(x - before + long + size), int(y + 0.5 * size) + 1


def _plain(piece: str, scale: float) -> Box | None:
    """Where a circle or a rectangle is, if it is one; a line around it is a few units broad."""
    if not (found := CIRCLE.match(piece) or RECTANGLE.match(piece)):
        return None
    x, y, *sizes = map(float, found.groups())
    corners = (x - sizes[0], y - sizes[0], x + sizes[0], y + sizes[0]) if len(sizes) == 1 else (x, y, x + sizes[0], y + sizes[1])
    left, top, right, bottom = (edge * scale for edge in corners)
    around = AROUND * scale
    return int(left - around), int(top - around), int(right + around) + 1, int(bottom + around) + 1


def _seen(tree: usvg.Tree, scale: float, size: tuple[int, int]) -> Box:
    """Drawn small, to see where anything is at all."""
    rough = _render(tree, scale / ROUGH, (0, 0), (size[0] // ROUGH + 1, size[1] // ROUGH + 1))
    left, top, right, bottom = rough.getchannel("A").getbbox() or (1, 1, -1, -1)
    return (left - 1) * ROUGH, (top - 1) * ROUGH, (right + 1) * ROUGH, (bottom + 1) * ROUGH


def _render(tree: usvg.Tree, scale: float, corner: tuple[int, int], size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(render(tree, (scale, 0, -corner[0], 0, scale, -corner[1]), bg_size=size)), formats=["PNG"])


@lru_cache(maxsize=KEPT)
def _size(opening: str) -> tuple[int, int]:
    return usvg.Tree.from_str(f"{opening}</svg>", _options()).int_size()


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


@cache
def _colour_table() -> bytes:
    return _chunk(b"PLTE", bytes(_palette().getpalette() or ()))


def _colours(palette: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    known = {name: ImageColor.getrgb(colour) for name, colour in palette.items()}
    yield from known.values()
    for (one, other), part in product(BLENDS, SHADES):
        yield tuple(round(a + part * (b - a)) for a, b in zip(known[one], known[other], strict=True))
