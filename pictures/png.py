"""SVG of ours as a small PNG."""

import re
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import unescape
from io import BytesIO
from itertools import accumulate, product
from pathlib import Path
from struct import pack
from typing import Any

from font_roboto import Roboto, RobotoBold  # type: ignore[import-untyped]
from PIL import Image, ImageColor, ImageFont
from resvg import render, usvg

from rules.svg import PALETTES, WIDTH

BLENDS = (
    ("ink", "paper"), ("ink", "road"), ("faint", "block"), ("kerb", "road"), ("new", "paper"), ("on-dark", "red"), ("on-dark", "green"),
    ("on-dark", "blue"), ("on-dark", "fuchsia"), ("on-light", "yellow"), ("on-light", "orange"), ("on-light", "grey"),
)  # fmt: skip
"""What meets at most edges. A shade between them makes edges smooth."""
SHADES = (0.5,)
EASY = 3
"""How hard a picture is squeezed: a sixth larger than it might be, in half the time."""
ROUGH, LOST = 4, 3
"""How much smaller a piece is drawn to see where it is, and how many pixels of it may then be too faint to be seen."""
BAND = 24
"""Rows that are squeezed apart from all others: from one position to the next many stay as they are."""
CELL = 65
"""Pixels of a band that are painted together: where a band is new, most of it was seen before."""
CELLS = 2000
"""So many of these are remembered, of fifteen hundred bytes each."""
KEPT = 2000
"""Bands that are remembered, each of one or two thousand bytes."""
LINES, PIECES, SHAPES = 1500, 3500, 1500
"""Of lines, of the pieces they are made of, and of what these look like wherever they stand, so many are remembered."""
STEP = 256
"""Heights of sheets."""
IN_LETTERS = 520
"""Pixels: as broad as a mail is read, and small enough to be sent."""
USUAL = (IN_LETTERS, WIDTH)
"""What pictures of other widths are made of is not kept: that of a large one takes a hundred million bytes, and each width has its own."""
LARGEST_SUM = 65521
"""Sums in a file are counted up to it (Adler-32)."""
SPOKEN = re.compile(r"<(title|desc)\b[^>]*>.*?</\1>", re.DOTALL)
"""What is not drawn."""
TAG = re.compile(r"<(?P<ends>/?)[a-zA-Z]+[^>]*?(?P<alone>/?)>")
LOOSE = re.compile(r'<g( (class|pointer-events|data-[a-z]+)="[^"]*")*>')
"""A group that changes nothing of what is in it."""
SHEET = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
TEXT = re.compile(
    r'<text x="[^"]*" y="[^"]*" font-size="([^"]*)" font-weight="(\w+)" text-anchor="(\w+)" [^>]*fill="([^"]*)">([^<]*)</text>'
)
CIRCLE = re.compile(r'<circle cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"')
RECTANGLE = re.compile(r'<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"')
AROUND = 8
"""More than half of any line around a thing."""
PLACED = re.compile(
    r'(<(?:text|rect) x="|<circle cx="|<path d="[^"]*" transform="translate\(|<g transform="translate\()([\d.-]+)(" c?y="| )([\d.-]+)'
)
"""Something that is the same wherever it stands."""
FINE = 4
"""So much larger are letters drawn first."""
SIGNS = 2000
"""Of letters in a size, so many are remembered."""
FONTS = {"normal": Roboto, "bold": RobotoBold}
ROOM = 2 * WIDTH
"""Broad and high enough for everything that is drawn apart from its place, from the middle in all directions."""
Box = tuple[int, int, int, int]
Core = Any
"""An image without the care that Pillow takes of it, which costs more than to draw something small."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Drawn once for all who look at the same position in the same language."""
    try:
        return _png(svg, width)
    finally:
        if width not in USUAL:
            forget()


