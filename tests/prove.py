"""`make proof`: everything that takes minutes, one after the other, and its figures into docs/proof.md.

A section that fails is told and the next one begins; the command fails at the end.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from tests import proof

SECTIONS = {
    "bench": ("tests.bench",),
    "bare": ("tests.set_up",),
    "soak": ("tests.soak", "--games", "1000", "--minutes", "8"),
    "chaos": ("tests.chaos",),
    "bigger": ("tests.bigger",),
    "upgrade-proof": ("tests.upgrade", "--games", "300"),
    "env": ("tests.env.service_games", "300"),
    "fuzz": ("tests.fuzz", "1000"),
    "fuzz-ahead": ("tests.play.ahead_fuzz", "500"),
    "streams": ("tests.soak.streams", "5000"),
    "model": ("tests.model", "30"),
    "weight": ("tests.page_weight",),
    "secrets": ("tests.secrets", "200"),
    "competitions": ("tests.competitions",),
    "seasons": ("tests.seasons", "--players", "16"),
    "abuse": ("tests.abuse",),
}
"""The sections in their order, sized so that all take less than an hour on two cores."""
UNSEEDED = {"bench", "bare", "streams", "weight"}
"""Nothing in them is drawn."""


@dataclass(frozen=True, slots=True)
class Proved:
    """How a section went."""

    name: str
    minutes: float
    processor: float
    """Minutes of processor time, that of killed processes left out."""
    has_passed: bool


def prove(name: str, seed: int, sections: Mapping[str, tuple[str, ...]] = SECTIONS) -> Proved:
    """Run one section, which writes its own figures."""
    began, before = time.monotonic(), _processor()
    seeded = () if name in UNSEEDED else ("--seed", str(seed))
    done = subprocess.run([sys.executable, "-m", *sections[name], "--proof", *seeded], check=False)
    return Proved(name, (time.monotonic() - began) / 60, (_processor() - before) / 60, done.returncode == 0)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(proved: Sequence[Proved]) -> list[tuple[str, ...]]:
    """Tell how long each took, all together, and which failed."""
    rows = [(f"make {each.name}", each.minutes, each.processor, "passed" if each.has_passed else "failed") for each in proved]
    rows.append(("all", sum(each.minutes for each in proved), sum(each.processor for each in proved), ""))
    return [("section", "minutes", "of processor time", ""), *((name, f"{all:.1f}", f"{own:.1f}", how) for name, all, own, how in rows)]


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(SECTIONS)), help="Only this section; more than once for several.")
@proof.with_seed
def main(only: Sequence[str], seed: int) -> None:
    """Run all sections; fails if one of them fails."""
    proved = list[Proved]()
    for name in only or SECTIONS:
        click.secho(f"make {name}", bold=True)
        proved.append(prove(name, seed))
        click.echo(f"make {name}: {proved[-1].minutes:.1f} minutes, {'passed' if proved[-1].has_passed else 'failed'}")
    click.echo("\n".join(" | ".join(row) for row in table(proved)))
    if not only:
        proof.write("make proof", proof.table(table(proved)), seed)
    sys.exit(0 if all(each.has_passed for each in proved) else 1)


if __name__ == "__main__":
    main()
