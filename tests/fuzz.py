"""Many random games with a fresh seed: each must end, and its record must replay to the same position."""

import itertools
import secrets
import sys
from typing import Any

import click

from rules import records
from rules.ruleset import Ruleset, Setting, rulesets
from tests.games import play_to_the_end


def settings(game: Ruleset[Any]) -> Any:
    every = itertools.product(game.players, game.editions or (None,))
    return itertools.cycle(Setting(game.colours[:players], game.boards()[0], edition) for players, edition in list(every))


def check(game: Ruleset[Any], setting: Setting, seed: int) -> None:
    state, played = play_to_the_end(game, setting, seed)
    replayed = records.replay(records.read(records.write(game, played)))
    assert replayed.state == state, f"{game.name}: seed {seed} replays to another position"


def main(games: int, seed: int) -> None:
    for game in rulesets().values():
        click.echo(f"{game.name}: {games} games from seed {seed}", err=True)
        with click.progressbar(zip(range(games), settings(game), strict=False), length=games, file=sys.stderr) as bar:
            for number, setting in bar:
                check(game, setting, seed + number)
        click.echo(f"{game.name}: {games} games ended and replayed, seed {seed}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbits(48))
