"""A move counts once; a stale one is told so; the answer can wait for the outcome."""

import time
from concurrent.futures import ThreadPoolExecutor

from tests.service import Person, Service


def moved(person: Person, game: str) -> int:
    return sum(
        each["kind"] == "moved" and each["by"] == person.id for each in person.get(f"/v1/games/{game}/events?limit=200").json["items"]
    )


def test_a_move_is_accepted_and_its_outcome_told_later(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    answer = ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)})

    assert answer.status_code == 202
    assert answer.json == {"id": answer.json["id"], "game": game, "status": "queued"}
    assert answer.headers["Location"] == f"/v1/games/{game}/moves/{answer.json['id']}"
    until = time.monotonic() + 120
    while (told := ann.get(answer.headers["Location"]).json)["status"] == "queued":
        assert time.monotonic() < until
    assert told["status"] == "applied"
    assert told["events"][0]["event"] == "tile"


def test_with_prefer_the_answer_is_the_outcome(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    headers = {"Prefer": "respond-async, wait=20"}

    refused = ann.post(f"/v1/games/{game}/moves", {"orders": "3: stall A-B; fly away"}, headers=headers)
    illegal = ann.post(f"/v1/games/{game}/moves", {"orders": "3: mark 5"}, headers=headers)
    applied = ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers=headers)

    assert (refused.status_code, refused.content_type) == (422, "application/problem+json")
    assert (refused.json["code"], refused.json["step"]) == ("unreadable-order", 3)
    assert illegal.json["code"] == "tile-cannot-mark"
    assert illegal.json["legal"]
    assert applied.status_code == 200
    assert applied.headers["Preference-Applied"] == "wait=20"
    assert applied.headers["ETag"] == f'"{applied.json["version"]}"'


def test_a_wait_nobody_can_mean_is_ignored_and_a_long_one_cut(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    ignored = ann.post(f"/v1/games/{game}/moves", {"orders": "fly"}, headers={"Prefer": "wait=soon"})
    cut = ann.post(f"/v1/games/{game}/moves", {"orders": "fly"}, headers={"Prefer": "wait=9999"})

    assert ignored.status_code == 202
    assert cut.headers["Location"]
    assert cut.status_code == 422


def test_the_same_key_is_the_same_move_however_many_send_it(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    orders = house.good_orders(game)
    version = ann.get(f"/v1/games/{game}").json["version"]
    headers = {"Idempotency-Key": "turn-1", "Prefer": "wait=20", "If-Match": f'"{version}"'}

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ann.post(f"/v1/games/{game}/moves", {"orders": orders}, headers=headers), range(40)))
    house.turn_of(ann, game)
    later = ann.post(f"/v1/games/{game}/moves", {"orders": orders}, headers=headers)

    assert {(answer.status_code, answer.get_data()) for answer in (*answers, later)} == {(200, later.get_data())}
    assert moved(ann, game) == 1


def test_a_move_sent_again_after_the_others_agreed_to_end_the_game_is_still_the_same_move(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    headers = {"Idempotency-Key": "turn-1", "Prefer": "wait=20"}
    move = {"orders": house.good_orders(game)}
    first = ann.post(f"/v1/games/{game}/moves", move, headers=headers)
    house.turn_of(ann, game)
    ended = ann.post(f"/v1/games/{game}/proposals", {"what": "abandon"})

    again = ann.post(f"/v1/games/{game}/moves", move, headers=headers)
    other = ann.post(f"/v1/games/{game}/moves", move)

    assert ended.json["status"] == "over"
    assert (again.status_code, again.get_data()) == (200, first.get_data())
    assert (other.status_code, other.json["code"]) == (422, "game-over")


def test_the_same_key_with_another_body_is_refused(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    headers = {"Idempotency-Key": "turn-1"}

    ann.post(f"/v1/games/{game}/moves", {"orders": "fly"}, headers=headers)
    answer = ann.post(f"/v1/games/{game}/moves", {"orders": "swim"}, headers=headers)

    assert (answer.status_code, answer.json["code"]) == (422, "key-reused")


def test_of_many_moves_for_one_version_one_is_applied_and_the_others_are_stale(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    orders = house.good_orders(game)
    version = ann.get(f"/v1/games/{game}").json["version"]
    headers = {"Prefer": "wait=20", "If-Match": f'"{version}"'}

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: ann.post(f"/v1/games/{game}/moves", {"orders": orders}, headers=headers), range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 19
    assert {answer.json["code"] for answer in answers if answer.status_code == 412} == {"stale-version"}
    assert moved(ann, game) == 1


def test_any_version_will_do_for_a_star_and_nonsense_is_refused(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    any_version = ann.post(f"/v1/games/{game}/moves", {"orders": "fly"}, headers={"If-Match": "*"})

    assert any_version.status_code == 202
    for nonsense in ("3", '"x"', 'W/"3"', '"٣"', '"3", "4"'):
        answer = ann.post(f"/v1/games/{game}/moves", {"orders": "fly"}, headers={"If-Match": nonsense})
        assert (answer.status_code, answer.json["code"]) == (422, "bad-etag"), nonsense


def test_opening_a_game_twice_with_one_key_opens_one(house: Service) -> None:
    fay = house.person("fay")
    body = {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}
    headers = {"Idempotency-Key": "first-game"}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fay.post("/v1/games", body, headers=headers), range(16)))
    later = fay.post("/v1/games", body, headers=headers)
    other = fay.post("/v1/games", body | {"public": True}, headers=headers)

    assert {answer.status_code for answer in (*answers, later)} == {201}
    assert len({answer.json["id"] for answer in (*answers, later)}) == 1
    assert len(fay.get("/v1/games?mine=true").json["items"]) == 1
    assert (other.status_code, other.json["code"]) == (422, "key-reused")


def test_keys_belong_to_one_player_and_one_place(house: Service, ann: Person, bob: Person) -> None:
    body = {"rules": "portobello", "seats": [{"me": True}, {"open": True}], "public": True}
    headers = {"Idempotency-Key": "shared"}

    of_ann, of_bob = (person.post("/v1/games", body, headers=headers).json["id"] for person in (ann, bob))
    joined = ann.post(f"/v1/games/{of_bob}/join", headers=headers)

    assert of_ann != of_bob
    assert joined.status_code == 200


def test_an_answer_is_repeated_even_when_things_have_changed(house: Service, ann: Person, bob: Person) -> None:
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}], "public": True}).json["id"]

    first = bob.post(f"/v1/games/{game}/leave", headers={"Idempotency-Key": "leave"})
    bob.post(f"/v1/games/{game}/join")
    again = bob.post(f"/v1/games/{game}/leave", headers={"Idempotency-Key": "leave"})

    assert first.status_code == again.status_code == 200
    assert first.get_data() == again.get_data()
    assert bob.get(f"/v1/games/{game}").json["status"] == "running"


def test_keys_must_be_visible_ascii(house: Service, ann: Person) -> None:
    for key in ("", "a b", "ä", "x" * 201):
        answer = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}]}, headers={"Idempotency-Key": key})
        assert (answer.status_code, answer.json["code"]) == (422, "bad-key"), key
