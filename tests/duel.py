"""One bot against another at two seats, sides changing: how often each wins, and what its orders cost."""

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import click

from marketpost.rules.bots import STRONG, bot, usual_bot
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from tests.games import one_move, open_game, sealed


@dataclass(slots=True)
class Tally:
    rules: Ruleset[Any]
    games: int = 0
    won: float = 0
    seconds: list[float] = field(default_factory=list)
    """Processor time for each of its orders."""

    def play(self, one: str, other: str, seed: int) -> None:
        """The same chance twice, with the seats exchanged."""
        for seat in (0, 1):
            self.won += self._share(seat, [one, other][:: -1 if seat else 1], seed)
            self.games += 1

    def _share(self, seat: int, names: list[str], seed: int) -> float:
        chance, own = sealed(seed), sealed(seed + 1)
        state, played = open_game(self.rules, Setting(self.rules.colours[:2], self.rules.boards()[0]), chance)
        players = [bot(self.rules, name) for name in names]
        while not (winners := self.rules.winners(state)):
            decider = self.rules.deciders(state)[0]
            began = time.process_time()
            orders = players[decider](state, decider, own)
            if decider == seat:
                self.seconds.append(time.process_time() - began)
            one_move(self.rules, state, decider, orders, chance, played)
        return (seat in winners) / len(winners)

    def __str__(self) -> str:
        mean, most = sum(self.seconds) / len(self.seconds), max(self.seconds)
        return f"won {self.won:g} of {self.games} games ({self.won / self.games:.0%}), {mean:.2f} s a decision, {most:.2f} s at most"


@click.command()
@click.argument("games", type=int)
@click.argument("seed", type=int, required=False)
@click.option("--rules", "names", multiple=True, help="Only this ruleset; may be given several times.")
@click.option("--one", default=STRONG, show_default=True)
@click.option("--other", help="The usual bot of the ruleset, if none is named.")
def duel(games: int, seed: int | None, names: tuple[str, ...], one: str, other: str | None) -> None:
    """So many games of every ruleset; the tally is told after every two."""
    seed = secrets.randbits(48) if seed is None else seed
    tallies = [Tally(rules) for name, rules in rulesets().items() if name in names or not names]
    for number in range(0, games, 2):
        for tally in tallies:
            against = other or usual_bot(tally.rules)
            tally.play(one, against, seed + number)
            click.echo(f"{tally.rules.name}: {one} against {against} {tally}, seed {seed}")


if __name__ == "__main__":
    duel()
