"""Play three seasons of a league, a Swiss tournament and duplicate tables by mail and over REST, and count faults."""

import sys

import click

from marketpost.mail.outbound.letters import game_values
from marketpost.pictures.png import IN_LETTERS
from tests import proof
from tests.model.fragile import fragile_stores
from tests.seasons.play import run


@click.command()
@click.option("--players", default=64, show_default=True)
@click.option("--rules", default="portobello", show_default=True)
@click.option(
    "--whole", default=8, show_default=True, help="One of so many tables is played to its end; at the others draws are agreed on."
)
@proof.seeded
def main(players: int, rules: str, whole: int, seed: int, to_prove: bool) -> None:
    """Play three seasons of a league, a Swiss tournament and duplicate tables, while parts of the service die."""
    game_values.IN_LETTERS = IN_LETTERS // 10  # drawing pictures is half of what a letter costs
    with fragile_stores() as stores:
        rows, faults = run(stores, players, rules, seed, whole)
    rows = [("ruleset, players", f"{rules}, {players}"), *rows, ("faults", str(len(faults)))]
    for name, figure in rows:
        click.echo(f"{name:>46}  {figure}")
    click.echo("\n".join(faults), err=True)
    if to_prove:
        proof.write("make seasons", proof.table([("what", "figure"), *rows]), seed)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
