"""All three competitions from their announcement to their end."""

import random

from marketpost.play.compete.competition import CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionFormat
from marketpost.play.compete.entering import competition_of
from marketpost.rules.ruleset import ruleset
from tests.model.fragile import Stores
from tests.seasons.checks import faults, figures
from tests.seasons.town import Contest, Town, tables

SEASONS, ROUNDS = 3, 5
MOST_PASSES = 5000


def play(town: Town, seats: int) -> None:
    """All three competitions to their end. Somebody enters late, somebody leaves, somebody is erased, and two do not come."""
    names = town.names
    half = len(names) // 2
    league = town.announce("League", CompetitionFormat.LEAGUE, names[:-1], seats, SEASONS, "14d")
    swiss = town.announce("Swiss", CompetitionFormat.SWISS, names[:half], seats, ROUNDS)
    same = town.announce("Same luck", CompetitionFormat.DUPLICATE, names[half:], seats, 1)
    for contest in town.contests:
        town.enter(contest, *contest.people)
    town.asleep = {(swiss.id, town.service.person(names[1]).id), (league.id, town.service.person(names[2]).id)}
    while any(competition_of(town.service.ports, each.id).status != CompetitionStatus.OVER for each in town.contests):
        town.play_on()
        happen(town, league, swiss)
        look_at_sealed(town, same)
        assert town.done["passes"] < MOST_PASSES, "the competitions do not end"
    town.work()


def happen(town: Town, league: Contest, swiss: Contest) -> None:
    """What people do meanwhile, each once."""
    names, season = town.names, len(competition_of(town.service.ports, league.id).rounds)
    if season == 1 and "late" not in town.happened:
        town.happened.add("late")
        town.enter(league, names[-1])
    if season == 2 and "gone" not in town.happened:
        town.happened.add("gone")
        assert town.service.call(names[4], "DELETE", "/v1/players/me").status_code < 300
        town.service.call(names[5], "POST", f"/v1/competitions/{league.id}/leave", {}, "leaves")
    if len(competition_of(town.service.ports, swiss.id).rounds) == 2 and "left" not in town.happened:
        town.happened.add("left")
        town.service.call(names[6], "POST", f"/v1/competitions/{swiss.id}/leave", {}, "leaves-too")


def look_at_sealed(town: Town, same: Contest) -> None:
    """While duplicate tables are played, the ones that are over are not there for others."""
    competition = competition_of(town.service.ports, same.id)
    if not competition.is_sealed:
        return
    stranger = town.names[0]
    for id in tables(competition, competition.rounds):
        if town.service.ports.game(id):
            town.done["looks at sealed tables"] += 1
            assert town.service.call(stranger, "GET", f"/v1/games/{id}").status_code == 404


def run(stores: Stores, players: int, rules: str, seed: int, whole: int = 1) -> tuple[list[tuple[str, str]], list[str]]:
    """Play everything, one of `whole` tables to its end; returns figures and faults."""
    town = Town(stores, players, rules, random.Random(seed), whole)
    play(town, min(3, ruleset(rules).players[-1]))
    return figures(town), list(faults(town))
