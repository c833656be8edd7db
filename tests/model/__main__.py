"""`python -m tests.model 200 --seed 7`: so many random games of each ruleset against the model, and the scripts in many threads."""

import click

from marketpost.rules.ruleset import rulesets
from tests import proof
from tests.model.fragile import fragile_stores
from tests.model.interleavings import CONTESTS, THREADS, compete
from tests.model.run import check_model
from tests.small_pictures import shrink_pictures

COUNTED = ("games", "moves", "mails", "deaths")
ROUNDS_PER_GAME = 10


@click.command()
@click.argument("games", type=int)
@proof.seeded
def main(games: int, seed: int, to_prove: bool) -> None:
    """Play so many random games of each ruleset, and let threads use the scripts of the store ten times as often each."""
    shrink_pictures()
    rows = [("ruleset or scripts", *COUNTED, "differences")]
    with fragile_stores() as stores:
        for name, rules in rulesets().items():
            done = check_model(stores, rules, games, seed)
            rows.append((name, *(f"{done[each]:,}" for each in COUNTED), "0"))
            click.echo(", ".join(map("{}: {}".format, rows[0], rows[-1])))
        for contest in CONTESTS:
            found = compete(contest, stores.url, seed, games * ROUNDS_PER_GAME)
            rows.append((f"{contest.NAME}, {THREADS} threads", "", f"{THREADS * games * ROUNDS_PER_GAME:,}", "", f"{found.deaths:,}", "0"))
            click.echo(f"{contest.NAME}: {THREADS} threads, {games * ROUNDS_PER_GAME:,} actions each, {found.deaths:,} died")
    if to_prove:
        proof.write("make model", proof.table(rows), seed)


if __name__ == "__main__":
    main()
