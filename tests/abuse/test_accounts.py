"""What people may do with their account: see and revoke their tokens, take their data along, be erased."""

import io
import json
import zipfile
from typing import Any

import pytest

from marketpost.play.people.registration import HOUR, find_token, new_token, register
from marketpost.play.ports import Ports
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.service import Person, Service
from tests.web.conftest import Open


def unzipped(answer: Any) -> dict[str, str]:
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.get_data())) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_my_tokens_are_listed_without_their_secrets_and_can_be_revoked(house: Service) -> None:
    ann = house.person("ann-of-tokens")
    other, made = new_token(house.ports, ann.id, "my bot", ("read",))
    bot = Person(ann.id, ann.email, other, house.app.test_client())
    assert bot.get("/v1/players/me").status_code == 200

    listed = ann.get("/v1/tokens")

    shown = {each["id"]: each for each in listed.json["items"]}
    assert (shown[made.id]["label"], shown[made.id]["scopes"], shown[made.id]["current"]) == ("my bot", ["read"], False)
    assert shown[made.id]["used"].endswith(":00:00.000Z")
    assert [each["current"] for each in shown.values()].count(True) == 1
    assert other not in listed.text
    assert bot.call("DELETE", f"/v1/tokens/{made.id}").json["code"] == "scope-missing"
    assert ann.call("DELETE", f"/v1/tokens/{made.id}").status_code == 204
    assert bot.get("/v1/players/me").status_code == 401
    assert ann.call("DELETE", f"/v1/tokens/{made.id}").json["code"] == "no-such-token"


def test_nobody_sees_or_revokes_the_tokens_of_others(house: Service) -> None:
    ann, mallory = house.person("ann-of-tokens"), house.person("mallory")
    [own, *_] = ann.get("/v1/tokens").json["items"]

    assert own["id"] not in mallory.get("/v1/tokens").text
    assert mallory.call("DELETE", f"/v1/tokens/{own['id']}").status_code == 404


def test_the_last_use_is_written_once_an_hour_and_not_over_a_revoked_token(ports: Ports) -> None:
    player, start = register(ports, "ann@example.org", "Ann").id, 100 * HOUR + 7
    ports.clock = lambda: start
    secret, token = new_token(ports, player, "", ("read",))
    before = ports.players.redis.info("stats")["total_commands_processed"]

    for _ in range(50):
        assert find_token(ports, secret)

    assert ports.players.redis.info("stats")["total_commands_processed"] - before <= 50 + 10, "a read each, one write for all"
    assert [each.used for each in ports.credentials.tokens_of(player)] == [100 * HOUR]
    ports.credentials.drop_token(secret, player)
    ports.credentials.touch_token(secret, token, start)
    assert find_token(ports, secret) is None


@pytest.mark.parametrize("rules", rulesets())
def test_everything_about_me_comes_as_an_archive(house: Service, rules: str) -> None:
    ann, bob = house.person("ann-exports"), house.person("bob-exports")
    seats = [{"me": True}, {"player": bob.id}]
    game = ann.post("/v1/games", {"rules": rules, "seats": seats}).json["id"]
    bob.post(f"/v1/games/{game}/join")
    ann.post(f"/v1/games/{game}/messages", {"text": "hello from ann"})
    bob.post(f"/v1/games/{game}/messages", {"text": "hello from bob"})
    ann.call("PUT", f"/v1/games/{game}/notes", json={"text": "ann's plan"})
    bob.call("PUT", f"/v1/games/{game}/notes", json={"text": "bob's plan"})
    ann.post("/v1/reports", {"player": bob.id, "text": "he is slow"})
    bob.post("/v1/reports", {"player": ann.id, "text": "she is slow"})
    secret = house.ports.games.secret(game)

    files = unzipped(ann.get("/v1/players/me/export"))

    assert json.loads(files["profile.json"])["email"] == ann.email
    assert json.loads(files["notifications.json"]) is not None
    assert [each["text"] for each in json.loads(files[f"games/{game}/messages.json"])] == ["hello from ann", "hello from bob"]
    assert {each["text"] for each in json.loads(files["reports.json"])} == {"he is slow"}
    assert files[f"games/{game}/notes.txt"] == "ann's plan"
    assert files[f"games/{game}/record.txt"] == ann.get(f"/v1/games/{game}/record").text
    assert json.loads(files[f"games/{game}/log.json"])["items"] == ann.get(f"/v1/games/{game}/events").json["items"]
    everything = "".join(files.values())
    assert not [each for each in (bob.email, "bob's plan", ann.token, secret.hex()) if each in everything]


def test_a_game_that_i_left_tells_only_what_i_said(house: Service) -> None:
    ann, bob = house.person("ann-leaves"), house.person("bob-stays")
    game = bob.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": ann.id}]}).json["id"]
    ann.post(f"/v1/games/{game}/join")
    ann.post(f"/v1/games/{game}/messages", {"text": "bye"})
    ann.post(f"/v1/games/{game}/resign")
    bob.post(f"/v1/games/{game}/messages", {"text": "good riddance"})

    files = unzipped(ann.get("/v1/players/me/export"))

    assert [name for name in files if game in name] == [f"games/{game}/messages.json"]
    assert [each["text"] for each in json.loads(files[f"games/{game}/messages.json"])] == ["bye"]


def test_the_settings_page_shows_tokens_and_gives_the_archive(house: Service, browser: Open) -> None:
    kim = house.person("kim-of-settings")
    _, made = new_token(house.ports, kim.id, "my bot", ("read",))
    page = browser(kim)

    assert "my bot" in page.get("/settings").text
    assert page.post(f"/settings/tokens/{made.id}").headers["Location"] == "/settings?saved=1"
    assert "my bot" not in page.get("/settings").text
    assert "profile.json" in unzipped(page.post("/settings/export"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_ticks_the_box_is_erased_without_a_script(house: Service, browser: Open, language: str) -> None:
    person = house.person(f"leaver-{language}")
    page = browser(person)
    page.post("/language", language=language)
    assert 'name="sure"' in page.get("/settings/erase").text
    assert page.post("/settings/erase").status_code == 422
    assert house.ports.players.find(person.id)

    gone = page.post("/settings/erase", sure="yes")

    assert gone.status_code == 200
    assert house.ports.players.find(person.id) is None
    assert page.cookie() == ""
    assert person.get("/v1/players/me").status_code == 401
