"""A club: people with results and ratings, tournaments of every system, searches, and somebody with many games."""

import time
from dataclasses import dataclass
from typing import Any

from marketpost.play.compete.advance import advance, due
from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import announce, change_competition, enter
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.table.searching import search
from marketpost.play.table.seating import open_game
from marketpost.store.searches import SearchPlan
from tests.finished import finished
from tests.service import Person, Service

MEMBERS = (
    "Maximiliane-Konstantine Oberhuber-Weiß", "Bob", "Çağla", "Désirée de la Tour", "Émile", "Francesca", "Giovanni Battista",
    "Hildegard", "Ines", "Jean-Baptiste", "Köbi", "Łukasz", "Marietta", "Niccolò",
)  # fmt: skip
"""Names of up to the longest that there may be."""
DAY = 24 * 3_600_000
MANY = 24
"""Games of the one who has many."""
PAGES = {
    "my-games": "/",
    "my-finished": "/finished",
    "watch": "/watch",
    "ratings": "/players?rules=portobello",
    "players-found": "/players?name=m",
    "profile": "/players/{me}",
    "profile-of-another": "/players/{other}",
    "tournaments": "/tournaments",
    "tournament-new": "/tournaments/new",
    "tournament-open": "/tournaments/c-clubopen",
} | {f"tournament-{system}": f"/tournaments/c-club{system}" for system in CompetitionFormat}


@dataclass(frozen=True, slots=True)
class Club:
    """The people of the club, and what they play; the first has something of everything."""

    people: list[Person]

    @property
    def me(self) -> Person:
        return self.people[0]

    def pages(self) -> dict[str, str]:
        """Every page about people and what they play together, by a name for it."""
        return {name: path.format(me=self.me.id, other=self.people[5].id) for name, path in PAGES.items()}


def club(house: Service) -> Club:
    """Fill a house that has no workers, on a clock that has moved on to the first rounds."""
    people = [_member(house, number, name) for number, name in enumerate(MEMBERS)]
    ids, now = [person.id for person in people], house.ports.clock()
    for number in range(12):
        seats = [SeatPlan(player=ids[(number + step) % 7]) for step in range(2 + number % 3)]
        finished(house.ports, f"club-over-{number}", seats, began=now - (40 - number) * DAY, public=True)
    for system in CompetitionFormat:
        plan = CompetitionPlan(f"Club {system}", system, "portobello", 3, TimeControl(3 * DAY), now + DAY)
        _announce(house, f"c-club{system}", plan, ids)
    plan = CompetitionPlan(
        "Großes Frühlingsturnier unserer Freunde", CompetitionFormat.SWISS, "alturien", 4, TimeControl(DAY), now + 9 * DAY
    )
    _announce(house, "c-clubopen", plan, ids[2:9])
    house.ports.clock = lambda: int(time.time() * 1000) + DAY
    for system in CompetitionFormat:
        _play(house, f"c-club{system}")
    for number in range(MANY):
        seats = [SeatPlan(player=ids[0]), *(SeatPlan(player=ids[1 + (number + step) % 13]) for step in range(1 + number % 3))]
        rules, clock = ("portobello", "alturien")[number % 2], TimeControl((number + 2) * DAY // 2)
        open_game(house.ports, f"club-{number}", ids[0], rules, seats, {}, public=number % 5 == 0, clock=clock)
    for rules in ("portobello", "alturien"):
        open_game(house.ports, f"club-open-{rules}", ids[1], rules, [SeatPlan(player=ids[1]), SeatPlan(), SeatPlan()], {}, public=True)
    search(house.ports, ids[0], SearchPlan("portobello", 3, DAY), "c1ab")
    _change(house, people[9], hidden=True)
    return Club(people)


def _member(house: Service, number: int, name: str) -> Person:
    person = house.person(f"club{number}")
    _change(house, person, name=name, confirmed=True)
    return person


def _change(house: Service, person: Person, **values: Any) -> None:
    known = house.ports.players.find(person.id)
    assert known
    house.ports.players.change(known, lambda _: values)


def _announce(house: Service, id: str, plan: CompetitionPlan, people: list[str]) -> None:
    announce(house.ports, id, people[0], plan)
    for player in people:
        enter(house.ports, id, player)


def _play(house: Service, id: str) -> None:
    """Pair the first round, end its tables (of a league and of duplicate tables only the first), and go on to the second."""
    paired = change_competition(house.ports, id, None, lambda known: due(house.ports, known))
    tables = paired.rounds[0].tables
    begun_only = paired.plan.format in (CompetitionFormat.LEAGUE, CompetitionFormat.DUPLICATE)
    for number, table in enumerate(tables[:1] if begun_only else tables):
        seats = [SeatPlan(player=player) for player in table.players]
        finished(house.ports, paired.table_id(1, number), seats, began=house.ports.clock(), public=True)
    advance(house.ports, id, lambda notices: None)
