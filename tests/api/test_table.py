"""Seats, links, proposals, notes and muting over HTTP."""

from typing import Any

import pytest

from marketpost.rules.ruleset import rulesets
from tests.service import Person, Service

TWO = {"rules": "portobello", "seats": [{"me": True}, {"open": True}]}


def between(ann: Person, bob: Person) -> str:
    """A running game."""
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": bob.id}]}).json["id"]
    assert bob.post(f"/v1/games/{game}/join").json["status"] == "running"
    return str(game)


def test_a_private_seat_is_taken_by_whoever_has_the_link(house: Service, ann: Person, bob: Person) -> None:
    game = ann.post("/v1/games", TWO).json["id"]
    made = ann.post(f"/v1/games/{game}/links", {"what": "seat"})
    key = made.json["key"]

    assert made.status_code == 201
    assert made.json["url"].endswith(f"/games/{game}?key={key}")
    assert made.json["address"].startswith(f"join+{key}@")
    for body in ({}, {"key": key[:-1]}, {"key": "x"}):
        assert bob.post(f"/v1/games/{game}/join", body).status_code == 404
    for wrong in ({"key": 1}, {"key": ""}, {"key": "x" * 65}, {"key": None}, {"seat": 1}):
        assert bob.post(f"/v1/games/{game}/join", wrong).status_code == 422
    assert bob.get(f"/v1/games/{game}?key={key}").status_code == 404, "this link is for sitting down"
    assert bob.post(f"/v1/games/{game}/join", {"key": key}).json["status"] == "running"
    assert house.person("cyd").post(f"/v1/games/{game}/join", {"key": key}).json["code"] == "already-started"
    assert ann.post(f"/v1/games/{game}/links", {"what": "seat"}).json["code"] == "already-started"


def test_a_revoked_link_opens_nothing(house: Service, ann: Person, bob: Person) -> None:
    game = ann.post("/v1/games", TWO).json["id"]
    link = ann.post(f"/v1/games/{game}/links", {"what": "seat"}).json
    assert ann.get(f"/v1/games/{game}/links").json["items"] == [link]

    assert ann.call("DELETE", f"/v1/games/{game}/links/{link['number']}").status_code == 204

    assert bob.post(f"/v1/games/{game}/join", {"key": link["key"]}).status_code == 404
    assert ann.get(f"/v1/games/{game}/links").json["items"] == []
    for number in (link["number"], "0", "x", "9" * 30):
        assert ann.call("DELETE", f"/v1/games/{game}/links/{number}").json["code"] == "no-such-link"
    assert ann.post(f"/v1/games/{game}/links", {"what": "seat"}).json["key"] != link["key"]


def test_a_spectator_with_a_link_sees_a_private_game_without_an_account(house: Service, ann: Person, bob: Person) -> None:
    game = between(ann, bob)
    link = bob.post(f"/v1/games/{game}/links", {"what": "look"}).json
    client, key = house.app.test_client(), link["key"]
    secret = house.ports.games.secret(game).hex()

    for path in ("", "/events", "/board", "/record"):
        shown = client.get(f"/v1/games/{game}{path}?key={key}")
        assert shown.status_code == 200, path
        assert secret not in shown.text
        assert client.get(f"/v1/games/{game}{path}").status_code == 401
        assert client.get(f"/v1/games/{game}{path}?key={key[:-1]}").status_code == 404
        assert client.get(f"/v1/games/{game}{path}?key=").status_code == 422
        assert house.person("cyd").get(f"/v1/games/{game}{path}?key={key}").status_code == 200
    shown = client.get(f"/v1/games/{game}?key={key}").json
    assert (shown["you"], shown["legal"]["count"]) == (None, 0)
    for path in ("/messages", "/notes", "/legal", "/links"):
        assert client.get(f"/v1/games/{game}{path}?key={key}").status_code == 401
    assert client.post(f"/v1/games/{game}/join", json={"key": key}).status_code == 401
    assert house.person("cyd").post(f"/v1/games/{game}/join", {"key": key}).status_code == 404
    assert client.get(f"/games/{game}?key={key}").status_code == 200, "the page of the link"
    assert client.get(f"/games/{game}?key={key[:-1]}").status_code == 404

    ann.call("DELETE", f"/v1/games/{game}/links/{link['number']}")

    assert client.get(f"/v1/games/{game}?key={key}").status_code == 404
    assert client.get(f"/games/{game}?key={key}").status_code == 404


def test_only_the_host_cancels_and_the_lobby_shows_it(house: Service, ann: Person, bob: Person) -> None:
    game = ann.post("/v1/games", TWO | {"public": True}).json["id"]
    assert bob.post(f"/v1/games/{game}/cancel").json["code"] == "not-the-host"

    gone = ann.post(f"/v1/games/{game}/cancel").json

    assert (gone["status"], gone["ended"], gone["winners"], gone["position"]) == ("over", "cancelled", [], None)
    assert gone["secret"]
    assert game not in [each["id"] for each in bob.get("/v1/games?open=true&limit=200").json["items"]]
    assert game in [each["id"] for each in ann.get("/v1/games?mine=true&status=over&limit=200").json["items"]]
    for path in ("board", "record", "legal"):
        assert ann.get(f"/v1/games/{game}/{path}").json["code"] == "not-started"
    assert ann.get(f"/v1/games/{game}/events").status_code == 200
    assert bob.post(f"/v1/games/{game}/join").status_code == 409
    assert ann.post(f"/v1/games/{game}/moves", {"orders": "bobby 3"}).json["code"] == "game-over"


