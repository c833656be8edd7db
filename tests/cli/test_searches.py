"""Searching for a game from the command line."""

import json

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from tests.cli.conftest import Desk
from tests.finished import finished
from tests.service import Service


def test_a_search_is_begun_listed_and_withdrawn(ann: Desk) -> None:
    made = json.loads(ann.done("find", "portobello", "--players", "4", "--time", "12h", "--least", "10", "--json"))
    assert f"{made['id']} portobello 4 12 h 10– 0 min" in " ".join(ann.done("find").split())
    assert "withdrawn" in ann.done("find", "--cancel", made["id"])
    assert "You have no searches." in ann.done("find")
    assert ann.run("find", "--cancel", made["id"]).exit_code != 0
    assert "waits" in ann.done("find", "alturien")
    assert ann.run("find", "chess").exit_code != 0


def test_a_profile_and_ratings_are_shown(house: Service, ann: Desk) -> None:
    other = house.ports.players.find(house.person("profiled").id)
    assert other
    house.ports.players.change(other, lambda known: {"confirmed": True})
    assert ann.done("profile").startswith("Ann (")
    assert "No game is finished yet." in ann.done("profile", "profiled")
    assert ann.run("profile", "nobody").exit_code != 0
    rival = house.person("profiled-rival")
    for number in range(2):
        finished(house.ports, f"profiled-{number}", [SeatPlan(player=other.id), SeatPlan(player=rival.id)], began=number * 10**8)
    told = [line.split() for line in ann.done("profile", other.id).splitlines()]
    assert told[1] == ["Game", "Players", "Finished", "Won", "Rating"]
    assert told[3][:2] == ["2", "2"]
    assert ["Opponent", "Games", "Ahead", "Behind"] in told
    assert next(line for line in told if line[0] == "portobello:").count("→") == 1
    assert "Profiled" in ann.done("ratings", "portobello")
    assert "Profiled" not in ann.done("ratings", "portobello", "--bots")
    assert ann.run("ratings", "chess").exit_code != 0


@pytest.mark.parametrize("rules", rulesets())
def test_public_games_to_watch_are_listed(house: Service, ann: Desk, rules: str) -> None:
    host, guest = house.person("public-host"), house.person("public-guest")
    seats = [SeatPlan(player=host.id), SeatPlan(player=guest.id)]
    for id, public in ((f"watched-{rules}", True), (f"unseen-{rules}", False)):
        open_game(house.ports, id, host.id, rules, seats, {}, public=public)
    told = ann.done("games", "--public", "--status", "running")
    assert f"watched-{rules}" in told
    assert f"unseen-{rules}" not in told


@pytest.mark.parametrize("rules", rulesets())
def test_own_games_are_listed_by_ruleset_and_by_whose_turn_it_is(house: Service, ann: Desk, rules: str) -> None:
    host, guest = ann.person, house.person("filter-guest")
    seats = [SeatPlan(player=host.id), SeatPlan(player=guest.id)]
    for number, players in enumerate((seats, seats[::-1])):
        for name in rulesets():
            open_game(house.ports, f"filtered-{rules}-{name}-{number}", host.id, name, players, {})
    ours = [f"filtered-{rules}-{rules}-{number}" for number in range(2)]
    decides = [id for id in ours if (game := house.ports.game(id)) and game.seat_of(host.id) in game.deciders]

    listed = [line.split()[0] for line in ann.done("games", "--rules", rules, "--limit", "100").splitlines()]
    assert {*ours} < {*listed}
    assert not any(f"-{name}-" in id for id in listed for name in rulesets() if id.startswith(f"filtered-{rules}-") and name != rules)
    waiting = [line.split()[0] for line in ann.done("games", "--rules", rules, "--my-turn", "--limit", "100").splitlines()]
    assert [id for id in ours if id in waiting] == decides


def test_somebody_hides_and_shows_themselves_again(house: Service, ann: Desk) -> None:
    assert "no list" in ann.done("hide")
    assert ann.person.get("/v1/players/me").json["hidden"]
    assert json.loads(ann.done("unhide", "--json")) == {"hidden": False}
    assert not ann.person.get("/v1/players/me").json["hidden"]
