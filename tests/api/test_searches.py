"""Searching for a game over REST: begun, listed, withdrawn, and matched by a real worker."""

import threading
import time
from typing import Any

import pytest

from marketpost.play.table.matching import LONGEST_SEARCH
from marketpost.store.searches import Search, SearchPlan
from tests.service import PATIENCE, Person, Service
from workers import run

ASKED = {"rules": "alturien", "players": 2, "per_decision": "6h"}


def found_by(person: Person) -> list[Any]:
    until = time.monotonic() + PATIENCE
    while not (games := person.get("/v1/games?mine=true").json["items"]) and time.monotonic() < until:
        time.sleep(0.05)
    return list(games)


def test_two_who_search_for_the_same_game_play_it(house: Service) -> None:
    ann, bob = house.person("seeker-ann"), house.person("seeker-bob")
    made = ann.post("/v1/searches", ASKED)
    assert made.status_code == 201
    assert (made.json["players"], made.json["per_decision"], made.json["least"]) == (2, 6 * 3600, None)
    assert [each["id"] for each in ann.get("/v1/searches").json["items"]] == [made.json["id"]]
    assert bob.call("DELETE", f"/v1/searches/{made.json['id']}").status_code == 404
    bob.post("/v1/searches", ASKED)
    [game] = found_by(ann)
    assert game["status"] == "running"
    assert {seat["player"] for seat in game["seats"]} == {ann.id, bob.id}
    assert ann.get("/v1/searches").json["items"] == []


def test_a_search_is_withdrawn_and_the_same_request_begins_one(house: Service) -> None:
    carl = house.person("seeker-carl")
    body = {**ASKED, "players": 3, "strength": "similar"}
    first, second = (carl.post("/v1/searches", body, headers={"Idempotency-Key": "find-1"}) for _ in range(2))
    assert first.json == second.json
    assert (first.json["least"], first.json["most"]) == (-5.0, 5.0)
    assert len(carl.get("/v1/searches").json["items"]) == 1
    assert carl.call("DELETE", f"/v1/searches/{first.json['id']}").status_code == 204
    assert carl.call("DELETE", f"/v1/searches/{first.json['id']}").status_code == 404
    assert carl.get("/v1/searches").json["items"] == []


@pytest.mark.parametrize(
    "wrong",
    [{"rules": "chess"}, {"rules": "portobello", "players": 5}, {"per_decision": "1s"}, {"strength": "weak"}, {"least": 9, "most": 3}],
)
def test_a_search_for_a_game_that_cannot_be_is_refused(house: Service, wrong: dict[str, Any]) -> None:
    assert house.person("seeker-dora").post("/v1/searches", ASKED | wrong).status_code == 422


def test_the_sweeper_finds_a_search_that_has_waited_for_an_hour(house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SWEEP_EVERY", 0.05)
    alone, stop = house.person("seeker-eve"), threading.Event()
    house.ports.searches.add(Search("late", alone.id, SearchPlan("portobello", 3, 60_000), house.ports.clock() - LONGEST_SEARCH), 1)
    sweeper = threading.Thread(target=run.sweep_for_ever, args=(house.settings, stop))
    sweeper.start()
    try:
        [game] = found_by(alone)
    finally:
        stop.set()
        sweeper.join()
    assert [bool(seat["bot"]) for seat in game["seats"]].count(True) == 2
