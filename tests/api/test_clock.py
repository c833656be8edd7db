"""Clocks and vacations over HTTP."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from marketpost.play.clock.vacation import DAYS_A_YEAR
from tests.service import Service, service

CLOCK = {"per_decision": "24h", "bank": "3d", "weekends": False, "quiet": "22-08", "at_zero": "bot-takes"}


@pytest.fixture(scope="module")
def house() -> Iterator[Service]:
    with service() as found:
        yield found


def day(ahead: int) -> str:
    return (datetime.now(UTC) + timedelta(days=ahead)).date().isoformat()


def test_a_game_shows_its_clock_and_by_when_each_is_to_decide(house: Service) -> None:
    ann = house.person("ann")
    game = house.against_bot(ann, clock=CLOCK)

    shown = ann.get(f"/v1/games/{game}").json

    assert {name: shown["clock"][name] for name in CLOCK} == CLOCK | {"per_decision": 86400, "bank": 259200}
    [mine] = [time for time in shown["clock"]["times"] if time["by"]]
    assert mine["colour"] == shown["you"]
    assert datetime.fromisoformat(mine["by"]) > datetime.now(UTC) + timedelta(hours=23)


def test_a_game_without_a_clock_says_so(house: Service) -> None:
    ann = house.person("ann")

    assert ann.get(f"/v1/games/{house.against_bot(ann)}").json["clock"] is None


def test_the_log_tells_whose_time_runs(house: Service) -> None:
    ann = house.person("ann")
    game = house.against_bot(ann, clock={"per_decision": 3600})

    items = ann.get(f"/v1/games/{game}/events").json["items"]

    assert items[0]["action"]["clock"]["per_decision"] == 3_600_000
    asked = [each for item in items for each in item["asked"]]
    assert asked[-1]["seat"] == 0
    assert datetime.fromisoformat(asked[-1]["by"]) > datetime.now(UTC)


@pytest.mark.parametrize("written", ["1d", "24h", "1440m", "23h60m", 86400])
def test_a_day_can_be_written_in_many_ways(house: Service, written: object) -> None:
    ann = house.person("ann")
    body = {"rules": "portobello", "seats": [{"me": True}, {"open": True}], "clock": {"per_decision": written}}

    assert ann.post("/v1/games", body).json["clock"]["per_decision"] == 86400


def test_who_has_lost_no_seat_cannot_come_back(house: Service) -> None:
    ann, bob = house.person("ann"), house.person("bob")
    game = house.against_bot(ann, clock=CLOCK, public=True)

    assert ann.post(f"/v1/games/{game}/return").status_code == 200
    refused = bob.post(f"/v1/games/{game}/return")
    assert (refused.status_code, refused.json["code"]) == (403, "not-your-game")


def test_a_vacation_is_taken_shown_and_ended(house: Service) -> None:
    cleo = house.person("cleo")
    assert cleo.get("/v1/players/me").json["vacation"] is None

    taken = cleo.call("PATCH", "/v1/players/me", json={"vacation": {"from": day(2), "to": day(4)}})

    assert taken.json["vacation"] == {"from": day(2), "to": day(4)}
    left = taken.json["vacation_days_left"]
    assert sum(left.values()) == 2 * DAYS_A_YEAR - 3
    ended = cleo.call("PATCH", "/v1/players/me", json={"vacation": None}).json
    assert ended["vacation"] is None
    assert sum(ended["vacation_days_left"].values()) == 2 * DAYS_A_YEAR


def test_a_vacation_that_is_refused_changes_nothing_else(house: Service) -> None:
    dan = house.person("dan")

    refused = dan.call("PATCH", "/v1/players/me", json={"name": "Daniel", "vacation": {"from": day(-9), "to": day(-8)}})

    assert (refused.status_code, refused.json["code"]) == (422, "vacation-over")
    assert dan.get("/v1/players/me").json["name"] == "Dan"
