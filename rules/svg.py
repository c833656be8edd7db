"""How pictures are drawn: SVG without scripts, fonts or anything from outside, in light, in dark, or as the reader's screen likes.

Every colour stands twice: as an attribute, which any program understands, and as a class, which a page may overrule.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from types import MappingProxyType

WIDTH = 720
"""All pictures are as wide. Half of it is a phone: nothing that must be read is smaller than 18."""
FONT = "Roboto, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
THEMES = ("light", "dark")
SMALL, NORMAL, LARGE = 18, 21, 26

LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "paper": "#f6f1e5", "block": "#e5e7cf", "road": "#fffdf6", "kerb": "#b9af98", "ink": "#23262d", "faint": "#65624f", "panel": "#fffdf6",
        "rule": "#d9d0bb", "grey": "#c2c2c0", "new": "#b3126a", "glass": "#ffffff",
        "clerk": "#8d949f", "citizen": "#e58fb1", "lord": "#5d3a86", "bobby": "#1d3557",
        "red": "#c22f2f", "yellow": "#f4c924", "green": "#2f8f4e", "blue": "#2a62c4", "orange": "#ee8322", "fuchsia": "#c53a9c", "black": "#33363d",
        "white": "#f4f0e6", "brown": "#8a5a32", "on-dark": "#ffffff", "on-light": "#1d1f24",
    }
)  # fmt: skip
DARK: Mapping[str, str] = MappingProxyType(
    {**LIGHT}
    | {
        "paper": "#1b1e24", "block": "#2b322d", "road": "#474b53", "kerb": "#6d717b", "ink": "#f0ede4", "faint": "#b0b1a8", "panel": "#252930",
        "rule": "#454a53", "grey": "#7a7d84", "new": "#ff8ac4", "glass": "#2f333b",
        "clerk": "#9aa1ad", "lord": "#8c66bb", "bobby": "#7fa8dd", "black": "#0d0e11", "red": "#d24545", "blue": "#3f78db",
    }
)  # fmt: skip
PALETTES = {"light": LIGHT, "dark": DARK}
ON_LIGHT = frozenset({"yellow", "orange", "white", "citizen", "road", "grey", "glass"})
"""What dark letters are read on; on all other colours they are bright."""
LETTERS = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "orange": "O", "fuchsia": "F", "black": "K", "white": "W", "brown": "N"}
"""Beside every colour, for those who cannot tell it from another."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """In which light a picture is seen. Without a theme it is light, and turns dark on a screen that is."""

    theme: str | None = None
    prefix: str = "board"
    """Before every id, so that two pictures can share a page."""

    def paint(self, fill: str | None = None, stroke: str | None = None, width: float = 2) -> str:
        return _paint(PALETTES[self.theme or "light"], fill, stroke, width)

    def letters_on(self, colour: str) -> str:
        if colour in ("road", "glass"):
            return "ink"
        return "on-light" if colour in ON_LIGHT else "on-dark"

    def rect(self, x: float, y: float, width: float, height: float, paint: str, radius: float = 6) -> str:
        return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}"{paint}/>'

    def circle(self, x: float, y: float, radius: float, paint: str) -> str:
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{paint}/>'

    def line(self, start: Point, end: Point, paint: str) -> str:
        return f'<line x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}"{paint}/>'

    def path(self, way: str, paint: str, at: Point = (0, 0), scale: float = 1) -> str:
        moved = f' transform="translate({_n(at[0])} {_n(at[1])}) scale({scale:.3g})"' if at != (0, 0) or scale != 1 else ""
        return f'<path d="{way}"{moved}{paint}/>'

    def text(
        self, x: float, y: float, text: str, size: float = NORMAL, *, anchor: str = "start", bold: bool = False, fill: str = "ink"
    ) -> str:
        """The only element with words in it: `anchor` is start, middle or end, `y` the line they stand on."""
        weight = "bold" if bold else "normal"
        at = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" font-weight="{weight}" text-anchor="{anchor}"'
        return f"<text {at}{self.paint(fill)}>{escape(text)}</text>"

    def fitted(self, x: float, y: float, text: str, size: float, room: float, *, anchor: str = "start", bold: bool = False, fill: str = "ink") -> str:
        """As large as there is room for."""
        needed = measure(text, size, bold=bold)
        return self.text(x, y, text, size if needed <= room else size * room / needed, anchor=anchor, bold=bold, fill=fill)

    def document(self, height: float, title: str, description: str, parts: Iterable[str]) -> str:
        me = self.prefix
        style = "" if self.theme else f"<style>{stylesheet('#' + me)}</style>"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{me}" viewBox="0 0 {WIDTH} {_n(height)}" role="img" '
            f'aria-labelledby="{me}-title {me}-desc" font-family="{FONT}">'
            f'<title id="{me}-title">{escape(title)}</title><desc id="{me}-desc">{escape(description)}</desc>{style}'
            f"{self.rect(0, 0, WIDTH, height, self.paint('paper'), 0)}{''.join(parts)}</svg>\n"
        )


def place(kind: str, name: str, title: str, parts: Iterable[str]) -> str:
    """What can be named in an order, spelt as an order spells it."""
    spelt = escape(name)
    return f'<g class="place {kind}" data-place="{spelt}" data-kind="{kind}"><title>{escape(title)}</title>{"".join(parts)}</g>'


@lru_cache(maxsize=4096)
def _paint_of(theme: int, fill: str | None, stroke: str | None, width: float) -> str:
    palette = (LIGHT, DARK)[theme]
    classes = " ".join([f"f-{fill}"] * bool(fill) + [f"s-{stroke}"] * bool(stroke))
    filled = f' fill="{palette[fill]}"' if fill else ' fill="none"'
    stroked = f' stroke="{palette[stroke]}" stroke-width="{_n(width)}"' if stroke else ""
    return f' class="{classes}"{filled}{stroked}'


def _paint(palette: Mapping[str, str], fill: str | None, stroke: str | None, width: float) -> str:
    return _paint_of(int(palette is DARK), fill, stroke, width)


@cache
def stylesheet(scope: str) -> str:
    """What turns a light picture dark on a dark screen, for everything inside `scope`."""
    used = sorted(LIGHT)
    shades = ["".join(f"--mp-{name}:{palette[name]};" for name in used) for palette in (LIGHT, DARK)]
    rules = "".join(f"{scope} .f-{name}{{fill:var(--mp-{name})}}{scope} .s-{name}{{stroke:var(--mp-{name})}}" for name in used)
    return f"{scope}{{{shades[0]}}}@media(prefers-color-scheme:dark){{{scope}{{{shades[1]}}}}}{rules}"


def _n(number: float) -> str:
    """A number without a needless nought."""
    return f"{number:.1f}".removesuffix(".0")


NARROW = {
    **dict.fromkeys("iljI.,:;'’|!", 0.25), **dict.fromkeys("ftr()[]- /“”·", 0.36), **dict.fromkeys("mwMW", 0.87),
    **dict.fromkeys("ABCDEGHKNOPQRSTUVXYZÄÖÜÉÈ+×→–", 0.66),
}  # fmt: skip


@lru_cache(maxsize=4096)
def measure(text: str, size: float, *, bold: bool = False) -> float:
    """About how wide a text is, rather too much than too little."""
    return sum(NARROW.get(sign, 0.56) for sign in text) * size * (1.05 if bold else 1)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and measure(f"{lines[-1]} {word}", size, bold=bold) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def flowing(widths: Sequence[float], room: float, gap: float) -> Iterator[tuple[float, int]]:
    """Where things of these widths stand side by side: how far from the left, and in which line."""
    x, line = 0.0, 0
    for width in widths:
        if x and x + width > room:
            x, line = 0.0, line + 1
        yield x, line
        x += width + gap