def test_proposals_need_everyone(house: Service, ann: Person, bob: Person) -> None:
    game = between(ann, bob)
    asked = ann.post(f"/v1/games/{game}/proposals", {"what": "draw"}).json["proposal"]
    assert (asked["what"], asked["colour"], asked["asked"]) == ("draw", "red", ["yellow"])
    place = f"/v1/games/{game}/proposals"
    assert bob.post(f"{place}/{asked['number']}/no").json["proposal"] is None
    assert bob.post(f"{place}/{asked['number']}/yes").json["code"] == "no-such-proposal"
    assert bob.post(f"{place}/x/yes").status_code == 404
    for wrong in ({}, {"what": "win"}, {"what": None}, {"what": ["draw"]}, {"what": "draw", "more": 1}):
        assert ann.post(place, wrong).status_code == 422
    number = bob.post(place, {"what": "abandon"}).json["proposal"]["number"]

    over = ann.post(f"{place}/{number}/yes").json

    assert (over["status"], over["ended"], over["winners"], over["proposal"]) == ("over", "abandoned", [], None)
    assert ann.post(place, {"what": "draw"}).json["code"] == "not-running"
    assert ann.post(f"/v1/games/{game}/undo").json["code"] == "not-running"


def test_undo_after_the_turn_asks_the_other(house: Service, ann: Person, bob: Person) -> None:
    game = between(ann, bob)
    shown = ann.get(f"/v1/games/{game}").json
    first, other = (ann, bob) if "red" in shown["decides"] else (bob, ann)
    first.post(f"/v1/games/{game}/moves", {"orders": "bobby 3"}, headers={"Prefer": "wait=30"})

    proposal = first.post(f"/v1/games/{game}/undo").json["proposal"]
    assert (proposal["what"], proposal["back_to"]) == ("undo", shown["version"])
    after = other.post(f"/v1/games/{game}/proposals/{proposal['number']}/yes").json

    assert after["position"] == shown["position"]
    assert after["version"] == shown["version"] + 4
    kinds = [each["kind"] for each in ann.get(f"/v1/games/{game}/events?after={shown['version']}").json["items"]]
    assert kinds == ["moved", "proposed", "agreed", "undone"]


def test_a_seat_goes_to_another_player_or_a_bot(house: Service, ann: Person, bob: Person) -> None:
    game, cyd = between(ann, bob), house.person("cyd")
    for wrong in ({}, {"bot": "greedy", "player": cyd.id}, {"email": "nobody"}, {"bot": "nobody"}, {"player": "nobody"}, {"me": True}):
        assert ann.post(f"/v1/games/{game}/hand-over", wrong).status_code == 422, wrong
    offered = ann.post(f"/v1/games/{game}/hand-over", {"email": cyd.email.upper()}).json
    assert [seat["offered"] for seat in offered["seats"]] == [True, False]
    assert cyd.post(f"/v1/games/{game}/decline").status_code == 204
    assert cyd.get(f"/v1/games/{game}").status_code == 404
    ann.post(f"/v1/games/{game}/hand-over", {"player": cyd.id})

    assert cyd.post(f"/v1/games/{game}/join").json["you"] == "red"
    assert bob.post(f"/v1/games/{game}/hand-over", {"bot": "random"}).json["seats"][1]["bot"] == "random"
    entries = cyd.get(f"/v1/games/{game}/events?limit=200").json["items"]
    assert next(each["action"]["to"]["player"] for each in entries if each["kind"] == "handed-over") == cyd.id


def test_a_rematch_is_the_same_game_for_both(house: Service, ann: Person, bob: Person) -> None:
    game = between(ann, bob)
    assert ann.post(f"/v1/games/{game}/rematch").json["code"] == "not-over"
    ann.post(f"/v1/games/{game}/proposals", {"what": "draw"})
    over = bob.post(f"/v1/games/{game}/proposals", {"what": "draw"}).json
    assert (over["ended"], over["winners"]) == ("draw", ["red", "yellow"])

    mine, yours = (each.post(f"/v1/games/{game}/rematch") for each in (ann, bob))

    assert mine.json["id"] == yours.json["id"] != game
    assert (mine.json["status"], yours.json["status"]) == ("open", "running")


