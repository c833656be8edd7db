"""What is public of a player: results, ratings and pace; no address, and no private game."""

from typing import Any

import pytest

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


@pytest.mark.parametrize("path", ["/v1/ratings/portobello?cursor=x", "/v1/ratings/portobello?limit=0", "/v1/players?name="])
def test_bad_pages_are_refused(finished: dict[str, Any], path: str) -> None:
    assert finished["tom"].get(path).status_code == 422


def test_without_a_token_nobody_is_told_anything(house: Service, finished: dict[str, Any]) -> None:
    for path in (f"/v1/players/{finished['rita'].id}", "/v1/ratings/portobello"):
        assert house.app.test_client().get(path).status_code == 401