def _png(svg: str, width: int) -> bytes:
    """Each line of the SVG is something that changes as a whole."""
    wide, high = _size(svg[: svg.index("\n")])
    height = int(high * width / wide)
    opening, *lines, _ = _taller(svg, wide, high).rstrip("\n").split("\n")
    bands: list[list[Drawn]] = [[] for _ in range(-(-height // BAND))]
    for line in filter(None, lines):
        for number, parts in _spread(opening, line, width):
            if number < len(bands):
                bands[number] += parts
    return _file(width, height, [_band(tuple(parts), number * BAND, width, height) for number, parts in enumerate(bands)])


def _taller(svg: str, wide: int, high: int) -> str:
    """Its sheet and its paper, so that pictures of about the same height share what is on them."""
    tall = -(-high // STEP) * STEP
    paper = f'width="{wide}" height="{high}"', f'width="{wide}" height="{tall}"'
    return SHEET.sub(f'viewBox="0 0 {wide} {tall}"', svg, 1).replace(*paper, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Part of a picture, where it goes. What has one colour is that colour alone: paper is large."""

    colours: Core | tuple[int, ...]
    mask: tuple[Core, ...]
    """One, or none where all of it is seen."""
    left: int
    top: int
    right: int
    bottom: int

    def paste(self, sheet: Core, left: int, top: int) -> None:
        """Onto a sheet that begins there."""
        sheet.paste(self.colours, (self.left - left, self.top - top, 1 + self.right - left, 1 + self.bottom - top), *self.mask)

    def within(self, top: int) -> "Drawn | None":
        """What is seen of it in the band that begins there."""
        if not self.mask:
            return self
        first, last = max(self.top, top), min(self.bottom, top + BAND - 1)
        rows = (0, first - self.top, 1 + self.right - self.left, 1 + last - self.top)
        mask = self.mask[0].crop(rows)
        if not (box := mask.getbbox()):
            return None
        colours = self.colours if isinstance(self.colours, tuple) else self.colours.crop(rows).crop(box)
        return _drawn(colours, mask.crop(box), self.left + box[0], first + box[1])

    def moved(self, right: int, down: int) -> "Drawn":
        return Drawn(self.colours, self.mask, self.left + right, self.top + down, self.right + right, self.bottom + down)


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A band as it stands in a file, and what the end of the file must know of it."""

    chunk: bytes
    checksum: int
    size: int


@lru_cache(maxsize=KEPT)
def _band(parts: tuple[Drawn, ...], top: int, width: int, height: int) -> Squeezed:
    """In the format of a file every row begins with a nought."""
    high = min(BAND, height - top)
    cells: list[list[Drawn]] = [[] for _ in range(0, width, CELL)]
    for part in parts:
        for cell in cells[max(0, part.left) // CELL : part.right // CELL + 1]:
            cell.append(part)
    sheet = Image.new("L", (1 + width, high))
    for left, cell in zip(range(0, width, CELL), cells, strict=True):
        sheet.im.paste(_cell(tuple(cell), left, top, high), (1 + left, 0, 1 + left + CELL, high))
    rows = sheet.tobytes()
    return Squeezed(_chunk(b"IDAT", _squeezed(rows)), zlib.adler32(rows), len(rows))


@lru_cache(maxsize=CELLS)
def _cell(parts: tuple[Drawn, ...], left: int, top: int, high: int) -> Core:
    """Each pixel is a number in the table of colours."""
    sheet = Image.new("RGB", (CELL, high)).im
    for part in parts:
        part.paste(sheet, left, top)
    return sheet.convert("P", Image.Dither.NONE, _palette().im)


def _squeezed(rows: bytes) -> bytes:
    """What is flushed out leaves nothing behind: one squeezer does for all bands, and with no more memory than a band needs is faster."""
    squeezer = _each_thread.__dict__.pop("squeezer", None) or zlib.compressobj(EASY, wbits=-14, memLevel=5)
    found: bytes = squeezer.compress(rows) + squeezer.flush(zlib.Z_FULL_FLUSH)
    # A job that takes too long is broken off anywhere: whoever comes next must not get a squeezer with half a band in it.
    _each_thread.squeezer = squeezer
    return found


def forget_rows() -> None:
    _band.cache_clear()
    _cell.cache_clear()


def forget() -> None:
    """All that was drawn, down to its letters."""
    forget_rows()
    for drawn in (_spread, _cut, _shape, _written, _sign):
        drawn.cache_clear()


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


@lru_cache(maxsize=LINES)
def _spread(opening: str, line: str, width: int) -> tuple[tuple[int, list[Drawn]], ...]:
    """What a line draws in which bands."""
    bands: dict[int, list[Drawn]] = {}
    for piece in taken_apart(SPOKEN.sub("", line)):
        for number, part in _cut(opening, piece, width):
            bands.setdefault(number, []).append(part)
    return tuple(bands.items())


@lru_cache(maxsize=PIECES)
def _cut(opening: str, piece: str, width: int) -> tuple[tuple[int, Drawn], ...]:
    """A piece, band by band."""
    drawn = _piece(opening, piece, width)
    bands = range(max(0, drawn.top // BAND), drawn.bottom // BAND + 1) if drawn else ()
    return tuple((number, part) for number in bands if drawn and (part := drawn.within(number * BAND)))


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


def _piece(opening: str, piece: str, width: int) -> Drawn | None:
    """What changes is mostly made of pieces that were seen before, elsewhere or earlier. A place is a whole pixel."""
    wide, high = _size(opening)
    scale = width / wide
    if not (found := PLACED.match(piece)) or _is_large(piece):
        return _shape(opening, piece, scale, (width, int(high * scale)))
    right, down = (round(float(place) * scale) for place in (found[2], found[4]))
    if text := TEXT.fullmatch(piece):
        written = _written(unescape(text[5]), float(text[1]) * scale, *text.group(2, 3, 4))
        return written.moved(right, down) if written else None
    middle = ROOM // 2
    alone = f"{found[1]}{middle}{found[3]}{middle}{piece[found.end() :]}"
    shape = _shape(SHEET.sub(f'viewBox="0 0 {ROOM} {ROOM}"', opening), alone, scale, (int(ROOM * scale), int(ROOM * scale)))
    return shape.moved(right - round(middle * scale), down - round(middle * scale)) if shape else None


def _is_large(piece: str) -> bool:
    found = RECTANGLE.match(piece)
    return found is not None and max(float(found[3]), float(found[4])) > WIDTH


@lru_cache(maxsize=SHAPES)
def _shape(opening: str, piece: str, scale: float, size: tuple[int, int]) -> Drawn | None:
    tree = usvg.Tree.from_str(f"{opening}{piece}</svg>", _options())
    found = _plain(piece, scale) or _seen(tree, scale, size)
    left, top, right, bottom = max(0, found[0]), max(0, found[1]), min(size[0], found[2]), min(size[1], found[3])
    if right <= left or bottom <= top:
        return None
    image = _render(tree, scale, (left, top), (right - left, bottom - top))
    box = image.getchannel("A").getbbox()
    return _put(image.crop(box), left + box[0], top + box[1]) if box else None


@lru_cache(maxsize=SHAPES)
def _written(text: str, size: float, weight: str, anchor: str, colour: str) -> Drawn | None:
    """A text, around where it stands: letters are drawn faster from their font than from SVG, and finer if larger first."""
    signs = [_sign(sign, weight, size * FINE) for sign in text]
    ends = list(accumulate((sign.advance for sign in signs), initial=0))
    start = {"start": 0, "middle": -((ends[-1] + 1) // 2), "end": -ends[-1]}[anchor]
    inked = [sign.ink.moved(start + along, 0) for sign, along in zip(signs, ends, strict=False) if sign.ink]
    if not inked:
        return None
    left, top = min(ink.left for ink in inked) // FINE, min(ink.top for ink in inked) // FINE
    right, bottom = max(ink.right for ink in inked) // FINE, max(ink.bottom for ink in inked) // FINE
    sheet = Image.new("L", ((right - left + 1) * FINE, (bottom - top + 1) * FINE))
    for ink in inked:
        ink.paste(sheet.im, left * FINE, top * FINE)
    return Drawn(ImageColor.getrgb(colour), (sheet.reduce(FINE).im,), left, top, right, bottom)


@dataclass(frozen=True, slots=True)
class Sign:
    """A letter beside others: how it looks, if it is no blank, and how far it is to the next."""

    ink: Drawn | None
    advance: int


@lru_cache(maxsize=SIGNS)
def _sign(sign: str, weight: str, size: float) -> Sign:
    """Each letter once: a font takes far longer to draw one than we to put a line together from them."""
    font = _font(weight, size)
    mask, (left, top) = font.getmask2(sign, anchor="ls")
    width, height = mask.size
    ink = Drawn((255,), (mask,), left, top, left + width - 1, top + height - 1) if width and height else None
    return Sign(ink, round(font.getlength(sign)))


@lru_cache(maxsize=64)
def _font(weight: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS[weight], size, layout_engine=ImageFont.Layout.BASIC)


def _put(image: Image.Image, left: int, top: int) -> Drawn:
    return _drawn(image.convert("RGB").im, image.getchannel("A").im, left, top)


def _drawn(colours: Core | tuple[int, ...], mask: Core, left: int, top: int) -> Drawn:
    """Where nothing below shines through, no mask is needed; one colour is then painted in no time."""
    right, bottom = left + mask.size[0] - 1, top + mask.size[1] - 1
    if mask.getextrema() != (255, 255):
        return Drawn(colours, (mask,), left, top, right, bottom)
    if not isinstance(colours, tuple) and colours.getcolors(1):
        colours = colours.getpixel((0, 0))
    return Drawn(colours, (), left, top, right, bottom)


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
    left, top, right, bottom = rough.getchannel("A").getbbox() or (LOST, LOST, -LOST, -LOST)
    return (left - LOST) * ROUGH, (top - LOST) * ROUGH, (right + LOST) * ROUGH, (bottom + LOST) * ROUGH


def _render(tree: usvg.Tree, scale: float, corner: tuple[int, int], size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(render(tree, (scale, 0, -corner[0], 0, scale, -corner[1]), bg_size=size)), formats=["PNG"])


@lru_cache(maxsize=64)
def _size(opening: str) -> tuple[int, int]:
    return usvg.Tree.from_str(f"{opening}</svg>", _options()).int_size()


_each_thread = threading.local()


def _options() -> usvg.Options:
    """With fonts that came with us, for the machine may have none. They must not go from one thread to another."""
    if not hasattr(_each_thread, "options"):
        _each_thread.options = usvg.Options.default()
        for file in FONTS.values():
            _each_thread.options.load_font_data(Path(file).read_bytes())
    found: usvg.Options = _each_thread.options
    return found


@cache
def _palette() -> Image.Image:
    """Our own colours and little else: a third of the bytes, and found in no time."""
    colours = [part for palette in PALETTES.values() for colour in _colours(palette) for part in colour]
    image = Image.new("P", (1, 1))
    image.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
    image.load()  # before that its core knows no colours
    return image


@cache
def _colour_table() -> bytes:
    return _chunk(b"PLTE", bytes(_palette().getpalette() or ()))


def _colours(palette: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    known = {name: ImageColor.getrgb(colour) for name, colour in palette.items()}
    yield from known.values()
    for (one, other), part in product(BLENDS, SHADES):
        yield tuple(round(a + part * (b - a)) for a, b in zip(known[one], known[other], strict=True))
