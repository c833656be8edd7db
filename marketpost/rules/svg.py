"""Draws SVG without scripts, fonts or anything from outside: light, dark, or as the reader's screen prefers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from math import ceil
from types import MappingProxyType

WIDTH = 720
"""All pictures are as wide. Half of it is a phone: nothing that must be read is smaller than 18."""
FONT = "Roboto, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
SMALL, NORMAL, LARGE = 18, 21, 26
GAP = 20

LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "paper": "#f6f1e5", "block": "#e5e7cf", "road": "#fffdf6", "kerb": "#b9af98", "panel": "#fffdf6", "rule": "#d9d0bb",
        "grey": "#c2c2c0", "glass": "#ffffff", "ink": "#23262d", "faint": "#65624f", "new": "#b3126a",
        "clerk": "#8d949f", "citizen": "#e58fb1", "lord": "#5d3a86", "bobby": "#1d3557",
        "red": "#c22f2f", "yellow": "#f4c924", "green": "#2f8f4e", "blue": "#2a62c4", "orange": "#ee8322", "fuchsia": "#c53a9c",
        "black": "#33363d", "white": "#f4f0e6", "brown": "#8a5a32",
        "on-dark": "#ffffff", "on-light": "#1d1f24", "on-bobby": "#ffffff",
    }
)  # fmt: skip
DARK: Mapping[str, str] = MappingProxyType(
    {**LIGHT}
    | {
        "paper": "#1b1e24", "block": "#2b322d", "road": "#474b53", "kerb": "#6d717b", "panel": "#252930", "rule": "#454a53",
        "grey": "#7a7d84", "glass": "#2f333b", "ink": "#f0ede4", "faint": "#b0b1a8", "new": "#ff8ac4",
        "clerk": "#9aa1ad", "lord": "#8c66bb", "bobby": "#7fa8dd",
        "red": "#d24545", "blue": "#3f78db", "black": "#0d0e11",
        "on-bobby": "#10151d",
    }
)  # fmt: skip
PALETTES = {"light": LIGHT, "dark": DARK}
THEMES = tuple(PALETTES)
ON_LIGHT = frozenset({"yellow", "orange", "white", "citizen"})
"""What dark letters are read on by day and by night; on all other colours of players and people they are bright."""
TURNING = {"road": "ink", "glass": "ink", "bobby": "on-bobby"}
"""What is bright by day and dark by night, or the other way round, and the letters on it."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sign:
    """A drawing from 0 to its width, above and below a line at 0."""

    width: float
    drawn: str


@dataclass(frozen=True, slots=True)
class Style:
    """The light in which a picture is seen. Without a theme it is light, and turns dark on a dark screen."""

    theme: str | None = None
    prefix: str = "board"
    """Before every id, so that two pictures can share a page."""

    def paint(self, fill: str | None = None, stroke: str | None = None, width: float = 2) -> str:
        """Write the attributes for fill and stroke; an unknown colour is drawn in ink."""
        return _paint("light" if self.theme is None else self.theme, fill, stroke, width)

    def letters_on(self, colour: str) -> str:
        """Choose the colour of letters on a ground."""
        return TURNING.get(colour, "on-light" if colour in ON_LIGHT else "on-dark")

    def rect(self, x: float, y: float, width: float, height: float, paint: str, radius: float = 6) -> str:
        """Draw a rectangle."""
        return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}"{paint}/>'

    def circle(self, x: float, y: float, radius: float, paint: str) -> str:
        """Draw a circle."""
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{paint}/>'

    def line(self, start: Point, end: Point, paint: str) -> str:
        """Draw a line."""
        return f'<line x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}"{paint}/>'

    def path(self, way: str, paint: str, at: Point = (0, 0), scale: float = 1) -> str:
        """Draw a path."""
        moved = f' transform="translate({_n(at[0])} {_n(at[1])}) scale({scale:.3g})"' if (*at, scale) != (0, 0, 1) else ""
        return f'<path d="{way}"{moved}{paint}/>'

    def text(
        self, x: float, y: float, text: str, size: float = NORMAL, *, anchor: str = "start", bold: bool = False, fill: str = "ink"
    ) -> str:
        """Draw a text, the only element with words: `anchor` is start, middle or end, `y` the base line."""
        weight = "bold" if bold else "normal"
        at = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" font-weight="{weight}" text-anchor="{anchor}"'
        return f"<text {at}{self.paint(fill)}>{escape(text)}</text>"

    def fitted(
        self, x: float, y: float, text: str, size: float, room: float, *, anchor: str = "start", bold: bool = False, fill: str = "ink"
    ) -> str:
        """Draw a text as large as there is room for."""
        needed = measure(text, size, bold=bold)
        return self.text(x, y, text, size if needed <= room else size * room / needed, anchor=anchor, bold=bold, fill=fill)

    def head(self, x: float, y: float, text: str, room: float, *, anchor: str = "start") -> str:
        """Draw the head of a column, in two lines if one is too short; `y` is the last one's base line."""
        lines = wrapped(text, SMALL, room)
        above = 19 * (len(lines) - 1)
        return "".join(
            self.fitted(x, y - above + 19 * number, line, SMALL, room, anchor=anchor, fill="faint") for number, line in enumerate(lines)
        )

    def paragraph(self, text: str, top: float, margin: float, size: float = NORMAL) -> tuple[list[str], float]:
        """Draw bold lines wrapped to a width; return them with the last base line."""
        lines = list(enumerate(wrapped(text, size, WIDTH - 2 * margin), 1))
        return [self.text(margin, top + 26 * number, line, size, bold=True) for number, line in lines], top + 26 * len(lines)

    def flow(self, signs: Sequence[Sign], top: float, margin: float, height: float) -> tuple[str, float]:
        """Draw signs side by side as far as they fit; return them with the lower edge."""
        places = list(_flowing([sign.width for sign in signs], WIDTH - 2 * margin))
        parts = [
            f'<g transform="translate({_n(margin + x)} {_n(top + height * (line + 0.5))})">{sign.drawn}</g>'
            for (x, line), sign in zip(places, signs, strict=True)
        ]
        return "".join(parts), top + height * (places[-1][1] + 1)

    def sign(self, drawn: str, text: str) -> Sign:
        """Draw a sign and beside it its meaning; without a sign the text alone."""
        left = 36 if drawn else 0
        return Sign(left + measure(text, SMALL), drawn + self.text(left, 6, text, SMALL))

    def document(self, height: float, title: str, description: str, parts: Iterable[str]) -> str:
        """Write the document, a line for each part, because most parts stay the same from one position to the next."""
        me, height = self.prefix, ceil(height)
        style = f"<style>{stylesheet('#' + me)}</style>" if self.theme is None else ""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{me}" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-labelledby="{me}-title {me}-desc" font-family="{FONT}">{style}',
            f'<title id="{me}-title">{escape(title)}</title><desc id="{me}-desc">{escape(description)}</desc>',
            self.rect(0, 0, WIDTH, height, self.paint("paper"), 0),
            *(part.replace("\n", " ") for part in parts),
            "</svg>",
        ]
        return "".join(f"{line}\n" for line in lines)


