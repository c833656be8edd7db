"""Registering, signing in, and being forgotten."""

import logging

import pytest

from marketpost.store.delivery_queue import Delivery, DeliveryQueue
from tests.service import Service, service


def test_a_known_address_is_answered_like_an_unknown_one(house: Service) -> None:
    client = house.app.test_client()
    body = {"email": "gil@example.org", "name": "Gil", "language": "de", "timezone": "Europe/Berlin"}

    first = client.post("/v1/players", json=body)
    again = client.post("/v1/players", json=body | {"name": "Somebody else"})

    assert first.status_code == again.status_code == 201
    assert first.json == body
    assert again.json == body | {"name": "Somebody else"}
    player = house.ports.players.at_address("gil@example.org")
    assert player is not None
    assert player.name == "Gil"


def test_signing_in_takes_a_code_and_never_tells_it(house: Service, caplog: pytest.LogCaptureFixture) -> None:
    client = house.app.test_client()
    codes: list[str] = []
    keep = house.ports.credentials.store_code
    with caplog.at_level(logging.DEBUG), pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            type(house.ports.credentials), "store_code", lambda self, email, code, asker: (codes.append(code), keep(email, code, asker))
        )
        registered = client.post("/v1/players", json={"email": "hal@example.org", "name": "Hal"})
        asked = client.post("/v1/tokens", json={"email": "hal@example.org"})
    wrong = client.post("/v1/tokens", json={"email": "hal@example.org", "code": "WRONG234"})
    right = client.post("/v1/tokens", json={"email": "hal@example.org", "code": codes[-1].lower(), "label": "laptop", "scopes": ["read"]})
    used = client.post("/v1/tokens", json={"email": "hal@example.org", "code": codes[-1]})

    told = registered.get_data(as_text=True) + asked.get_data(as_text=True) + str(registered.headers) + str(asked.headers) + caplog.text
    assert not any(code in told for code in codes)
    assert (asked.status_code, asked.json["email"]) == (202, "hal@example.org")
    assert (wrong.status_code, wrong.json["code"]) == (403, "wrong-code")
    assert (right.status_code, right.json["scopes"], right.json["label"]) == (201, ["read"], "laptop")
    assert used.json["code"] == "wrong-code"
    me = client.get("/v1/players/me", headers={"Authorization": f"Bearer {right.json['token']}"})
    assert me.json["confirmed"]


def test_nobody_learns_who_is_registered(house: Service) -> None:
    client = house.app.test_client()
    house.person("ivy")

    known, unknown = (client.post("/v1/tokens", json={"email": f"{name}@example.org"}) for name in ("ivy", "nobody"))
    bodies = [{"email": f"{name}@example.org", "code": "ABCDEFGH"} for name in ("ivy", "nobody")]
    wrong = [client.post("/v1/tokens", json=body, headers={"X-Request-Id": "always-the-same"}) for body in bodies]

    assert known.status_code == unknown.status_code == 202
    assert wrong[0].get_data() == wrong[1].get_data()


def test_a_token_can_be_told_again_with_the_same_key(house: Service) -> None:
    client = house.app.test_client()
    house.person("jan")
    body = {"email": "jan@example.org", "code": house.code_for("jan@example.org")}
    headers = {"Idempotency-Key": "sign-in"}

    first, again = (client.post("/v1/tokens", json=body, headers=headers) for _ in range(2))
    without = client.post("/v1/tokens", json=body)
    other = client.post("/v1/tokens", json=body | {"label": "more"}, headers=headers)

    assert first.status_code == 201
    assert first.get_data() == again.get_data()
    assert without.json["code"] == "wrong-code"
    assert other.json["code"] == "key-reused"
    raw = house.ports.players.redis
    assert not any(first.json["token"].encode() in (raw.dump(key) or b"") for key in raw.scan_iter("*"))


def test_a_profile_can_be_changed(house: Service) -> None:
    kim = house.person("kim")

    changed = kim.call("PATCH", "/v1/players/me", json={"name": " Kim K. ", "language": "it", "timezone": "Europe/Rome"})
    wrong = kim.call("PATCH", "/v1/players/me", json={"timezone": "Mars/Base"})

    assert changed.json == kim.get("/v1/players/me").json
    assert (changed.json["name"], changed.json["language"]) == ("Kim K.", "it")
    assert wrong.json["code"] == "unknown-timezone"


def test_whoever_is_erased_leaves_only_a_pseudonym(house: Service) -> None:
    lea, other = house.person("lea"), house.person("ann")
    game, played = house.against_bot(lea, public=True), house.against_bot(lea, public=True)
    lea.post(f"/v1/games/{played}/proposals", {"what": "draw"})

    gone = lea.call("DELETE", "/v1/players/me")

    assert (gone.status_code, gone.get_data()) == (204, b"")
    assert lea.get("/v1/players/me").status_code == 401
    seats = [other.get(f"/v1/games/{each}").json["seats"][0] for each in (game, played)]
    assert [(seat["player"], seat["name"], seat["bot"]) for seat in seats] == [(None, None, "greedy"), (lea.id, None, None)]
    for each in (game, played):
        assert b"lea" not in other.get(f"/v1/games/{each}/record").get_data().lower()


def test_i_see_what_was_written_to_me_and_nobody_else_does(house: Service) -> None:
    mia, ann = house.person("mia"), house.person("ann")
    post = DeliveryQueue(house.ports.games.redis)
    for number in range(3):
        post.put([Delivery(f"mia-{number}", mia.id, "turn", 1000 + number, 1000, "g1", 7)])

    page = mia.get("/v1/players/me/notifications?limit=2").json
    rest = mia.get(f"/v1/players/me/notifications?cursor={page['next']}").json

    assert [each["id"] for each in page["items"] + rest["items"]] == ["mia-2", "mia-1", "mia-0"]
    assert page["items"][0]["status"] == "waiting"
    assert not any(each["id"].startswith("mia") for each in ann.get("/v1/players/me/notifications").json["items"])


def test_whoever_asks_too_often_has_to_wait() -> None:
    with service(workers=0, LIMITS="requests-player=3, sign-ins-address=5, codes-recipient=2") as house:
        ann, bob = house.person("ann"), house.person("bob")
        client = house.app.test_client()

        answers = [ann.get("/v1/players/me") for _ in range(5)]
        signing_in = [client.post("/v1/tokens", json={"email": "bob@example.org"}) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert [answer.headers["RateLimit-Remaining"] for answer in answers[:3]] == ["2", "1", "0"]
        assert answers[3].content_type == "application/problem+json"
        assert 0 < int(answers[3].headers["Retry-After"]) <= 61
        assert bob.get("/v1/players/me").status_code == 200
        assert [answer.status_code for answer in signing_in] == [202, 202, 429]
        assert int(signing_in[2].headers["Retry-After"]) > 60
        assert all(client.get("/health").status_code == 200 for _ in range(10))
