"""Whole games over HTTP, and what is left of them."""

import base64
import json
from itertools import pairwise
from typing import Any

from marketpost.play.keeping.verify import verify
from marketpost.rules import records
from marketpost.rules.replay import replay
from marketpost.store.changes import Stored
from tests.service import Person, Service

RECORD = "marketpost record 1\nrules: portobello\nboard: portobello-classic\nseats: red yellow\n---\n0 yellow bobby 5"


def play_to_the_end(house: Service, person: Person, game: str) -> dict[str, Any]:
    for _ in range(200):
        shown = house.turn_of(person, game)
        if shown["status"] == "over":
            return shown
        answer = person.post(
            f"/v1/games/{game}/moves",
            {"orders": house.good_orders(game)},
            headers={"Prefer": "wait=30", "If-Match": f'"{shown["version"]}"'},
        )
        assert answer.status_code == 200, answer.get_data()
    raise AssertionError("the game does not end")


def all_events(person: Person, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = 0
    while after is not None:
        page = person.get(f"/v1/games/{game}/events?after={after}&limit=7").json
        found, after = found + page["items"], page["next"]
    return found


def test_a_whole_game_against_a_bot_can_be_checked_by_anyone(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    over = play_to_the_end(house, ann, game)

    assert over["winners"]
    assert over["decides"] == []
    assert ann.get("/v1/games?mine=true&status=over").json["items"][0]["id"] == game

    entries = all_events(ann, game)
    checked = verify(game, [Stored(each["version"], each["entry"].encode()) for each in entries])

    assert checked.faults == ()
    assert checked.draws > 0
    assert [each["version"] for each in entries] == list(range(1, over["version"] + 1))
    assert all(later["before"] == entry["hash"] for entry, later in pairwise(entries))
    assert entries[-1]["action"]["secret"] == over["secret"]


def test_before_the_end_no_answer_holds_the_secret(house: Service, bob: Person) -> None:
    game = house.against_bot(bob)
    secret = house.ports.games.secret(game)
    for path in ("", "/events", "/board", "/board?style=linear", "/record", "/legal", "/messages"):
        bob.get(f"/v1/games/{game}{path}")
    for _ in range(3):
        house.turn_of(bob, game)
        bob.post(f"/v1/games/{game}/preview", {"orders": "2: customer A; customer B"})
        bob.post(f"/v1/games/{game}/moves", {"orders": "2: customer A; nonsense"}, headers={"Prefer": "wait=20"})
        bob.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=20"})
    bob.get("/v1/games?mine=true")

    seen = b"".join(bob.seen)

    assert len(secret) == 32
    assert secret.hex().encode() not in seen.lower()
    assert secret not in seen
    assert bob.get(f"/v1/games/{game}").json["secret"] is None


def test_an_exported_record_replays_and_can_be_played_on(house: Service, ann: Person, bob: Person) -> None:
    game = house.against_bot(ann)
    for _ in range(2):
        house.turn_of(ann, game)
        ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=20"})
    house.turn_of(ann, game)
    text = ann.get(f"/v1/games/{game}/record").get_data(as_text=True)

    checked = bob.post("/v1/records", {"record": text})
    taken = bob.post("/v1/records", {"record": text, "play_on": True, "seats": [{"me": True}, {"bot": "greedy"}]})

    assert replay(records.read(text)).turns
    assert checked.status_code == 200
    assert checked.json["status"] == "running"
    assert taken.status_code == 201
    assert taken.json["imported"]
    assert taken.json["scores"] == checked.json["scores"] == ann.get(f"/v1/games/{game}").json["scores"]
    assert play_to_the_end(house, bob, taken.json["id"])["winners"]


def test_a_record_with_a_wrong_score_is_told_its_line(house: Service, ann: Person) -> None:
    text = (
        "marketpost record 1\nrules: portobello\nboard: portobello-classic\nseats: red yellow\n---\n0 yellow bobby 5 {red 10, yellow 99}\n"
    )

    answer = ann.post("/v1/records", {"record": text})

    assert answer.status_code == 422
    assert answer.json["code"] == "record-score"
    assert answer.json["step"] == 6


def test_an_imported_game_may_wait_for_others(house: Service, ann: Person, bob: Person) -> None:
    game = ann.post("/v1/records", {"record": RECORD, "play_on": True, "seats": [{"me": True}, {"player": bob.id}]}).json["id"]
    joined = bob.post(f"/v1/games/{game}/join")

    assert joined.status_code == 200
    assert joined.json["you"] == "yellow"


def test_a_game_begins_when_the_last_one_invited_has_joined(house: Service, ann: Person, bob: Person) -> None:
    body = {"rules": "portobello", "seats": [{"me": True}, {"email": bob.email.upper()}, {"open": True}], "public": True}
    game = ann.post("/v1/games", body).json["id"]
    cyd = house.person("cyd")

    assert game in [each["id"] for each in cyd.get("/v1/games?open=true").json["items"]]
    assert cyd.post(f"/v1/games/{game}/join").json["you"] == "green"
    assert cyd.post(f"/v1/games/{game}/leave").json["you"] is None
    assert cyd.post(f"/v1/games/{game}/join").json["status"] == "open"
    assert bob.post(f"/v1/games/{game}/join").json["status"] == "running"
    assert house.person("dan").post(f"/v1/games/{game}/join").json["code"] == "already-started"
    assert game not in [each["id"] for each in cyd.get("/v1/games?open=true").json["items"]]


def test_whoever_resigns_leaves_a_bot_in_the_seat(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    answer = ann.post(f"/v1/games/{game}/resign")

    assert (answer.json["seats"][0]["bot"], answer.json["status"]) == ("greedy", "over")
    assert ann.post(f"/v1/games/{game}/moves", {"orders": "end"}).json["code"] == "not-your-game"


def test_nobody_is_invited_twice(house: Service, ann: Person, bob: Person) -> None:
    twice = [[{"email": bob.email}, {"email": bob.email.upper()}], [{"player": bob.id}] * 2, [{"me": True}, {"email": ann.email}]]
    for seats in twice:
        assert ann.post("/v1/games", {"rules": "portobello", "seats": seats}).json["code"] == "seat-twice"


def test_a_board_of_your_own_is_told_all_that_is_wrong_with_it(house: Service, ann: Person) -> None:
    board = ann.get("/v1/boards/portobello-classic").json["document"]
    seats = [{"me": True}, {"bot": "greedy"}]
    good = ann.post("/v1/games", {"rules": "portobello", "seats": seats, "board": board | {"name": "mine"}})
    wrong = ann.post("/v1/games", {"rules": "portobello", "seats": seats, "board": {"name": "mine", "extra": 1}})

    assert good.status_code == 201
    assert good.json["board"] == "mine"
    assert wrong.status_code == 422
    assert {each["code"] for each in wrong.json["errors"]} == {"board-field-missing", "board-field-unknown"}
    assert len(wrong.json["errors"]) == 5


def test_lists_go_on_page_by_page(house: Service) -> None:
    eve = house.person("eve")
    made = [eve.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}]}).json["id"] for _ in range(5)]

    found, cursor = [], ""
    while cursor is not None:
        page = eve.get("/v1/games?mine=true&limit=2" + (f"&cursor={cursor}" if cursor else "")).json
        found, cursor = found + [each["id"] for each in page["items"]], page["next"]

    assert found == made[::-1]


def test_a_cursor_that_somebody_made_up_or_changed_is_refused(house: Service) -> None:
    eve = house.person("eve")
    for _ in range(3):
        eve.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}]})
    cursor = eve.get("/v1/games?mine=true&limit=1").json["next"]
    made_up = base64.urlsafe_b64encode(json.dumps([0.0, "game"]).encode()).decode().rstrip("=")

    for wrong in (made_up, cursor[:-1], "x" + cursor[1:], cursor.partition(".")[0]):
        answer = eve.get(f"/v1/games?mine=true&cursor={wrong}")
        assert (answer.status_code, answer.json["code"]) == (422, "bad-cursor"), wrong


def test_table_talk_is_said_once_for_each_key(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    headers = {"Idempotency-Key": "hello-1"}

    first, again = (ann.post(f"/v1/games/{game}/messages", {"text": "Hello!\nGood luck."}, headers=headers) for _ in range(2))
    ann.post(f"/v1/games/{game}/messages", {"text": "Ready?"})
    page = ann.get(f"/v1/games/{game}/messages?limit=1").json

    assert first.json == again.json
    assert page["items"] == [first.json]
    assert ann.get(f"/v1/games/{game}/messages?cursor={page['next']}").json["items"][0]["text"] == "Ready?"
