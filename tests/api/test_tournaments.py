"""Tournaments over REST: announced, entered, paired by a real worker, shown."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import announce
from marketpost.play.compete.plan_request import competition_clock
from tests.service import PATIENCE, Service

TOMORROW = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
CUP = {"name": "Spring Cup", "format": "swiss", "rules": "portobello", "seats": 2, "starts": TOMORROW}


def test_a_tournament_is_announced_entered_and_left(house: Service) -> None:
    ann, bob = house.person("ann"), house.person("bob")
    made = ann.post("/v1/competitions", CUP)
    assert made.status_code == 201
    path = made.headers["Location"]

    assert bob.post(f"{path}/join").json["entered"]
    assert [line["name"] for line in bob.get(path).json["standings"]] == ["Bob"]
    assert not bob.post(f"{path}/leave").json["entered"]
    assert bob.post(f"{path}/cancel").status_code == 403
    assert ann.post(f"{path}/cancel").json["ended"] == "cancelled"
    assert bob.post(f"{path}/join").status_code == 409
    assert made.json["id"] in [each["id"] for each in bob.get("/v1/competitions").json["items"]]


def test_the_same_request_announces_one_tournament(house: Service) -> None:
    carl = house.person("carl")
    first, second = (carl.post("/v1/competitions", CUP, headers={"Idempotency-Key": "cup-1"}) for _ in range(2))
    assert first.json["id"] == second.json["id"]


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"seats": 5}, 422),
        ({"seats": 1}, 422),
        ({"starts": "2020-01-01"}, 422),
        ({"starts": "soon"}, 422),
        ({"format": "chess"}, 422),
        ({"name": "see http://bad.example"}, 422),
        ({"rules": "chess"}, 422),
        ({"format": "round-robin", "rounds": 3}, 422),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(house: Service, wrong: dict[str, Any], status: int) -> None:
    answer = house.person("ann").post("/v1/competitions", CUP | wrong)
    assert answer.status_code == status, answer.get_data()


def test_nobody_finds_a_tournament_that_is_not_there(house: Service) -> None:
    assert house.person("ann").get("/v1/competitions/c-none").status_code == 404
    assert house.person("ann").get("/v1/competitions/none").status_code == 404


def test_a_worker_pairs_the_round_and_opens_its_tables(house: Service) -> None:
    people = [house.person(name) for name in ("ann", "bob", "carl", "dora")]
    plan = CompetitionPlan("At once", CompetitionFormat.SWISS, "portobello", 2, competition_clock(None), house.ports.clock() + 300)
    announce(house.ports, "c-atonce", people[0].id, plan)
    for person in people:
        assert person.post("/v1/competitions/c-atonce/join").status_code == 200
    until = time.monotonic() + PATIENCE
    while not (shown := people[0].get("/v1/competitions/c-atonce").json)["rounds"] and time.monotonic() < until:
        time.sleep(0.1)
        house.ports.enqueue("c-atonce")
    [first] = shown["rounds"]
    assert sorted(player for table in first["tables"] for player in table["players"]) == sorted(person.id for person in people)
    until = time.monotonic() + PATIENCE
    while people[0].get(f"/v1/games/{first['tables'][1]['game']}").status_code != 200 and time.monotonic() < until:
        time.sleep(0.1)
    games = [people[0].get(f"/v1/games/{table['game']}").json for table in first["tables"]]
    assert [game["status"] for game in games] == ["running", "running"]
    own, other = (next(each for each in people if each.id == seat["player"]) for seat in games[0]["seats"])
    refused = own.post(f"/v1/games/{games[0]['id']}/hand-over", {"player": next(each.id for each in people if each not in (own, other))})
    assert (refused.status_code, refused.json["code"]) == (422, "tournament-seat")
    people[0].post("/v1/competitions/c-atonce/cancel")
