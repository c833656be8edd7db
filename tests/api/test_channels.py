"""Channels over REST, on the settings page and by the command line: added, tested, removed, exported, erased, and what was sent."""

import json
import zipfile
from html import unescape
from io import BytesIO

import pytest

from api.push import CHANNEL
from marketpost.notify.channels import target_channels
from marketpost.notify.engine import call_targets
from marketpost.rules.words import LANGUAGES
from marketpost.store.delivery_queue import Delivery
from tests.notify.doubles import Double, ntfy, serving
from tests.service import Person, Service

PATH = "/v1/players/me/channels"
TOPIC = "ntfys://ann:hidden@ntfy.example.org/topic"


@pytest.fixture
def nora(house: Service) -> Person:
    """With no targets yet."""
    nora = house.person("nora")
    house.mailer.targets.erase(nora.id)
    return nora


def test_a_target_is_added_shown_and_removed_and_its_secrets_are_not_told(nora: Person) -> None:
    made = nora.post(PATH, {"channel": "ntfy", "target": TOPIC})
    shown = nora.get(PATH)
    other = nora.post("/v1/webhooks", {"url": "https://bots.example.org/hook"}).json

    assert (made.status_code, made.json["channel"], made.json["host"]) == (201, "ntfy", "ntfy.example.org")
    assert [each["id"] for each in shown.json["items"]] == [made.json["id"]]
    assert "hidden" not in shown.get_data(as_text=True)
    assert [each["id"] for each in nora.get("/v1/webhooks").json["items"]] == [other["id"]]
    assert nora.call("DELETE", f"{PATH}/{made.json['id']}").status_code == 204
    assert [each["channel"] for each in nora.get(PATH).json["items"]] == ["webhook"]
    assert nora.call("DELETE", f"{PATH}/{made.json['id']}").json["code"] == "no-such-target"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"channel": "email", "target": "ann@example.org"}, "field-choice"),
        ({"channel": "ntfy", "target": "ntfy://127.0.0.1/topic"}, "webhook-private"),
        ({"channel": "ntfy", "target": "ntfys://ntfy.example.org/topic?attach=file:///etc/passwd"}, "channel-form"),
        ({"channel": "telegram", "target": "tgram://nonsense"}, "channel-form"),
        ({"channel": "ntfy", "target": TOPIC, "game": "not-mine"}, "no-such-game"),
    ],
)
def test_what_cannot_be_a_target_is_refused_with_the_reason(nora: Person, body: dict[str, str], code: str) -> None:
    answer = nora.post(PATH, body)

    assert answer.status_code >= 400
    assert answer.json["code"] == code
    assert nora.get(PATH).json["items"] == []


def test_a_test_message_arrives_in_my_language_and_stands_in_the_history(
    house: Service, nora: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.mailer, "settings", house.settings_allowing("127.0.0.1/32"))
    nora.call("PATCH", "/v1/players/me", json={"language": "it"})
    with serving(Double(ntfy)) as server:
        made = nora.post(PATH, {"channel": "ntfy", "target": f"ntfy://{server.place}/topic"}).json
        first, second = (nora.post(f"{PATH}/{made['id']}/test") for _ in range(2))
        call_targets(house.notifier, 10.0)

    assert (first.status_code, first.json["status"], first.json["channel"]) == (202, "waiting", "ntfy")
    assert first.json["id"] == second.json["id"] or len(server.told) == 2, "one a minute"
    assert server.told[0].startswith("Una prova")
    [entry, *_] = nora.get("/v1/players/me/notifications").json["items"]
    assert (entry["letter"], entry["channel"], entry["target"], entry["status"]) == ("test", "ntfy", made["id"], "sent")
    assert nora.get(PATH).json["items"][0]["last_success"]
    assert nora.post(f"{PATH}/nobody/test").json["code"] == "no-such-target"


def test_letters_and_other_messages_are_one_history_newest_first(house: Service, nora: Person) -> None:
    house.mailer.deliveries.put([
        Delivery("n-1", nora.id, "your-turn", 10_000, 1, "g1", 1),
        Delivery("n-2", nora.id, "your-turn", 10_001, 1, "g1", 1, channel="ntfy", target="t"),
    ])  # fmt: skip
    found = [(each["id"], each["channel"]) for each in nora.get("/v1/players/me/notifications").json["items"] if each["game"] == "g1"]

    assert found == [("n-2", "ntfy"), ("n-1", "email")]


def test_the_export_has_targets_and_history_and_erasing_leaves_none(house: Service) -> None:
    eve = house.person("eve-of-channels")
    eve.post(PATH, {"channel": "ntfy", "target": TOPIC})
    house.mailer.deliveries.put([Delivery("e-1", eve.id, "your-turn", 1, 1, "g1", 1, channel="ntfy", target="t")])
    with zipfile.ZipFile(BytesIO(eve.get("/v1/players/me/export").data)) as archive:
        targets = json.loads(archive.read(next(name for name in archive.namelist() if name.endswith("channels.json"))))
        assert targets[0]["target"] == TOPIC
        assert any(b"e-1" in archive.read(name) for name in archive.namelist())

    assert eve.call("DELETE", "/v1/players/me").status_code == 204

    redis = house.ports.games.redis
    assert house.mailer.targets.of(eve.id) == []
    assert house.mailer.deliveries.find("e-1") is None
    assert not redis.zscore(house.mailer.deliveries.line("ntfy"), "e-1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settings_page_offers_every_channel_and_shows_what_was_sent(house: Service, nora: Person, language: str) -> None:
    house.mailer.deliveries.put([Delivery(f"s-{language}", nora.id, "over", 20_000, 1, "g1", 1, channel="ntfy", target="t")])
    client = house.app.test_client()
    client.set_cookie("session", nora.token)
    nora.call("PATCH", "/v1/players/me", json={"language": language})
    page = unescape(client.get("/settings").text)

    assert all(f'<option value="{name}">' in page for name in target_channels() if name != CHANNEL)
    assert f'<option value="{CHANNEL}">' not in page, "a browser subscribes by itself"
    assert 'value="email"' not in page
    assert "history." not in page
    assert "/games/g1" in page
