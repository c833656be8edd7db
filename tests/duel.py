"""One bot at a table of others, seats changing: how often it wins, and what its orders cost."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import sqrt

import click

from marketpost.play.limits import USUAL, Limit
from marketpost.rules.bots import STRONG, bot, usual_bot
from marketpost.rules.ruleset import Setting, ruleset, rulesets
from tests import proof
from tests.games import one_move, open_game, sealed

GOALS = {2: 0.80, 4: 0.45}
"""What `strong` is to win of games of so many players, against others that are all the usual bot."""
DECIDES_WITHIN = USUAL[Limit.BOT_DECISION_SERVICE] / 1000
"""Seconds of processor time after which a bot has to decide, as in the service."""
HEAD = ("", "won", "95 % sure", "a decision", "99 of 100 within", "the longest", "goal", "played")
SURE = 1.96
"""Standard errors either side of what was found that hold the true share in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One bot, and another at all other seats."""

    rules: str
    players: int
    one: str
    other: str

    def __str__(self) -> str:
        return f"{self.rules}, {self.players} players: {self.one} against {self.players - 1} {self.other}"


@dataclass(frozen=True, slots=True)
class Played:
    """One game: the share of the win that the one bot had, and the processor time of each of its decisions."""

    won: float
    seconds: list[float]


def play(pairing: Pairing, seat: int, seed: int) -> Played:
    """Play a game with the one bot at this seat. The seed is that of the chance; with the same one all seats have the same chance."""
    rules, chance, own = ruleset(pairing.rules), sealed(seed), sealed(seed + 1)
    state, played = open_game(rules, Setting(rules.colours[: pairing.players], rules.boards()[0]), chance)
    began, seconds = 0.0, list[float]()

    def out_of_time() -> bool:
        return time.process_time() - began >= DECIDES_WITHIN

    one, other = bot(rules, pairing.one, out_of_time), bot(rules, pairing.other, out_of_time)
    while not (winners := rules.winners(state)):
        decider = rules.deciders(state)[0]
        began = time.process_time()
        orders = (one if decider == seat else other)(state, decider, own)
        if decider == seat:
            seconds.append(time.process_time() - began)
        one_move(rules, state, decider, orders, chance, played)
    return Played((seat in winners) / len(winners), seconds)


@dataclass(slots=True)
class Tally:
    """What became of all games of a pairing."""

    won: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, played: Played) -> None:
        self.won.append(played.won)
        self.seconds += played.seconds

    def interval(self) -> tuple[float, float]:
        """Where the true share lies in 95 of 100 cases, by Wilson's formula."""
        games, share, spread = len(self.won), sum(self.won) / len(self.won), SURE**2 / len(self.won)
        middle = (share + spread / 2) / (1 + spread)
        half = SURE / (1 + spread) * sqrt(share * (1 - share) / games + spread / games / 4)
        return max(0.0, middle - half), min(1.0, middle + half)

    def cells(self) -> list[str]:
        low, high = self.interval()
        ordered = sorted(self.seconds)
        mean, most, late = sum(ordered) / len(ordered), ordered[-1], ordered[len(ordered) * 99 // 100]
        share = f"{sum(self.won):g} of {len(self.won)} = {sum(self.won) / len(self.won):.0%}"
        return [share, f"{low:.0%} to {high:.0%}", f"{mean:.2f} s", f"{late:.2f} s", f"{most:.2f} s"]


def pairings(names: tuple[str, ...], players: tuple[int, ...], one: str, other: str | None) -> Iterator[Pairing]:
    for rules in rulesets().values():
        if rules.name in names or not names:
            yield from (Pairing(rules.name, number, one, other or usual_bot(rules)) for number in players)


@click.command()
@click.argument("games", type=int)
@proof.seeded
@click.option("--rules", "names", multiple=True, help="Only this ruleset; may be given several times.")
@click.option("--players", multiple=True, type=int, default=tuple(GOALS), show_default=True)
@click.option("--one", default=STRONG, show_default=True)
@click.option("--other", help="The usual bot of the ruleset, if none is named.")
@click.option("--jobs", type=int, default=os.cpu_count, help="Games at the same time.")
def duel(
    games: int, seed: int, to_prove: bool, names: tuple[str, ...], players: tuple[int, ...], one: str, other: str | None, jobs: int
) -> None:
    """Play so many games of every pairing; how it stands is told all the while."""
    with ProcessPoolExecutor(jobs) as pool:
        for pairing in pairings(names, players, one, other):
            tally = Tally()
            n = pairing.players
            begun = [pool.submit(play, pairing, number % n, seed + 2 * (number // n)) for number in range(games)]
            for each in begun:
                tally.add(each.result())
                click.echo(f"{pairing}: {' '.join(tally.cells())}, seed {seed}")
            goal = f"{GOALS[n]:.0%}" if n in GOALS and one == STRONG and other is None else "–"
            if to_prove:
                proof.write_rows("make duel", HEAD, [[str(pairing), *tally.cells(), goal, proof.today(seed)]])


if __name__ == "__main__":
    duel()
