"""Ratings of people and of bots, for each ruleset: a fold of all rated games of a pool in the order in which they ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from marketpost.play.people.results import RatingPool, Result, rated_list, results
from marketpost.play.ports import Ports

MODEL = PlackettLuce()


class Rating(msgspec.Struct, array_like=True):
    """A player's rating by the Plackett-Luce model."""

    mu: float = MODEL.mu
    """Estimated skill."""
    sigma: float = MODEL.sigma
    """Uncertainty of the estimate."""
    games: int = 0
    won: int = 0

    @property
    def points(self) -> float:
        """Rating that the player reaches almost surely; the table is sorted by it."""
        return self.mu - 3 * self.sigma


class RatingTable(msgspec.Struct, array_like=True):
    """The ratings of a ruleset after a number of games."""

    games: int = 0
    last: str = ""
    """The game that was folded last."""
    ratings: dict[str, Rating] = {}


_table = msgspec.json.Decoder(RatingTable)
_rated_seats = msgspec.json.Decoder(tuple[tuple[float, float], ...])
CHECKPOINT = 500
"""Every so many games the table before them is stored too."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ratings of a ruleset and their order; a process caches it until another game ends."""

    table: RatingTable
    best_first: list[tuple[str, Rating]]


def ratings(ports: Ports, rules: str, pool: RatingPool = RatingPool.PEOPLE) -> dict[str, Rating]:
    """Compute all ratings of a ruleset in a pool.

    Games that ended since the last call are found on the list and folded, so no event is needed.
    """
    return ranking(ports, rules, pool).table.ratings


def ranking(ports: Ports, rules: str, pool: RatingPool = RatingPool.PEOPLE) -> Ranking:
    """Compute the ratings of a ruleset in a pool, best first; cached while no rated game has ended since."""
    name = table_name(rules, pool)
    cached: Ranking | None = ports.rankings.get(name)
    if cached and cached.table.games == ports.index.count(rated_list(rules, pool)) and _fits(ports, rules, pool, cached.table):
        return cached
    table = _folded(ports, rules, pool)
    found = ports.rankings[name] = Ranking(table, sorted(table.ratings.items(), key=best_first))
    return found


def best_first(row: tuple[str, Rating]) -> tuple[float, str]:
    """Sort key of a row of the table."""
    return -row[1].points, row[0]


def _folded(ports: Ports, rules: str, pool: RatingPool) -> RatingTable:
    kept, table = _known(ports, rules, pool)
    new = [game for _, game in ports.index.oldest_first(rated_list(rules, pool), table.games)]
    if not new:
        return table
    before, name = table.games, table_name(rules, pool)
    after = fold(table, new, results(ports, new))
    ports.index.store_all_derived({_rating_after(game): msgspec.json.encode(seats) for game, seats in after.items()})
    if kept and table.games // CHECKPOINT > before // CHECKPOINT:
        ports.index.store_derived(_checkpoint(name), kept)
    ports.index.store_derived(name, msgspec.json.encode(table))
    return table


def _known(ports: Ports, rules: str, pool: RatingPool) -> tuple[bytes, RatingTable]:
    """Read the stored ratings; the checkpoint if a game that ended earlier was listed since, because games are folded in order."""
    name = table_name(rules, pool)
    for kept in ports.index.derived([name, _checkpoint(name)]):
        if kept and _fits(ports, rules, pool, table := _table.decode(kept)):
            return kept, table
    return b"", RatingTable()


def _fits(ports: Ports, rules: str, pool: RatingPool, table: RatingTable) -> bool:
    return bool(table.games) and ports.index.place_of(rated_list(rules, pool), table.last) == table.games - 1


def table_name(rules: str, pool: RatingPool) -> str:
    """Name the stored ratings of a ruleset in a pool."""
    return f"ratings:{rules}" if pool == RatingPool.PEOPLE else f"ratings:{rules}:{pool}"


def _checkpoint(table: str) -> str:
    return f"{table}:checkpoint"


def _rating_after(game: str) -> str:
    return f"rating-after:{game}"


def ratings_after(ports: Ports, games: Sequence[str]) -> dict[str, list[Rating]]:
    """Read the rating of each seat after each of these games; unrated ones are left out. `ratings` must have folded them."""
    found = zip(games, ports.index.derived([_rating_after(game) for game in games]), strict=True)
    return {game: [Rating(mu, sigma) for mu, sigma in _rated_seats.decode(data)] for game, data in found if data}


SeatRatings = list[tuple[float, float]]
"""Skill and uncertainty of each seat after a game."""


def fold(table: RatingTable, games: Sequence[str], ended: Mapping[str, Result]) -> dict[str, SeatRatings]:
    """Fold games into a table, in this order; games without a result only count. Returns the ratings after each game, by seat."""
    after = {}
    for game in games:
        if game in ended:
            after[game] = _rate(table.ratings, ended[game])
        table.games, table.last = table.games + 1, game
    return after


def _rate(known: dict[str, Rating], result: Result) -> SeatRatings:
    people = [known.setdefault(player, Rating()) for player in result.players if player]
    before: list[Any] = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in people]
    after = MODEL.rate(before, ranks=[float(place) for place in result.places])
    for each, [rated], place in zip(people, after, result.places, strict=True):
        each.mu, each.sigma = rated.mu, rated.sigma
        each.games, each.won = each.games + 1, each.won + (place == 1)
    return [(each.mu, each.sigma) for each in people]


def ratings_again(ports: Ports, rules: str, pool: RatingPool, played: Mapping[str, Result]) -> dict[str, bytes]:
    """Compute the stored ratings of a ruleset in a pool again. Of archived games only the stored results are known."""
    table, rated = RatingTable(), [game for _, game in ports.index.oldest_first(rated_list(rules, pool))]
    after = fold(table, rated, results(ports, [game for game in rated if game not in played]) | dict(played))
    right = {_rating_after(game): msgspec.json.encode(seats) for game, seats in after.items()}
    return {**right, table_name(rules, pool): msgspec.json.encode(table)}
