"""Measure what play costs, check the model at ten times the games, and write docs/capacity.md: `python -m tests.capacity`."""

import os
import random
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from tests.capacity.document import check_rows, page
from tests.capacity.measure import Measurement, measure
from tests.capacity.model import Machine, Use, needs

DOCUMENT = Path(__file__).parents[2] / "docs/capacity.md"
MEASURED = DOCUMENT.with_suffix(".json")
"""What the last run has measured."""
TIMES = 10


def circumstances(seed: int) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{datetime.now(UTC):%-d %B %Y}, {os.cpu_count()} cores, {memory:.0f} GB of memory, seed {seed}. The players, and other programs, "
        f"ran on the same cores (load average {os.getloadavg()[1]:.0f}), so CPU times are rather too high."
    )


def read_measurement() -> Measurement:
    return msgspec.json.decode(MEASURED.read_bytes(), type=Measurement)


@click.command()
@click.option("--games", default=100, show_default=True, help="Of the small run; the large one has ten times as many.")
@click.option("--minutes", default=1.0, show_default=True, help="Of play in the small run; the large one has twice as many.")
@click.option("--seed", default=None, type=int)
@click.option("--again", is_flag=True, help="Measure nothing; compute the document from what was measured before.")
def capacity(games: int, minutes: float, seed: int | None, again: bool) -> None:
    """Measure, check and write the document."""
    if not again:
        seed = random.SystemRandom().randrange(10**9) if seed is None else seed
        click.echo(f"{games} games, then {TIMES * games}; about {2 + 3 * minutes + games * TIMES * 0.003:.0f} minutes", err=True)
        small = measure(games, minutes, seed)
        large = measure(TIMES * games, 2 * minutes, seed + 1)
        if not large.costs.moves:
            raise click.ClickException("no game came to its end; let them play for more --minutes")
        MEASURED.write_bytes(msgspec.json.format(msgspec.json.encode(Measurement(circumstances(seed), small, large))) + b"\n")
    measured = read_measurement()
    DOCUMENT.write_text(page(measured, Use(), Machine()), "utf-8")
    for row in check_rows(measured.small, measured.large):
        click.echo("  ".join(row))
    first = needs(measured.large.costs, Use(), Machine()).first
    click.echo(f"first bottleneck: {first.name} ({first.ratio:.2f}); the rest is in {DOCUMENT}")


if __name__ == "__main__":
    capacity()
