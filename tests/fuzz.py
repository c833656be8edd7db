"""Many random games with a fresh seed: each must end, and its record must replay to the same position."""

import itertools
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

import click

from marketpost.rules import records
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from tests import proof
from tests.games import play_to_the_end


def settings(game: Ruleset[Any], seed: int) -> Iterator[Setting]:
    """Every number of players and edition in turn, each time with other options."""
    rng, known = random.Random(seed), game.option_values()
    every = itertools.product(game.players, game.editions or (None,))
    for players, edition in itertools.cycle(list(every)):
        options = {name: rng.choice(values) for name, values in known.items()}
        yield Setting(game.colours[:players], rng.choice(game.boards()), edition, _accepted(options))


def _accepted(options: dict[str, str]) -> dict[str, str]:
    """Without those that are told as a range, such as `0-50`."""
    return {name: value for name, value in options.items() if not re.fullmatch(r"\d+-\d+", value)}


def check(game: Ruleset[Any], setting: Setting, seed: int) -> None:
    state, played = play_to_the_end(game, setting, seed)
    replayed = replay(records.read(records.write(game, played)))
    assert replayed.state == state, f"{game.name}: seed {seed} replays to another position"


@click.command()
@click.argument("games", type=int)
@click.argument("names", nargs=-1)
@proof.seeded
def fuzz(games: int, seed: int, names: tuple[str, ...], to_prove: bool) -> None:
    """Play so many random games of every ruleset, or of those named, and replay their records."""
    told = [_fuzz(game, games, seed) for game in rulesets().values() if game.name in names or not names]
    if to_prove:
        proof.write("make fuzz", [f"* {each}" for each in told], seed)


def _fuzz(game: Ruleset[Any], games: int, seed: int) -> str:
    click.echo(f"{game.name}: {games} games from seed {seed}", err=True)
    with click.progressbar(zip(range(games), settings(game, seed), strict=False), length=games, file=sys.stderr) as bar:
        for number, setting in bar:
            check(game, setting, seed + number)
    told = f"{game.name}: {games} games ended and replayed"
    click.echo(f"{told}, seed {seed}")
    return told


if __name__ == "__main__":
    fuzz()
