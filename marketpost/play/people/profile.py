"""Public profile of a player: results, ratings and pace. Never an address."""

from dataclasses import dataclass
from statistics import median

from marketpost.play.people.ratings import Rating, ratings
from marketpost.play.people.results import Result, results
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets

MOST_GAMES = 500
"""Newest games that pace and results are computed from."""


@dataclass(frozen=True, slots=True)
class Career:
    """Results, ratings and pace of a player."""

    player: str
    name: str | None
    """None for an erased player."""
    since: int | None
    finished: dict[str, int]
    won: dict[str, int]
    ratings: dict[str, Rating]
    pace: int | None
    """The median time of a decision, in milliseconds."""


def career(ports: Ports, id: str) -> Career:
    """Compute a player's career; refused for an unknown player, also one who was only invited."""
    player = ports.players.find(id)
    if player and player.invited and not player.confirmed:
        player = None
    ended = list(results(ports, [game for _, game in ports.index.page(f"played:{id}", None, MOST_GAMES)]).values())
    if player is None and not ended:
        raise Refused("no-such-player")
    finished, won = {name: _count(ended, name) for name in rulesets()}, {name: _count(ended, name, id) for name in rulesets()}
    rated = {name: found[id] for name in rulesets() if id in (found := ratings(ports, name))}
    return Career(id, player.name if player else None, player.created if player else None, finished, won, rated, _pace(ended, id))


def _count(ended: list[Result], rules: str, winner: str | None = None) -> int:
    return sum(each.rules == rules and (winner is None or 1 in _places(each, winner)) for each in ended)


def _places(result: Result, player: str) -> list[int]:
    return [place for each, place in zip(result.players, result.places, strict=True) if each == player]


def _pace(ended: list[Result], player: str) -> int | None:
    took = [time for each in ended for who, times in zip(each.players, each.took, strict=True) if who == player for time in times]
    return round(median(took)) if took else None