def test_notes_are_mine_alone(house: Service, ann: Person, bob: Person) -> None:
    game = between(ann, bob)
    written = ann.call("PUT", f"/v1/games/{game}/notes", json={"text": "Watch G.\nAnd B."})

    assert written.json == ann.get(f"/v1/games/{game}/notes").json == {"text": "Watch G.\nAnd B."}
    assert bob.get(f"/v1/games/{game}/notes").json == {"text": ""}
    assert b"Watch G." not in bob.get(f"/v1/games/{game}/events?limit=200").get_data()
    for wrong in ({}, {"text": None}, {"text": "x" * 10_001}, {"text": "\u001b"}, {"text": 1}):
        assert ann.call("PUT", f"/v1/games/{game}/notes", json=wrong).status_code == 422
    assert ann.call("PUT", f"/v1/games/{game}/notes", json={"text": ""}).json == {"text": ""}


def test_who_is_muted_stands_in_the_profile(house: Service) -> None:
    fay, gus = house.person("fay"), house.person("gus")
    game = between(fay, gus)
    assert fay.post(f"/v1/games/{game}/mute", {"player": gus.id}).status_code == 204
    assert fay.get("/v1/players/me").json["muted"] == [gus.id]
    for wrong in (fay.id, house.person("hal").id, "nobody"):
        assert fay.post(f"/v1/games/{game}/mute", {"player": wrong}).json["code"] == "no-such-player"

    assert fay.post(f"/v1/games/{game}/unmute", {"player": gus.id}).status_code == 204
    assert fay.get("/v1/players/me").json["muted"] == []


@pytest.mark.parametrize("body", [{"what": "host"}, {}, {"what": "seat", "for": "bob"}, []])
def test_a_link_is_to_a_seat_or_to_look(house: Service, ann: Person, body: Any) -> None:
    game = ann.post("/v1/games", TWO).json["id"]

    assert ann.post(f"/v1/games/{game}/links", body).status_code == 422


@pytest.mark.parametrize("rules", rulesets())
def test_words_for_chance_come_after_the_commitment(house: Service, ann: Person, bob: Person, rules: str) -> None:
    seats = [{"me": True}, {"player": bob.id}, {"open": True}]
    opened = ann.post("/v1/games", {"rules": rules, "seats": seats, "order": "random", "join_later": True, "public": True}).json
    game = opened["id"]
    assert (opened["scheme"], len(opened["seal"]), opened["seats"][0]["invited"], opened["you"]) == (2, 64, True, None)
    assert [seat["word"] for seat in opened["seats"]] == [None] * 3

    own = ann.post(f"/v1/games/{game}/join", {"word": "ann-1"}).json["seats"][0]
    assert (own["word"], own["word_drawn"]) == ("ann-1", False)
    drawn = bob.post(f"/v1/games/{game}/join").json["seats"][1]
    assert (len(drawn["word"]), drawn["word_drawn"]) == (16, True)
    assert bob.post(f"/v1/games/{game}/word", {"word": "bob-1"}).json["seats"][1]["word"] == "bob-1"
    for wrong in ({}, {"word": ""}, {"word": "two words"}, {"word": "x" * 41}, {"word": 7}):
        assert bob.post(f"/v1/games/{game}/word", wrong).status_code == 422
    begun = house.person("cyd").post(f"/v1/games/{game}/join").json
    assert (begun["status"], begun["seal"]) == ("running", opened["seal"])
    assert bob.post(f"/v1/games/{game}/word", {"word": "late"}).json["code"] == "already-started"

    log = ann.get(f"/v1/games/{game}/events").json["items"]
    assert [each["kind"] for each in log] == ["opened", *["joined", "contributed"] * 2, "contributed", *["joined", "contributed"], "began"]
    assert sorted(log[-1]["action"]["order"]) == [0, 1, 2]
    words = {seat["player"]: seat["word"] for seat in begun["seats"]}
    assert (words[ann.id], words[bob.id]) == ("ann-1", "bob-1")


@pytest.mark.parametrize("rules", rulesets())
def test_the_host_names_a_game_until_it_begins(ann: Person, bob: Person, rules: str) -> None:
    opened = ann.post("/v1/games", {"rules": rules, "seats": TWO["seats"], "public": True, "name": " Friday <b> "}).json
    game, rename = f"/v1/games/{opened['id']}", f"/v1/games/{opened['id']}/rename"
    assert opened["name"] == "Friday <b>"

    assert bob.post(rename, {"name": "Mine"}).json["code"] == "not-the-host"
    for wrong in ("", " ", "x" * 41, "see example.org", "two\nlines", "left\u202eright", 7):
        assert ann.post(rename, {"name": wrong}).status_code == 422
        assert ann.post("/v1/games", TWO | {"name": wrong}).status_code == 422
    assert ann.post(rename, {"name": "Saturday"}).json["name"] == "Saturday"
    assert {each["name"] for each in bob.get("/v1/games?open=true").json["items"] if each["id"] == opened["id"]} == {"Saturday"}
    assert ann.post(rename, {"name": None}).json["name"] is None
    ann.post(rename, {"name": "Sunday"})
    bob.post(f"{game}/join")

    assert ann.post(rename, {"name": "Monday"}).json["code"] == "already-started"
    assert bob.get(game).json["name"] == "Sunday"
