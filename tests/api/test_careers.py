"""What is public of a player: results, ratings and pace; no address, and no private game."""

import json
from typing import Any

import pytest

from marketpost.play.limits import read_limits
from marketpost.play.log.actions import SeatPlan
from tests.finished import finished as write_finished
from tests.service import Person, Service


@pytest.fixture(scope="module")
def finished(house: Service) -> dict[str, Any]:
    """A public and a private game between Rita and Sam, played to their ends, and Tom, who looks."""
    rita, sam, tom = (house.person(name) for name in ("rita", "sam", "tom"))
    _play(house, "rated-public", rita, sam, True)
    _play(house, "rated-private", rita, sam, False)
    return {"rita": rita, "sam": sam, "tom": tom}


def _play(house: Service, id: str, one: Person, other: Person, public: bool) -> None:
    write_finished(house.ports, id, [SeatPlan(player=one.id), SeatPlan(player=other.id)], began=house.ports.clock(), public=public)


def test_a_stranger_sees_results_ratings_and_pace_but_no_address(house: Service, finished: dict[str, Any]) -> None:
    shown = finished["tom"].get(f"/v1/players/{finished['rita'].id}")

    assert shown.json.keys() == {"id", "name", "bot", "since", "played", "pace", "decisions", "late", "opponents"}
    played = {each["rules"]: each for each in shown.json["played"]}
    assert (shown.json["name"], played["portobello"]["finished"], played["portobello"]["rating"]["games"]) == ("Rita", 2, 2)
    assert played["portobello"]["by_players"][0].keys() == {"players", "finished", "won"}
    assert played["alturien"] == {"rules": "alturien", "finished": 0, "won": 0, "by_players": [], "rating": None}
    assert shown.json["pace"] == 60.0
    assert "example.org" not in shown.get_data(as_text=True)


def test_finished_games_are_listed_for_whoever_may_see_them(finished: dict[str, Any]) -> None:
    path = f"/v1/players/{finished['rita'].id}/games"
    stranger = [each["id"] for each in finished["tom"].get(path).json["items"]]
    friend = finished["sam"].get(f"{path}?limit=1").json
    rest = finished["sam"].get(f"{path}?limit=1&cursor={friend['next']}").json

    assert stranger == ["rated-public"]
    assert [friend["items"][0]["id"], rest["items"][0]["id"]] == ["rated-private", "rated-public"]


def exported(reader: Person, query: str) -> list[dict[str, Any]]:
    told = reader.get(f"/v1/games/export{query}")
    assert told.content_type == "application/x-ndjson"
    return [json.loads(line) for line in told.get_data(as_text=True).splitlines()]


def test_many_games_are_exported_as_far_as_the_reader_may_see_them(house: Service, finished: dict[str, Any]) -> None:
    rita, sam, tom = finished["rita"], finished["sam"], finished["tom"]
    running = house.against_bot(rita)

    assert [each["id"] for each in exported(tom, f"?player={rita.id}")] == ["rated-public"]
    assert [each["id"] for each in exported(sam, f"?player={rita.id}")] == ["rated-private", "rated-public"]
    assert [each["id"] for each in exported(sam, "?limit=1")] == ["rated-private"]
    assert [each["id"] for each in exported(rita, f"?ids={running},nowhere,rated-public,{running}")] == [running, "rated-public"]
    assert exported(tom, f"?ids={running}") == []
    assert tom.post("/v1/records", {"record": exported(tom, "?ids=rated-public")[0]["record"]}).json["status"] == "over"


def test_each_exported_game_and_each_player_counts_as_a_call(house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    eve = house.person("eve")
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("requests-player=6"))

    statuses = [eve.get(f"/v1/{path}").status_code for path in ("games/export?ids=a,b,c", "players/status?ids=a,b", "games/export?ids=a,b")]

    assert statuses == [200, 200, 429]


def test_the_status_of_several_players_shows_what_the_reader_may_see(house: Service, finished: dict[str, Any]) -> None:
    rita, sam, tom = finished["rita"], finished["sam"], finished["tom"]
    shy = house.person("shy")
    shy.call("PATCH", "/v1/players/me", json={"hidden": True})
    house.against_bot(sam, public=True)
    house.against_bot(sam)

    def told(reader: Person) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = reader.get(f"/v1/players/status?ids={shy.id},{sam.id},nobody,{rita.id},{sam.id}").json["items"]
        return found

    stranger, own = told(tom)[0], told(sam)[0]

    assert [each["id"] for each in told(tom)] == [sam.id, rita.id]
    assert [each["id"] for each in told(shy)] == [shy.id, sam.id, rita.id]
    assert stranger["name"] == "Sam"
    assert stranger["seen"].endswith(":00:00.000Z")
    assert (stranger["playing"], own["playing"]) == (1, 2)


def test_the_table_of_ratings_is_paged_best_first(finished: dict[str, Any]) -> None:
    tom = finished["tom"]
    table = tom.get("/v1/ratings/portobello").json["items"]
    first = tom.get("/v1/ratings/portobello?limit=1").json
    second = tom.get(f"/v1/ratings/portobello?limit=1&cursor={first['next']}").json

    assert {row["name"] for row in table} >= {"Rita", "Sam"}
    assert [row["points"] for row in table] == sorted((row["points"] for row in table), reverse=True)
    assert [first["items"][0], second["items"][0]] == table[:2]
    assert not {"Rita", "Sam"} & {row["name"] for row in tom.get("/v1/ratings/alturien").json["items"]}


@pytest.mark.parametrize("path", ["/v1/players/0000000000000000", "/v1/ratings/chess", "/v1/players/0000/x/y"])
def test_what_does_not_exist_is_not_found(finished: dict[str, Any], path: str) -> None:
    assert finished["tom"].get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/v1/ratings/portobello?cursor=x",
        "/v1/ratings/portobello?limit=0",
        "/v1/players?name=",
        "/v1/players/status",
        "/v1/games/export?ids=a,,b",
    ],
)
def test_bad_pages_are_refused(finished: dict[str, Any], path: str) -> None:
    assert finished["tom"].get(path).status_code == 422


def test_without_a_token_nobody_is_told_anything(house: Service, finished: dict[str, Any]) -> None:
    for path in (f"/v1/players/{finished['rita'].id}", "/v1/ratings/portobello"):
        assert house.app.test_client().get(path).status_code == 401
