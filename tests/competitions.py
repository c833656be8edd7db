"""Competitions without games: the better of random performances wins. `python -m tests.competitions` prints the quality of the pairing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import mean

import click

from marketpost.play.compete.competition import Competition, CompetitionStatus, Round
from marketpost.play.compete.competition_actions import (
    CompetitionEnded,
    CompetitionEnding,
    CompetitionFormat,
    CompetitionPlan,
    PlannedTable,
    RoundPaired,
    TableEnded,
)
from marketpost.play.compete.pairing import cut, history, needed_rounds, pair_round, table_sizes
from marketpost.play.compete.standings import meetings, points_of
from marketpost.play.log.actions import TimeControl
from tests import proof

COLOURS = ("red", "yellow", "green", "blue", "white", "black")
SECRET = bytes(range(32))
NOISE = 0.5
"""How much luck counts beside strength, which differs by one from the weakest player to the strongest."""
SIZES = ((16, 2, 5), (32, 2, 6), (32, 3, 5), (32, 4, 5), (31, 4, 5), (64, 6, 5))
"""Players, seats and rounds of the tournaments that are measured."""


@dataclass(frozen=True, slots=True)
class PairingQuality:
    """How good the pairing of a whole competition was."""

    repeats: float
    """Meetings of a pair beyond the first."""
    difference: float
    """Mean difference of points between two players at one table, from the second round on."""
    strength: float
    """Mean difference of strength between them, from the weakest player, 0, to the strongest, 1."""
    seat_spread: float
    """Mean over all players: how much oftener the most frequent seat was had than the rarest."""
    colour_spread: float


def simulate(format: CompetitionFormat, players: int, seats: int, dice: Random, *, rounds: int = 0, by_chance: bool = False) -> Competition:
    """Play a competition by strength and luck; `by_chance` pairs and seats at random instead."""
    competition = Competition("c-sim")
    competition.plan = CompetitionPlan("Simulated", format, "alturien", seats, TimeControl(1), 0, rounds=rounds)
    competition.entrants = [f"p{number:02}" for number in range(players)]
    strength = strengths(competition)
    while competition.status != CompetitionStatus.OVER:
        paired = _by_chance(competition, dice) if by_chance else pair_round(competition, SECRET, COLOURS)
        competition.rounds.append(now := Round(paired.number, paired.tables, paired.byes, 0))
        for number, table in enumerate(paired.tables):
            shown = [strength[player] + dice.gauss(0, NOISE) for player in table.players]
            places = tuple(1 + sum(other > own for other in shown) for own in shown)
            now.ended[number] = TableEnded(now.number, number, places, tuple(map(str, places)))
        is_knock_out = format == CompetitionFormat.KNOCK_OUT
        is_last = (len(now.tables) == 1 and not now.byes) if is_knock_out else now.number == needed_rounds(competition)
        competition.ended = CompetitionEnded(CompetitionEnding.PLAYED) if is_last else None
    return competition


def _by_chance(competition: Competition, dice: Random) -> RoundPaired:
    order = dice.sample(competition.entrants, len(competition.entrants))
    sizes, byes = table_sizes(len(order), competition.plan.seats)
    tables = cut(order[byes:], sizes)
    seated = [PlannedTable(tuple(table), tuple(dice.sample(COLOURS[: len(table)], len(table)))) for table in tables]
    return RoundPaired(len(competition.rounds) + 1, tuple(seated), tuple(order[:byes]))


def measure(competition: Competition) -> PairingQuality:
    """Measure the pairing of a competition that was played."""
    seats, colours = history(competition)
    count = competition.plan.seats
    return PairingQuality(
        sum(times - 1 for times in meetings(competition).values()),
        mean(_differences(competition)),
        mean(_apart(strengths(competition), competition.rounds[1:])),
        mean(_spread([had[seat] for seat in range(count)]) for had in seats.values()),
        mean(_spread([had[colour] for colour in COLOURS[:count]]) for had in colours.values()),
    )


def strengths(competition: Competition) -> dict[str, float]:
    """Tell how strong each player is: the later they entered, the stronger."""
    return {player: number / (len(competition.entrants) - 1) for number, player in enumerate(competition.entrants)}


def _apart(worth: Mapping[str, float], rounds: Iterable[Round]) -> list[float]:
    """List how far apart all who met in these rounds are."""
    return [abs(worth[one] - worth[other]) for each in rounds for table in each.tables for one, other in combinations(table.players, 2)]


def _differences(competition: Competition) -> list[float]:
    """List the differences of points, as they were before the round, of all who met from the second round on."""
    found, rounds = list[float](), competition.rounds
    for number in range(1, len(rounds)):
        competition.rounds = rounds[:number]
        found += _apart(points_of(competition), rounds[number : number + 1])
    competition.rounds = rounds
    return found


def _spread(times: Sequence[int]) -> int:
    return max(times) - min(times)


def pairing_figures(runs: int = 20, start: int = 0) -> list[str]:
    """Measure Swiss pairings, as the mean of several tournaments, beside pairings by chance, as the rows of a table."""
    rows = [
        "| players, seats, rounds | pairing | repeated meetings | difference of points | of strength | spread of seats | of colours |",
        "|---|---|---|---|---|---|---|",
    ]
    for players, seats, rounds in SIZES:
        for by_chance in (False, True):
            made = [
                measure(simulate(CompetitionFormat.SWISS, players, seats, Random(seed), rounds=rounds, by_chance=by_chance))
                for seed in range(start, start + runs)
            ]
            values = [
                mean(getattr(each, name) for each in made) for name in ("repeats", "difference", "strength", "seat_spread", "colour_spread")
            ]
            told = " | ".join(f"{value:.2f}" for value in values)
            rows.append(f"| {players}, {seats}, {rounds} | {'by chance' if by_chance else 'Swiss'} | {told} |")
    return rows


@click.command()
@proof.seeded
def main(seed: int, to_prove: bool) -> None:
    """Measure how well Swiss rounds are paired, against pairing by chance."""
    rows = pairing_figures(start=seed)
    click.echo("\n".join(rows))
    if to_prove:
        proof.write("make competitions", rows, seed)


if __name__ == "__main__":
    main()
