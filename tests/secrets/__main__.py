"""Search every byte for what is secret: `python -m tests.secrets 1000`, and with `--seed`, the same games again."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

import click

from tests import proof
from tests.secrets.hunt import house, play, search_stores

AT_ONCE = 25
"""Games in one house, of which one is played to the end."""


def hunt(games: int, seed: int) -> tuple[set[str], Counter[str]]:
    """What was found in so many games, and how much was searched."""
    with house(seed) as found:
        for number in range(games):
            play(found, number)
        search_stores(found)
    counted = {"letters": found.letters_read, "webhook calls": found.calls_read, "packed games": found.packed}
    return found.hits, Counter(counted | {"bytes searched": found.searched})


def _each(games: int, seed: int) -> Iterator[tuple[int, int]]:
    for first in range(0, games, AT_ONCE):
        yield min(AT_ONCE, games - first), seed + first


@click.command()
@click.argument("games", type=int)
@proof.seeded
def main(games: int, seed: int, to_prove: bool) -> None:
    hits, counted = set[str](), Counter[str]()
    with ProcessPoolExecutor(os.cpu_count()) as pool, click.progressbar(length=games, file=sys.stderr) as bar:
        waiting = {pool.submit(hunt, count, start): count for count, start in _each(games, seed)}
        for done in as_completed(waiting):
            found, searched = done.result()
            hits |= found
            counted += searched
            bar.update(waiting[done])
    told = [f"{games:,} games", *(f"{count:,} {what}" for what, count in counted.items()), f"{len(hits)} hits"]
    click.echo("\n".join([*sorted(hits), f"{', '.join(told)}, seed {seed}"]))
    if to_prove:
        proof.write("make secrets", [f"* {each}" for each in (*told, *sorted(hits))], seed)
    sys.exit(1 if hits else 0)


if __name__ == "__main__":
    main()
