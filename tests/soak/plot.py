"""Memory of every process and moves a second over the time of a soak, as one picture."""

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from marketpost.rules.svg import LIGHT
from tests.soak.watch import Watched

COLOURS = ("red", "blue", "green", "orange", "fuchsia", "lord", "brown", "ink")


def plot(watched: Watched, file: Path) -> None:
    with mpl.rc_context({"font.family": "sans-serif", "font.size": 10, "svg.hashsalt": "soak", "svg.fonttype": "none"}):
        figure = Figure(figsize=(8, 6.4), facecolor=LIGHT["paper"], layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1, 1.6])
        minutes, rates = zip(*((at / 60, rate) for at, rate in watched.rates()), strict=True)
        above.fill_between(minutes, rates, color=LIGHT["green"], alpha=0.25, linewidth=0)
        above.plot(minutes, rates, color=LIGHT["green"], linewidth=1.8)
        _tidy(above, "moves applied a second")
        for number, (name, sizes) in enumerate(sorted(watched.memory.items(), key=lambda each: -each[1][-1][1])):
            style = "-" if number < len(COLOURS) else ":"
            at, size = zip(*((at / 60, size) for at, size in sizes), strict=True)
            below.plot(at, size, style, label=name, color=LIGHT[COLOURS[number % len(COLOURS)]], linewidth=1.6)
        _tidy(below, "memory of each process in MB")
        below.set_xlabel("minutes")
        figure.legend(*below.get_legend_handles_labels(), loc="outside right lower", frameon=False, fontsize=9)
        figure.savefig(file, metadata={"Date": None})


def _tidy(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold", color=LIGHT["ink"])
    axes.set_facecolor(LIGHT["paper"])
    axes.set_ylim(bottom=0)
    axes.margins(x=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=LIGHT["rule"], linewidth=0.6)
