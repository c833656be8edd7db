"""Random games of the service, played again in the environment: `python -m tests.env.service_games 1000`."""

import itertools
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from marketpost.env import MarketEnv
from marketpost.play.log.actions import Began, Moved, SeatPlan
from marketpost.play.log.entries import read
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.chance import mix
from marketpost.rules.ruleset import Ruleset, rulesets
from tests import proof
from tests.fuzz import settings
from tests.games import decide, deciding
from tests.play.over import ports_at
from tests.redis import games_redis


def same_in_both(ports: Ports, rules: Ruleset[Any], seed: int) -> None:
    """Let random bots play a game in the service, repeat its orders in the environment, and compare every event."""
    setting = next(itertools.islice(settings(rules, seed), seed % 12, None))
    count = len(setting.colours)
    chosen = {"board": setting.board, "edition": setting.edition, "options": dict(setting.options)}
    id = f"{rules.name}-{seed}"
    open_game(ports, id, "nobody", rules.name, [SeatPlan(bot="random")] * count, chosen)
    while (game := follow(Game(id), ports.games.read(id))).status != GameStatus.OVER:
        decide(ports, [id], deciding())  # a worker hands a game back after two seconds
    actions = [entry.action for entry, _ in read(id, ports.games.read(id))]
    env = MarketEnv(rules.name, count, setting.edition, setting.options, setting.board)
    env.reset(options={"key": mix(ports.secret(id), id, (word.word for word in game.words.values())).hex()})
    for action in actions:
        if isinstance(action, Moved):
            env.step(env.infos[env.agent_selection]["legal"].index(action.orders))
    happened = [event for each in actions if isinstance(each, (Began, Moved)) for event in rules.decode(bytes(each.events))]
    assert env.events == happened, f"{rules.name}: seed {seed} goes otherwise"
    assert all(env.terminations.values()), f"{rules.name}: seed {seed} does not end"


@click.command()
@click.argument("games", type=int)
@proof.seeded
def main(games: int, seed: int, to_prove: bool) -> None:
    every = list(rulesets().values())
    with tempfile.TemporaryDirectory() as folder, games_redis(Path(folder)) as url, click.progressbar(range(games), file=sys.stderr) as bar:
        ports = ports_at(url)
        for number in bar:
            same_in_both(ports, every[number % len(every)], seed + number)
    told = f"{games} random games of the service were the same in the environment"
    click.echo(f"{told}, seed {seed}")
    if to_prove:
        proof.write("make env", [f"* {told}"], seed)


if __name__ == "__main__":
    main()
