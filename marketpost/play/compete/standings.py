"""Standings of a competition: points, tie-breaks, and who has met whom. Pure: everything comes from the competition."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from marketpost.play.compete.competition import Competition, Round
from marketpost.play.compete.competition_actions import CompetitionFormat, TableEnded

AVERAGE = 0.5
"""Points for a bye among duplicate tables."""
Lots = Mapping[str, int]
"""A number for each player, drawn by the competition's secret."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A player's line in the standings."""

    player: str
    place: int
    """Players whom only lots tell apart share a place."""
    points: float
    """For each table the share of the others at it who were beaten, a tie counting half; 1 for a bye."""
    opponents: float
    """Mean points of all opponents, each counted as often as met (Buchholz)."""
    wins: int
    played: int
    forfeits: int
    round: int
    """The last round in which the player had a table or a bye."""
    withdrawn: bool
    division: int = 0
    """Division of a league, from 1 on; 0 for somebody who waits for the next season."""


def share(places: tuple[int, ...], seat: int) -> float:
    """Compute the points of a seat: the share of the others who were beaten; a tie counts half, a game without a result nothing."""
    others = len(places) - 1
    if others < 1:
        return 0.0
    beaten = sum(1.0 for place in places if place > places[seat])
    tied = sum(0.5 for number, place in enumerate(places) if place == places[seat] and number != seat)
    return (beaten + tied) / others


def field_share(now: Round, number: int, seat: int) -> float:
    """Compute the matchpoints of a seat at a duplicate table: the share of the same seats at the other tables that did worse.

    The place at the own table counts first, then the score; a tie counts half, and a seat that was given up did worse than all others. Only
    tables with as many seats are compared. Where there is none, the others at the own table are.
    """
    size = len(now.tables[number].players)
    field = [each for each, ended in now.ended.items() if each != number and ended.places and len(now.tables[each].players) == size]
    if not field or not now.ended[number].places:
        return share(now.ended[number].places, seat)
    own = _worth(now.ended[number], seat)
    others = [_worth(now.ended[each], seat) for each in field]
    return sum(1.0 if other < own else 0.5 if other == own else 0.0 for other in others) / len(others)


def _worth(ended: TableEnded, seat: int) -> tuple[bool, int, list[int]]:
    """Rank what a seat did at its table. Of a score with several numbers the last counts first."""
    return seat not in ended.forfeits, -ended.places[seat], [int(part) for part in reversed(ended.scores[seat].split("+"))]


def table_points(competition: Competition) -> Iterator[tuple[str, float, bool, bool]]:
    """List for every player at a table that is over: the points, whether it was won, and whether it was forfeited."""
    for each in competition.rounds:
        for number, ended in each.ended.items():
            for seat, player in enumerate(each.tables[number].players):
                won = bool(ended.places) and ended.places[seat] == 1 and seat not in ended.forfeits
                scored = field_share(each, number, seat) if competition.is_duplicate else share(ended.places, seat)
                points = 0.0 if seat in ended.forfeits else scored
                yield player, points, won, seat in ended.forfeits


def points_of(competition: Competition) -> dict[str, float]:
    """Sum up the points of every player."""
    points = dict.fromkeys(competition.entrants, 0.0)
    for player, scored, _, _ in table_points(competition):
        points[player] += scored
    for each in competition.rounds:
        for player in each.byes:
            points[player] += AVERAGE if competition.is_duplicate else 1.0
    return points


def meetings(competition: Competition) -> Counter[frozenset[str]]:
    """Count how often each pair of players has had a table together."""
    return Counter(
        frozenset(pair) for each in competition.rounds for table in each.tables for pair in combinations(sorted(table.players), 2)
    )


def standings(competition: Competition, lots: Lots | None = None) -> list[Rank]:
    """Compute the standings, best first: in a knock-out by the round reached, then by points, opponents' points and wins.

    Players who are equal in all of them share a place; lots, where they are known, only order them. Those of a league are of its last
    season, division by division.
    """
    if competition.plan.format == CompetitionFormat.LEAGUE and competition.rounds:
        return _league(competition, lots)
    return _ranked(competition, lots)


def divisions(competition: Competition, lots: Lots | None = None) -> list[list[Rank]]:
    """Rank each division of a league in its last season."""
    last = competition.rounds[-1]
    count = max((table.division for table in last.tables), default=0)
    return [_ranked(_division(competition, last, number), lots) for number in range(1, count + 1)]


def _division(competition: Competition, season: Round, number: int) -> Competition:
    """Cut one division of one season out of a league, as if it were a competition."""
    tables = [place for place, table in enumerate(season.tables) if table.division == number]
    ended = {new: season.ended[old] for new, old in enumerate(tables) if old in season.ended}
    own = replace(competition, rounds=[Round(1, tuple(season.tables[each] for each in tables), (), season.began, ended=ended)])
    own.plan = competition.plan
    own.entrants = list(dict.fromkeys(player for each in tables for player in season.tables[each].players))
    return own


def _league(competition: Competition, lots: Lots | None) -> list[Rank]:
    found = [replace(line, division=number) for number, lines in enumerate(divisions(competition, lots), 1) for line in lines]
    ranked = {line.player for line in found}
    waiting = [player for player in competition.active if player not in ranked]
    return found + [Rank(player, 0, 0.0, 0.0, 0, 0, 0, 0, withdrawn=False) for player in waiting]


def _ranked(competition: Competition, lots: Lots | None) -> list[Rank]:
    """Rank all players of a competition by everything that was played in it."""
    points, met = points_of(competition), meetings(competition)
    scored = list(table_points(competition))
    wins = Counter(player for player, _, won, _ in scored if won)
    played = Counter(player for player, _, _, _ in scored)
    forfeits = Counter(player for player, _, _, forfeited in scored if forfeited)
    reached = _reached(competition)
    opponents = {player: _mean_points(player, met, points) for player in points}
    is_knock_out = competition.plan.format == CompetitionFormat.KNOCK_OUT

    def worth(player: str) -> tuple[float, ...]:
        stage = reached[player] if is_knock_out else 0
        return stage, round(points[player], 6), round(opponents[player], 6), wins[player]

    order = sorted(points, key=lambda player: (*(-part for part in worth(player)), (lots or {}).get(player, 0), player))
    return [
        Rank(
            player,
            1 + sum(worth(other) > worth(player) for other in order),
            points[player],
            opponents[player],
            wins[player],
            played[player],
            forfeits[player],
            reached[player],
            player in competition.withdrawn,
        )
        for player in order
    ]


def _reached(competition: Competition) -> dict[str, int]:
    reached = dict.fromkeys(competition.entrants, 0)
    for each in competition.rounds:
        for player in (*each.byes, *(player for table in each.tables for player in table.players)):
            reached[player] = each.number
    return reached


def _mean_points(player: str, met: Counter[frozenset[str]], points: Mapping[str, float]) -> float:
    """Compute the mean points of a player's opponents; 0 for somebody who has met nobody."""
    found = [(points[other], times) for pair, times in met.items() if player in pair for other in pair - {player}]
    times = sum(count for _, count in found)
    return sum(worth * count for worth, count in found) / times if times else 0.0
