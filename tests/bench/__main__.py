"""`python -m tests.bench`: speed as ratios to yardsticks measured in the same run. Trust the ratios, not the digits."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click

from marketpost.rules.ruleset import rulesets
from tests import proof
from tests.bench import command_line, post, service
from tests.bench.measure import ROUNDS, STEADY, Measured, measure
from tests.bench.rules import Game, cases, play

HEAD = ("what", "figure", "", "yardstick", "", "", "ratio", "goal", "", "A/A")
ALIGN = "<>><>>>><>"
STEPS = 18 + 18 + 25 * service.ROUNDS
"""About as many as there are to measure."""


@click.command()
@click.option("--only", type=click.Choice(["rules", "service", "mail", "command-line"]), default=None, help="Measure one part alone.")
@click.option("--proof", "to_prove", is_flag=True, help="Write the table to docs/proof.md.")
def bench(only: str | None, to_prove: bool) -> None:
    """Measure rules, service, mail and command line against yardsticks of this machine."""
    games = [play(rules) for rules in rulesets().values()]
    titled = {name: partial(_titled, part) for name, part in (("service", SERVICE), ("mail", MAIL), ("command-line", COMMAND_LINE))}
    parts: dict[str, Part] = {"rules": partial(_rules, games), **titled}
    with click.progressbar(length=STEPS, label="measuring", file=sys.stderr) as bar:
        measured = [each for name, part in parts.items() if only in (None, name) for each in part(bar)]
    alone = [each for _, each in measured]
    told = [*_told(measured), *post.letters_a_second(alone), *post.e4ec(alone)]
    click.echo("\n".join([*told, "", _table([HEAD, *_rows(measured)])]))
    if to_prove:
        proof.write("make bench", [*told, "", *proof.table([HEAD, *_rows(measured)])])


Part = Callable[[Any], Iterator[tuple[str, Measured]]]
SERVICE = ("the service: a Redis that syncs every write, rq workers; wall time unless told otherwise", service.measured)
MAIL = ("mail: one process unless told otherwise, SMTP connections that are kept; wall time", post.measured)
COMMAND_LINE = ("the command line, signed out; wall time", command_line.measured)


def _rules(games: Sequence[Game], bar: Any) -> Iterator[tuple[str, Measured]]:
    for game in games:
        for case in cases(game):
            bar.update(1)
            yield game.title, measure(case)


def _titled(part: tuple[str, Any], bar: Any) -> Iterator[tuple[str, Measured]]:
    title, measured = part
    for each in measured(bar):
        yield title, each


def _told(measured: Sequence[tuple[str, Measured]]) -> list[str]:
    controls = [each.control for _, each in measured]
    return [
        f"{os.cpu_count()} cores; medians of {min(ROUNDS, service.ROUNDS)} interleaved rounds or more; the smaller the ratio, the faster.",
        f"A/A control, yardstick against itself: {min(controls):.2f} to {max(controls):.2f}; believed in {STEADY[0]}–{STEADY[1]}.",
    ]


def _rows(measured: Sequence[tuple[str, Measured]]) -> Iterator[tuple[str, ...]]:
    """With a line for each title."""
    before = ""
    for title, each in measured:
        if title != before:
            yield (title, *[""] * (len(HEAD) - 1))
        before = title
        yield _row(each)


def _row(measured: Measured) -> tuple[str, ...]:
    case = measured.case
    goal = "" if case.goal is None else f"≤ {case.goal:.2f}"
    return (
        f"{case.what}, {measured.cpu * 1e3:.1f} ms of CPU" if measured.cpu else case.what,
        *_speed(measured.figure),
        case.against,
        *_speed(measured.yardstick),
        f"{measured.ratio:.3f}",
        goal,
        measured.verdict,
        f"{measured.control:.2f}",
    )


def _speed(seconds: float) -> tuple[str, str]:
    return (f"{seconds * 1e3:,.2f} ms" if seconds > 1e-3 else f"{seconds * 1e6:,.2f} µs"), f"{1 / seconds:,.0f}/s"


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A title may be longer than its column."""
    widths = [max(len(row[place]) for row in rows if any(row[1:])) for place in range(len(HEAD))]
    return "\n".join(
        "  ".join(f"{cell:{align}{width}}" for cell, align, width in zip(row, ALIGN, widths, strict=True)).rstrip()
        if any(row[1:])
        else f"\n{row[0]}"
        for row in rows
    )


if __name__ == "__main__":
    bench()
