"""Programs of a player play under names of their own: shown as bots, rated among bots, and bounded by their owner."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from werkzeug.test import TestResponse

from marketpost.cli.main import main
from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letters.letter import Links
from marketpost.play.limits import Limit, OverLimit, read_limits
from marketpost.play.moves.cpu_budget import CpuBudget
from marketpost.play.moves.game_view import names
from marketpost.play.people.ratings import ratings
from marketpost.play.people.results import RatingPool
from marketpost.play.people.suspension import suspend, unsuspend
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.abuse.test_accounts import unzipped
from tests.letter_gallery import LINKS
from tests.service import Person, Service
from tests.web.conftest import Open

SHOWN = {"en": "Marvin (bot)", "de": "Marvin (Bot)", "fr": "Marvin (bot)", "it": "Marvin (bot)"}


def bot_of(house: Service, owner: Person, name: str = "Marvin") -> Person:
    made = owner.post("/v1/bots", {"name": name})
    assert made.status_code == 201, made.text
    token = owner.post(f"/v1/bots/{made.json['id']}/tokens", {"label": "at home"})
    return Person(made.json["id"], "", token.json["token"], house.app.test_client())


def open_to_all(host: Person, **more: Any) -> str:
    opened = host.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}], "public": True, **more})
    assert opened.status_code == 201, opened.text
    return str(opened.json["id"])


def to_the_end(house: Service, game: str, *players: Person) -> None:
    """Everybody resigns but the last."""
    for each in players[:-1]:
        assert each.post(f"/v1/games/{game}/resign").status_code == 200
    house.turn_of(players[-1], game)


def test_an_owner_makes_bots_and_manages_their_tokens(house: Service) -> None:
    ann, mallory = house.person("owner-ann"), house.person("mallory")
    marvin = bot_of(house, ann)
    tokens = f"/v1/bots/{marvin.id}/tokens"
    [listed] = ann.get(tokens).json["items"]

    assert marvin.get("/v1/players/me").json["owner"] == ann.id
    assert [(each["id"], each["name"], each["tokens"]) for each in ann.get("/v1/bots").json["items"]] == [(marvin.id, "Marvin", 1)]
    assert marvin.token not in ann.get(tokens).text
    assert mallory.get(tokens).json["code"] == "no-such-bot"
    assert mallory.call("DELETE", f"/v1/bots/{marvin.id}").status_code == 404
    assert marvin.post("/v1/bots", {"name": "Child"}).json["code"] == "bot-owns-none"
    assert ann.call("DELETE", f"{tokens}/{listed['id']}").status_code == 204
    assert marvin.get("/v1/players/me").status_code == 401


def test_a_repeated_request_makes_one_bot_and_one_token(house: Service) -> None:
    ann = house.person("repeating")
    made = {ann.post("/v1/bots", {"name": "Marvin"}, headers={"Idempotency-Key": "one"}).json["id"] for _ in range(2)}
    [bot] = made
    tokens = {ann.post(f"/v1/bots/{bot}/tokens", {}, headers={"Idempotency-Key": "two"}).json["token"] for _ in range(2)}

    assert len(tokens) == 1
    assert len(ann.get("/v1/bots").json["items"]) == 1


def test_bots_and_their_tokens_are_limited_and_they_share_the_limits_of_their_owner(
    house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = house.person("greedy-owner")
    marvin = bot_of(house, ann)
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("bots-player=1,bot-tokens-player=1,requests-player=8"))

    assert ann.post("/v1/bots", {"name": "Second"}).json["code"] == "over-limit"
    assert ann.post(f"/v1/bots/{marvin.id}/tokens", {}).json["code"] == "over-limit"
    for _ in range(6):
        marvin.get("/v1/players/me")
    assert ann.get("/v1/players/me").status_code == 429


@pytest.mark.parametrize("limits", ["games-player=2", "opened-player=2", "bot-seats-player=2"])
def test_games_that_bots_open_count_for_their_owner(house: Service, monkeypatch: pytest.MonkeyPatch, limits: str) -> None:
    ann = house.person(f"many-bots-{limits[:4]}")
    one, other = bot_of(house, ann, "One"), bot_of(house, ann, "Other")
    against_bot = {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits(limits))

    opened = [host.post("/v1/games", against_bot) for host in (one, ann, other, ann)]

    assert [each.status_code for each in opened] == [201, 201, 429, 429]


def test_the_time_of_built_in_bots_counts_for_the_owner(house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = house.person("hosting-owner")
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("bot-time-player=1000"))

    marvin = bot_of(house, ann)
    assert not CpuBudget(house.ports, marvin.id).is_spent()
    with pytest.raises(OverLimit):
        house.ports.limits.spend(Limit.BOT_TIME_PLAYER, ann.id, 1001)

    assert CpuBudget(house.ports, marvin.id).is_spent()


def test_a_tournament_counts_as_a_game_that_is_opened_and_bots_invite_nobody_to_it(house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = house.person("announcing-owner")
    marvin = bot_of(house, ann)
    cup = {"name": "Cup", "format": "swiss", "rules": "portobello", "seats": 2, "clock": {"per_decision": "1d"}}
    cup["starts"] = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("opened-player=2"))

    assert marvin.post("/v1/competitions", cup | {"invite": ["stranger@example.org"]}).json["code"] == "bot-invites-bots"
    for host, status in ((marvin, 201), (ann, 201), (marvin, 429)):
        made = host.post("/v1/competitions", cup)
        assert made.status_code == status, made.text
        if status == 201:
            assert host.post(f"/v1/competitions/{made.json['id']}/cancel").status_code == 200


@pytest.mark.parametrize("rules", rulesets())
def test_inviting_instead_counts_as_opening_and_is_not_for_bots(house: Service, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    ann = house.person(f"replaces-{rules}")
    marvin, other = bot_of(house, ann), bot_of(house, ann, "Other")

    def replaced(host: Person) -> TestResponse:
        game = host.post("/v1/games", {"rules": rules, "seats": [{"me": True}, {"player": other.id}]}).json["id"]
        return host.post(f"/v1/games/{game}/withdraw", {"seat": 1, "email": f"instead-{rules}@example.org"})

    assert replaced(ann).status_code == 200
    assert replaced(marvin).json["code"] == "bot-invites-bots"
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("opened-player=1"))
    assert replaced(ann).status_code == 429


@pytest.mark.parametrize("rules", rulesets())
def test_offering_a_seat_to_an_address_counts_as_opening(house: Service, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    ann = house.person(f"offers-{rules}")
    game = house.against_bot(ann, rules=rules)
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("opened-player=1"))

    offered = [ann.post(f"/v1/games/{game}/hand-over", {"email": f"{rules}-heir-{number}@example.org"}).status_code for number in range(2)]

    assert offered == [200, 429]


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_sees_that_it_is_a_bot(house: Service, browser: Open, language: str) -> None:
    ann, bob = house.person("owner-ann"), house.person("bob-who-looks")
    marvin = bot_of(house, ann)
    game = open_to_all(bob)
    assert marvin.post(f"/v1/games/{game}/join", {}).status_code == 200
    bob.call("PATCH", "/v1/players/me", json={"language": language})
    found, reader = house.ports.game(game), house.ports.players.find(bob.id)
    assert found
    assert reader
    page = browser(bob)
    page.get(f"/?language={language}")
    shown = bob.get(f"/v1/games/{game}").json["seats"]

    assert [each["bot_account"] for each in shown] == [False, True]
    assert bob.get(f"/v1/players/{marvin.id}").json["bot"]
    assert SHOWN[language] in page.get(f"/games/{game}").text
    assert SHOWN[language] in letters.your_turn(found, 0, reader, names(house.ports, found), links()).text


def links() -> Links:
    return LINKS


def test_games_of_bots_are_rated_apart_and_games_with_people_not_at_all(house: Service) -> None:
    ann, bob = house.person("owner-ann"), house.person("owner-bob")
    one, other = bot_of(house, ann, "One"), bot_of(house, bob, "Other")
    for host, guest in ((one, other), (one, bob)):
        game = open_to_all(host)
        guest.post(f"/v1/games/{game}/join", {})
        to_the_end(house, game, host, guest)
        while house.ports.game(game).status != "over":  # type: ignore[union-attr]
            assert guest.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game, seat_of(house, guest, game))}).status_code < 300
            house.turn_of(guest, game)

    table = ratings(house.ports, "portobello", RatingPool.BOTS)
    assert {one.id, other.id} <= table.keys()
    assert table[one.id].games == 1
    assert not {one.id, other.id, bob.id} & ratings(house.ports, "portobello").keys()
    rows = bob.get("/v1/ratings/portobello?pool=bots&limit=100").json["items"]
    assert {"One", "Other"} <= {row["name"] for row in rows}
    assert bob.get(f"/v1/players/{other.id}").json["played"][-1]["rating"]["games"] == 1


def seat_of(house: Service, person: Person, game: str) -> int:
    found = house.ports.game(game)
    assert found
    seat = found.seat_of(person.id)
    assert seat is not None
    return seat


def test_a_bot_invites_bots_and_no_people(house: Service) -> None:
    ann, bob = house.person("owner-ann"), house.person("owner-bob")
    marvin, other = bot_of(house, ann), bot_of(house, bob, "Other")

    def asked(seat: dict[str, str]) -> Any:
        return marvin.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, seat]})

    assert asked({"email": "stranger@example.org"}).json["code"] == "bot-invites-bots"
    assert asked({"player": bob.id}).json["code"] == "bot-invites-bots"
    invited = asked({"player": other.id})
    assert invited.status_code == 201
    assert other.post(f"/v1/games/{invited.json['id']}/join", {}).json["status"] == "running"


def test_whoever_blocks_a_player_meets_none_of_their_bots(house: Service) -> None:
    ann, bob = house.person("blocked-owner"), house.person("blocking-bob")
    marvin = bot_of(house, ann)
    bob.call("PUT", f"/v1/blocks/{ann.id}")

    assert marvin.post(f"/v1/games/{open_to_all(bob)}/join", {}).json["code"] == "not-together"


def test_bots_are_suspended_exported_and_erased_with_their_owner(house: Service) -> None:
    ann, bob = house.person("leaving-owner"), house.person("staying-bob")
    marvin = bot_of(house, ann)
    game = open_to_all(bob)
    marvin.post(f"/v1/games/{game}/join", {})
    player = house.ports.players.find(ann.id)
    assert player
    suspend(house.ports, player, "operator", "test")
    assert marvin.get("/v1/players/me").status_code == 401
    unsuspend(house.ports, player, "operator", "test")
    ann = house.person("leaving-owner")
    assert ann.post(f"/v1/bots/{marvin.id}/tokens", {}).status_code == 201
    assert [each["name"] for each in json.loads(unzipped(ann.get("/v1/players/me/export"))["bots.json"])] == ["Marvin"]

    assert ann.call("DELETE", "/v1/players/me").status_code == 204

    assert house.ports.players.find(marvin.id) is None
    assert not house.ports.players.bots_of(ann.id)
    assert marvin.id not in {each.id for each in house.ports.players.everybody()}
    found = house.ports.game(game)
    assert found
    assert found.seats[1].bot


def test_bots_on_the_settings_page(house: Service, browser: Open) -> None:
    ann = house.person("page-owner")
    page = browser(ann)
    page.post("/settings/bots", name="Marvin")
    [bot] = ann.get("/v1/bots").json["items"]
    made = page.post(f"/settings/bots/{bot['id']}", do="token").text
    [token] = ann.get(f"/v1/bots/{bot['id']}/tokens").json["items"]

    assert "mp_" in made
    assert "mp_" not in page.get("/settings").text
    assert bot["id"] in page.get("/settings").text
    assert page.post("/settings/bots", name="www.example.org").status_code == 422
    page.post(f"/settings/bots/{bot['id']}/tokens/{token['id']}")
    assert ann.get(f"/v1/bots/{bot['id']}/tokens").json["items"] == []
    page.post(f"/settings/bots/{bot['id']}", do="erase")
    assert ann.get("/v1/bots").json["items"] == []


def test_the_operator_sees_whose_bots_there_are(house: Service) -> None:
    ann = house.person("owner-ann")
    marvin = bot_of(house, ann)

    shown = CliRunner().invoke(main, ["players", marvin.id], env=house.environment, catch_exceptions=False).stdout

    assert f"bot of {ann.id}  Marvin" in shown
