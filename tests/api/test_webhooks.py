"""Webhooks, which are channels called by URL, and notice choices over REST."""

from typing import Any

import pytest

from marketpost.client import Client
from marketpost.notify.targets import MOST_TARGETS
from tests.service import Person, Service

PATH = "/v1/players/me/channels"
URL = "https://bots.example.org/hook?x=1"


@pytest.fixture
def dora(house: Service) -> Person:
    """With no webhooks yet."""
    dora = house.person("dora")
    house.mailer.targets.erase(dora.id)
    return dora


def make(person: Person, **more: Any) -> Any:
    key = more.pop("key", "")
    return person.post(PATH, {"channel": "webhook", "target": URL, **more}, headers={"Idempotency-Key": key} if key else {})


@pytest.mark.parametrize(("kind", "channel"), [("plain", "webhook"), ("discord", "discord"), ("slack", "slack")])
def test_the_path_of_version_1_0_is_the_same_resource(house: Service, dora: Person, kind: str, channel: str) -> None:
    made = dora.post("/v1/webhooks", {"url": URL, "kind": kind})
    dora.post(PATH, {"channel": "ntfy", "target": "ntfys://ntfy.example.org/topic"})
    shown = dora.get("/v1/webhooks").json["items"]
    deleted = dora.call("DELETE", f"/v1/webhooks/{made.json['id']}")

    assert made.status_code == 201
    assert made.json["secret"].startswith("whsec_")
    assert shown == [{name: value for name, value in made.json.items() if name != "secret"}]
    assert (shown[0]["url"], shown[0]["kind"], shown[0]["game"], shown[0]["off"]) == (URL, kind, None, None)
    assert deleted.status_code == 204
    assert [each["channel"] for each in dora.get(PATH).json["items"]] == ["ntfy"]
    assert dora.call("DELETE", f"/v1/webhooks/{made.json['id']}").json["code"] == "no-such-target"


def test_the_path_of_version_1_0_is_marked_as_such_and_is_not_in_the_client(house: Service) -> None:
    paths = house.app.extensions["marketpost-document"]["paths"]
    marked = {
        path for path, item in paths.items() for operation in item.values() if isinstance(operation, dict) and operation.get("deprecated")
    }

    assert marked == {"/v1/webhooks", "/v1/webhooks/{webhook}"}
    assert not hasattr(Client, "make_webhook")
    assert hasattr(Client, "add_channel")


def test_the_secret_is_told_once_and_kept_nowhere(house: Service, dora: Person) -> None:
    secret = make(dora).json["secret"]
    redis = house.ports.games.redis

    assert secret not in dora.get(PATH).get_data(as_text=True)
    assert not any(secret.encode() in (value or b"") for value in redis.hvals(house.mailer.targets.key("of", dora.id)))


def test_whoever_repeats_the_request_is_told_the_same(house: Service, dora: Person) -> None:
    first, second, other = make(dora, key="k1"), make(dora, key="k1"), make(dora, key="k2")

    assert first.json == second.json
    assert other.json["secret"] != first.json["secret"]
    assert len(dora.get(PATH).json["items"]) == 2


def test_nobody_sees_or_deletes_another_players_webhook(house: Service, dora: Person, bob: Person) -> None:
    made = make(dora).json

    assert made["id"] not in bob.get(PATH).get_data(as_text=True)
    assert bob.call("DELETE", f"{PATH}/{made['id']}").status_code == 404
    assert len(dora.get(PATH).json["items"]) == 1


def test_there_is_a_limit(dora: Person) -> None:
    answers = [make(dora) for _ in range(MOST_TARGETS + 1)]

    assert [answer.status_code for answer in answers] == [201] * MOST_TARGETS + [422]
    assert answers[-1].json["code"] == "too-many-targets"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"target": "http://127.0.0.1/"}, "webhook-private"),
        ({"target": "http://[::ffff:10.0.0.1]/"}, "webhook-private"),
        ({"target": "http://localhost./"}, "webhook-private"),
        ({"target": "https://bots.example.org:22/"}, "webhook-port"),
        ({"target": "https://ann:pw@bots.example.org/"}, "webhook-url"),
        ({"target": "ftp://bots.example.org/"}, "webhook-url"),
        ({"target": URL, "channel": "teams"}, "field-choice"),
        ({"target": URL, "game": "nosuchgame"}, "no-such-game"),
        ({"target": 7}, "field-text"),
        ({}, "field-missing"),
    ],
)
def test_what_cannot_be_called_is_refused(dora: Person, body: Any, code: str) -> None:
    answer = dora.post(PATH, {"channel": "webhook"} | body)

    assert answer.status_code in (404, 422)
    assert code in (answer.json["code"], answer.json.get("errors", [{}])[0].get("code"))
    assert dora.get(PATH).json["items"] == []


def test_a_webhook_for_a_game_is_for_those_who_take_part(house: Service, dora: Person, bob: Person) -> None:
    game = house.against_bot(dora, public=True)

    assert make(dora, game=game).json["game"] == game
    assert make(bob, game=game).json["code"] == "not-your-game"


def test_deleting_the_player_deletes_their_webhooks(house: Service) -> None:
    eve = house.person("eve")
    make(eve)
    eve.call("DELETE", "/v1/players/me")

    assert house.mailer.targets.of(eve.id) == []


def test_the_profile_says_how_and_when_one_hears(house: Service, dora: Person) -> None:
    answer = dora.call("PATCH", "/v1/players/me", json={"mail": "webhook", "digest_hour": 21, "json": True})

    assert answer.status_code == 200
    assert dora.get("/v1/players/me").json | {"mail": "webhook", "digest_hour": 21, "json": True} == answer.json


@pytest.mark.parametrize("body", [{"digest_hour": 24}, {"digest_hour": -1}, {"digest_hour": True}, {"digest_hour": 7.5}, {"mail": "fax"}])
def test_hours_and_ways_that_do_not_exist_are_refused(dora: Person, body: Any) -> None:
    assert dora.call("PATCH", "/v1/players/me", json=body).status_code == 422


def test_a_game_can_have_a_choice_of_its_own(house: Service, dora: Person) -> None:
    game = house.against_bot(dora)
    dora.call("PATCH", "/v1/players/me", json={"mail": "digest"})
    path = f"/v1/games/{game}/notices"

    assert dora.get(path).json == {"choice": "default", "letters": "digest", "webhooks": True}
    assert dora.call("PUT", path, json={"choice": "none"}).json == {"choice": "none", "letters": "none", "webhooks": False}
    assert dora.get(path).json["choice"] == "none"
    assert dora.call("PUT", path, json={"choice": "webhook"}).json == {"choice": "webhook", "letters": "every", "webhooks": True}
    assert dora.call("PUT", path, json={"choice": "default"}).json["letters"] == "digest"
    assert dora.call("PUT", path, json={"choice": "never"}).status_code == 422


def test_metrics_count_deliveries(house: Service) -> None:
    house.notifier.count("webhook", "your-turn", "delivered")
    waiting = float(house.mailer.deliveries.waiting("webhook"))
    told = house.app.test_client().get("/metrics").get_data(as_text=True)

    assert 'marketpost_deliveries_total{channel="webhook",kind="your-turn",outcome="delivered"} 1.0' in told
    assert f'marketpost_deliveries_waiting{{channel="webhook"}} {waiting}' in told
    assert 'marketpost_delivery_age_seconds{channel="email"}' in told