def description(svg: str) -> str:
    """Describe a picture for people who cannot see it."""
    return unescape(svg.partition("</desc>")[0].rpartition(">")[2])


def place(kind: str, name: str, title: str, parts: Iterable[str]) -> str:
    """Mark a thing that an order can name, spelt as the order spells it."""
    spelt = escape(name)
    return f'<g class="place {kind}" data-place="{spelt}" data-kind="{kind}"><title>{escape(title)}</title>{"".join(parts)}</g>'


def untouched(*parts: str) -> str:
    """Let pointers pass through to the place below."""
    return f'<g pointer-events="none">{"".join(parts)}</g>' if parts else ""


def _paint(theme: str, fill: str | None, stroke: str | None, width: float) -> str:
    palette = PALETTES[theme]
    inside, around = (name if name is None or name in palette else "ink" for name in (fill, stroke))
    classes = " ".join([f"f-{inside}"] * bool(inside) + [f"s-{around}"] * bool(around))
    filled = f' fill="{palette[inside]}"' if inside else ' fill="none"'
    stroked = f' stroke="{palette[around]}" stroke-width="{_n(width)}"' if around else ""
    return f' class="{classes}"{filled}{stroked}'


def stylesheet(scope: str) -> str:
    """Write the rules that turn a light picture dark on a dark screen, for everything inside `scope`."""
    used = sorted(LIGHT)
    shades = ["".join(f"--mp-{name}:{palette[name]};" for name in used) for palette in (LIGHT, DARK)]
    rules = "".join(f"{scope} .f-{name}{{fill:var(--mp-{name})}}{scope} .s-{name}{{stroke:var(--mp-{name})}}" for name in used)
    return f"{scope}{{{shades[0]}}}@media(prefers-color-scheme:dark){{{scope}{{{shades[1]}}}}}{rules}"


def _n(number: float) -> str:
    """Write a number without trailing zeros or a negative zero."""
    return f"{round(number, 1) + 0:.1f}".removesuffix(".0")


NARROW = {
    **dict.fromkeys("iljI.,:;'’|!", 0.32), **dict.fromkeys("ftr()[]- /“”·", 0.36), **dict.fromkeys("mwMW", 0.87),
    **dict.fromkeys("ABCDEGHKNOPQRSTUVXYZÄÖÜÉÈ+×→–", 0.66),
}  # fmt: skip


def measure(text: str, size: float, *, bold: bool = False) -> float:
    """Estimate the width of a text in a wide font such as DejaVu Sans: the reader's browser chooses the font."""
    return sum(NARROW.get(sign, 0.63) for sign in text) * size * (1.05 if bold else 1)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Wrap a text to a width."""
    lines: list[str] = []
    for word in text.split():
        if lines and measure(f"{lines[-1]} {word}", size, bold=True) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _flowing(widths: Sequence[float], room: float) -> Iterator[tuple[float, int]]:
    """Place things of these widths side by side; yields the distance from the left and the line."""
    x, line = 0.0, 0
    for width in widths:
        if x and x + width > room:
            x, line = 0.0, line + 1
        yield x, line
        x += width + GAP
