"""Many at once: the same move counts once, and of different moves for one position one."""

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from tests.service import Person, Service

ROUNDS = int(os.environ.get("RACE_ROUNDS", "3"))
"""RACE_ROUNDS=50 for a long look."""


def at_once(house: Service, person: Person, count: int, headers: list[dict[str, str]], orders: list[str], game: str) -> list[TestResponse]:
    """All of them begin together, each with a client of its own."""
    start = threading.Barrier(count)

    def send(number: int) -> TestResponse:
        client = house.app.test_client()
        start.wait()
        sent = {"Authorization": f"Bearer {person.token}", **headers[number]}
        return client.post(f"/v1/games/{game}/moves", json={"orders": orders[number]}, headers=sent)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, range(count)))


def test_the_same_move_sent_a_hundred_times_with_one_key_counts_once(house: Service) -> None:
    ann = house.person("racer")
    for number in range(ROUNDS):
        game = house.against_bot(ann)
        before = ann.get(f"/v1/games/{game}").json["version"]
        headers = [{"Idempotency-Key": f"race-{number}", "Prefer": "wait=20"}] * 100

        answers = at_once(house, ann, 100, headers, ["2:"] * 100, game)

        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.get_data() for answer in answers}) == 1
        assert ann.get(f"/v1/games/{game}").json["version"] == before + 1


def test_of_fifty_moves_for_one_position_one_is_played_and_the_others_are_stale(house: Service) -> None:
    ann = house.person("racer")
    for _ in range(ROUNDS):
        game = house.against_bot(ann)
        version = ann.get(f"/v1/games/{game}").json["version"]
        headers = [{"If-Match": f'"{version}"', "Prefer": "wait=20"}] * 50

        answers = at_once(house, ann, 50, headers, [f"{2 + number % 3}:" for number in range(50)], game)

        assert Counter(answer.status_code for answer in answers) == {200: 1, 412: 49}
        assert {answer.json["code"] for answer in answers if answer.status_code == 412} == {"stale-version"}


@pytest.mark.parametrize(("path", "body"), [("undo", None), ("proposals", {"what": "undo"})])
def test_an_undo_sent_again_takes_nothing_more_back_even_if_its_answer_was_lost(house: Service, path: str, body: object) -> None:
    ann = house.person("racer")
    game = house.against_bot(ann)
    for _ in range(2):
        steps = ann.get(f"/v1/games/{game}/legal").json["steps"]
        order = next(step for step in steps if step == "3:" or step.startswith("stall"))
        assert ann.post(f"/v1/games/{game}/moves", {"orders": order}, headers={"Prefer": "wait=20"}).status_code == 200
    version = ann.get(f"/v1/games/{game}").json["version"]

    for _ in range(3):
        answer = ann.post(f"/v1/games/{game}/{path}", body, headers={"Idempotency-Key": "back"})
        for kept in house.ports.games.redis.scan_iter("answer:*"):
            house.ports.games.redis.delete(kept)

        assert (answer.status_code, answer.json["version"]) == (200, version + 1)


@pytest.mark.parametrize(
    ("path", "body", "last"), [("leave", None, "open"), ("resign", None, "me"), ("hand-over", {"bot": "greedy"}, "me")]
)
def test_whoever_sits_in_several_seats_gives_up_one_for_each_key(house: Service, path: str, body: object, last: str) -> None:
    ann = house.person("racer")
    seats = [{"me": True}, {"me": True}, {last: True}]
    game = ann.post("/v1/games", {"rules": "portobello", "seats": seats, "public": True}).json["id"]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ann.post(f"/v1/games/{game}/{path}", body, headers={"Idempotency-Key": "mine"}), range(8)))

    assert {answer.status_code for answer in answers} == {200}
    held = [seat["player"] == ann.id for seat in ann.get(f"/v1/games/{game}").json["seats"]]
    assert held.count(True) == sum("me" in seat for seat in seats) - 1


def test_a_key_cannot_stand_for_another_move(house: Service) -> None:
    ann = house.person("racer")
    game = house.against_bot(ann)
    first = ann.post(f"/v1/games/{game}/moves", {"orders": "2:"}, headers={"Idempotency-Key": "mine", "Prefer": "wait=20"})
    other = ann.post(f"/v1/games/{game}/moves", {"orders": "3:"}, headers={"Idempotency-Key": "mine", "Prefer": "wait=20"})

    assert first.status_code == 200
    assert (other.status_code, other.json["code"]) == (422, "key-reused")


def test_settings_changed_at_once_are_all_kept(house: Service) -> None:
    ann = house.person("racer")
    for number in range(5 * ROUNDS):
        wishes = [{"name": f"Ann {number}"}, {"digest_hour": number % 24}, {"json": number % 2 == 0}, {"replay": number % 2 == 0}]
        start = threading.Barrier(len(wishes))

        def send(wish: dict[str, object], start: threading.Barrier = start) -> int:
            client = house.app.test_client()
            start.wait()
            return client.patch("/v1/players/me", json=wish, headers={"Authorization": f"Bearer {ann.token}"}).status_code

        with ThreadPoolExecutor(len(wishes)) as pool:
            assert set(pool.map(send, wishes)) == {200}

        me = ann.get("/v1/players/me").json
        assert [{name: me[name] for name in wish} for wish in wishes] == wishes


def test_signing_in_many_times_at_once_with_one_key_gives_everyone_the_same_token(house: Service) -> None:
    for number in range(ROUNDS):
        house.person("racer")
        body, start = {"email": "racer@example.org", "code": house.code_for("racer@example.org")}, threading.Barrier(20)

        def send(_: int, body: dict[str, str] = body, start: threading.Barrier = start, key: str = f"in-{number}") -> TestResponse:
            client = house.app.test_client()
            start.wait()
            return client.post("/v1/tokens", json=body, headers={"Idempotency-Key": key})

        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(send, range(20)))

        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.get_data() for answer in answers}) == 1
        assert house.app.test_client().post("/v1/tokens", json=body).json["code"] == "wrong-code"


def test_a_code_that_was_used_when_the_service_died_still_signs_in_whoever_asks_again(house: Service) -> None:
    house.person("racer")
    code = house.code_for("racer@example.org")
    body = {"email": "racer@example.org", "code": code}
    client = house.app.test_client()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(house.ports.credentials), "store_token", lambda *dies: 1 / 0)
        assert client.post("/v1/tokens", json=body, headers={"Idempotency-Key": "once"}).status_code == 500

    assert client.post("/v1/tokens", json=body, headers={"Idempotency-Key": "once"}).status_code == 201
    assert client.post("/v1/tokens", json=body, headers={"Idempotency-Key": "other"}).status_code == 403


def test_whoever_signed_in_while_the_service_died_is_signed_out_when_they_are_erased(house: Service) -> None:
    house.person("racer")
    body = {"email": "racer@example.org", "code": house.code_for("racer@example.org"), "label": "Racer's own"}
    client = house.app.test_client()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.ports.players.redis, "sadd", lambda *dies: 1 / 0)
        assert client.post("/v1/tokens", json=body, headers={"Idempotency-Key": "twice"}).status_code == 500
    token = client.post("/v1/tokens", json=body, headers={"Idempotency-Key": "twice"}).json["token"]

    assert client.delete("/v1/players/me", headers={"Authorization": f"Bearer {token}"}).status_code == 204

    assert house.ports.credentials.token(token) is None
