"""Search every byte for what is secret: `python -m tests.secrets 1000`, and with a seed, the same games again."""

import secrets
import sys

import click

from tests.secrets.hunt import house, play, search_stores


def main(games: int, seed: int) -> int:
    click.echo(f"{games} games from seed {seed}", err=True)
    with house(seed) as found:
        with click.progressbar(range(games), file=sys.stderr) as bar:
            for number in bar:
                play(found, number)
                if number % 50 == 0:
                    search_stores(found)
        search_stores(found)
    for hit in sorted(found.hits):
        click.echo(hit)
    said = f"{found.letters_read} letters, {found.calls_read} webhook calls, {found.searched / 1e6:.0f} MB"
    click.echo(f"proof: secrets: {games} games, {said} searched, {len(found.hits)} hits, seed {seed}")
    return 1 if found.hits else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbits(48)))
