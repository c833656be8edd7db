"""`python -m tests.bench`: speed as ratios to yardsticks measured in the same run. Trust the ratios, not the digits."""

import os
import sys
from collections.abc import Sequence

import click

from rules.ruleset import rulesets
from tests.bench import service
from tests.bench.measure import ROUNDS, STEADY, Case, Measured, measure
from tests.bench.rules import cases, play

HEAD = ("what", "figure", "", "yardstick", "", "", "ratio", "goal", "", "A/A")
ALIGN = "<>><>>>><>"


@click.command()
def bench() -> None:
    """Measure every ruleset against yardsticks of this machine."""
    games = [play(rules) for rules in rulesets().values()]
    measured = _measure_all([(game.title, case) for game in games for case in cases(game)])
    controls = [each.control for _, each in measured]
    click.echo(f"{os.cpu_count()} cores; CPU time, medians of {ROUNDS} interleaved rounds; the smaller the ratio, the faster")
    click.echo(f"A/A control, yardstick against itself: {min(controls):.2f} to {max(controls):.2f}; believed in {STEADY[0]}–{STEADY[1]}")
    for game in games:
        click.echo(f"\n{game.title}")
        click.echo(_table([HEAD, *(_row(each) for title, each in measured if title == game.title)]))
    click.echo("\n" + service.report())


def _measure_all(todo: Sequence[tuple[str, Case]]) -> list[tuple[str, Measured]]:
    with click.progressbar(todo, label="measuring", file=sys.stderr) as bar:
        return [(title, measure(case)) for title, case in bar]


def _row(measured: Measured) -> tuple[str, ...]:
    case = measured.case
    goal = "" if case.goal is None else f"≤ {case.goal:.2f}"
    return (
        case.what,
        *_speed(measured.figure),
        case.against,
        *_speed(measured.yardstick),
        f"{measured.ratio:.3f}",
        goal,
        measured.verdict,
        f"{measured.control:.2f}",
    )


def _speed(seconds: float) -> tuple[str, str]:
    return f"{seconds * 1e6:,.2f} µs", f"{1 / seconds:,.0f}/s"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(f"{cell:{align}{width}}" for cell, align, width in zip(row, ALIGN, widths, strict=True)) for row in rows)


if __name__ == "__main__":
    bench()
