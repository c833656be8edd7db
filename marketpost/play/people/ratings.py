"""Ratings of people, for each ruleset by itself: all rated games folded in the order in which they ended."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from marketpost.play.people.results import Result, results
from marketpost.play.ports import Ports

MODEL = PlackettLuce()


class Rating(msgspec.Struct, array_like=True):
    mu: float = MODEL.mu
    """What we believe somebody can do."""
    sigma: float = MODEL.sigma
    """And how sure we are."""
    games: int = 0
    won: int = 0

    @property
    def points(self) -> float:
        """What somebody can do almost surely; the table is sorted by it."""
        return self.mu - 3 * self.sigma


class RatingTable(msgspec.Struct, array_like=True):
    games: int = 0
    last: str = ""
    """The game that was folded last."""
    ratings: dict[str, Rating] = {}


_table = msgspec.json.Decoder(RatingTable)


def ratings(ports: Ports, rules: str) -> dict[str, Rating]:
    """Everyone's rating now. Only games that are new since the last look are folded, so nobody has to tell us of an end."""
    table = _known(ports, rules)
    new = [game for _, game in ports.index.oldest_first(_rated(rules), table.games)]
    if new:
        fold(table, new, results(ports, new))
        ports.index.keep_derived(f"ratings:{rules}", msgspec.json.encode(table))
    return table.ratings


def _known(ports: Ports, rules: str) -> RatingTable:
    """What was folded before; nothing, if a game that ended earlier has been listed since: the order must be right."""
    [kept] = ports.index.derived([f"ratings:{rules}"])
    table = _table.decode(kept) if kept else RatingTable()
    return table if table.games and ports.index.place_of(_rated(rules), table.last) == table.games - 1 else RatingTable()


def _rated(rules: str) -> str:
    return f"rated:{rules}"


def fold(table: RatingTable, games: Sequence[str], ended: Mapping[str, Result]) -> None:
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
