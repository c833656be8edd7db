"""Ratings of players, for each ruleset: a fold of all rated games in the order in which they ended."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from marketpost.play.people.results import Result, results
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


def ratings(ports: Ports, rules: str) -> dict[str, Rating]:
    """Compute all ratings of a ruleset. Games that ended since the last call are found on the list and folded, so no event is needed."""
    table = _known(ports, rules)
    new = [game for _, game in ports.index.oldest_first(_rated(rules), table.games)]
    if new:
        fold(table, new, results(ports, new))
        ports.index.store_derived(f"ratings:{rules}", msgspec.json.encode(table))
    return table.ratings


def _known(ports: Ports, rules: str) -> RatingTable:
    """Read the stored ratings; empty if a game that ended earlier was listed since, because games are folded in order."""
    [kept] = ports.index.derived([f"ratings:{rules}"])
    table = _table.decode(kept) if kept else RatingTable()
    return table if table.games and ports.index.place_of(_rated(rules), table.last) == table.games - 1 else RatingTable()


def _rated(rules: str) -> str:
    return f"rated:{rules}"


def fold(table: RatingTable, games: Sequence[str], ended: Mapping[str, Result]) -> None:
    """Fold games into a table, in this order; games without a result only count."""
    for game in games:
        if game in ended:
            _rate(table.ratings, ended[game])
        table.games, table.last = table.games + 1, game


def _rate(known: dict[str, Rating], result: Result) -> None:
    people = [known.setdefault(player, Rating()) for player in result.players if player]
    before: list[Any] = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in people]
    after = MODEL.rate(before, ranks=[float(place) for place in result.places])
    for each, [rated], place in zip(people, after, result.places, strict=True):
        each.mu, each.sigma = rated.mu, rated.sigma
        each.games, each.won = each.games + 1, each.won + (place == 1)
