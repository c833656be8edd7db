"""What a stranger tries: to lead a browser astray, to learn who plays here, to read along, to come back after signing out."""

from typing import Any

import pytest

from marketpost.play.people.registration import register
from marketpost.rules.ruleset import rulesets
from tests.service import Person, Service
from tests.web.conftest import Browser, Open

ELSEWHERE = [
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r/evil.example",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/x//y",
]


@pytest.fixture
def ann(house: Service) -> Person:
    return house.person("ann")


@pytest.fixture
def bob(house: Service) -> Person:
    return house.person("bob")


def sign_in(house: Service, page: Browser, email: str, back: str) -> Any:
    register(house.ports, email, "Kay")
    return page.post("/sign-in", email=email, code=house.code_for(email), back=back)


@pytest.mark.parametrize("back", ELSEWHERE)
def test_no_link_leads_from_signing_in_to_another_site(house: Service, browser: Open, back: str) -> None:
    answer = sign_in(house, browser(), "kay@example.org", back)

    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_signing_in_leads_back_to_a_page_of_ours(house: Service, browser: Open) -> None:
    answer = sign_in(house, browser(), "kay@example.org", "/games/abc?at=3&orders=3: stall A-B")

    assert answer.headers["Location"].startswith("/games/abc?at=3")


def invited(person: Person, rules: str, *seats: dict[str, Any]) -> tuple[str, list[Any]]:
    """The game, and whom its log says the seats are kept for."""
    game = person.post("/v1/games", {"rules": rules, "seats": [{"me": True}, *seats]}).json["id"]
    [opened, *_] = person.get(f"/v1/games/{game}/events").json["items"]
    return game, [seat["invited"] for seat in opened["action"]["seats"][1:]]


@pytest.mark.parametrize("rules", rulesets())
def test_the_log_does_not_tell_whose_an_address_is(house: Service, ann: Person, bob: Person, rules: str) -> None:
    for whom in (bob.email, "nobody-here@example.org"):
        game, [reference] = invited(ann, rules, {"email": whom})

        assert reference not in (None, bob.id)
        assert ann.get(f"/v1/players/{reference}").status_code == 404
        assert bob.id not in ann.get(f"/v1/games/{game}/events").text
        assert bob.id not in ann.get(f"/v1/games/{game}").text


def test_the_same_address_is_somebody_else_in_each_game(ann: Person, bob: Person) -> None:
    assert invited(ann, "portobello", {"email": bob.email})[1] != invited(ann, "portobello", {"email": bob.email})[1]


def test_no_refusal_tells_whose_an_address_is(house: Service, ann: Person, bob: Person) -> None:
    """Bob's public id beside his address, and beside a stranger's: the answers are the same."""
    for address in (bob.email, "nobody-here@example.org"):
        seats = [{"me": True}, {"email": address}, {"player": bob.id}]
        assert ann.post("/v1/games", {"rules": "portobello", "seats": seats}).status_code == 201
        game, _ = invited(ann, "portobello", {"email": address})
        assert ann.post(f"/v1/games/{game}/mute", {"player": bob.id}).json["code"] == "no-such-player"
        table = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}]}).json["id"]
        assert ann.post(f"/v1/games/{table}/join").status_code == 200
        link = ann.post(f"/v1/games/{table}/links", {"what": "seat"}).json["key"]
        assert bob.post(f"/v1/games/{table}/join", {"key": link}).json["status"] == "running"
        assert ann.post(f"/v1/games/{table}/hand-over", {"email": address}).status_code == 200


def test_whoever_is_invited_by_address_joins_and_declines_as_ever(ann: Person, bob: Person) -> None:
    game, _ = invited(ann, "portobello", {"email": bob.email})
    assert bob.post(f"/v1/games/{game}/join").json["status"] == "running"

    game, [reference] = invited(ann, "portobello", {"email": bob.email})
    assert bob.post(f"/v1/games/{game}/decline").status_code == 204
    left = ann.get(f"/v1/games/{game}/events").json["items"][-1]
    assert (left["kind"], left["by"]) == ("left", reference)
    assert ann.get(f"/v1/games/{game}").json["seats"][1]["open"]


def test_a_link_to_look_shows_no_talk(house: Service, ann: Person, browser: Open) -> None:
    game = house.against_bot(ann)
    ann.post(f"/v1/games/{game}/messages", {"text": "only for the table"})
    key = ann.post(f"/v1/games/{game}/links", {"what": "look"}).json["key"]

    shown = browser().get(f"/games/{game}?key={key}")

    assert (shown.status_code, "only for the table" in shown.text) == (200, False)
    assert 'data-count="0"' in shown.text
    assert "only for the table" in browser(ann).get(f"/games/{game}").text


def test_a_repeated_request_does_not_bring_a_revoked_token_back(house: Service) -> None:
    client, email = house.app.test_client(), "lou@example.org"
    register(house.ports, email, "Lou")
    request = {"json": {"email": email, "code": house.code_for(email)}, "headers": {"Idempotency-Key": "once"}}
    token = client.post("/v1/tokens", **request).json["token"]
    assert client.post("/v1/tokens", **request).json["token"] == token
    signed = {"Authorization": f"Bearer {token}"}
    assert client.delete("/v1/tokens", headers=signed).status_code == 204

    assert client.post("/v1/tokens", **request).json["code"] == "wrong-code"
    assert client.get("/v1/players/me", headers=signed).status_code == 401


@pytest.mark.parametrize("hour", ["9" * 5000, "٣" * 5000])
def test_no_number_is_too_long_to_be_refused(ann: Person, browser: Open, hour: str) -> None:
    form = {"name": "Ann", "language": "en", "timezone": "UTC", "mail": "every", "from": "", "to": ""}

    assert browser(ann).post("/settings", digest_hour=hour, **form).status_code == 422


def test_registering_a_strangers_address_does_not_undo_what_its_owner_chose(house: Service, ann: Person) -> None:
    invited(ann, "portobello", {"email": "may@example.org"})
    may = house.ports.players.at_address("may@example.org")
    assert may
    house.ports.players.change(may, lambda known: {"mail": "none"})

    register(house.ports, "may@example.org", "Somebody else")

    again = house.ports.players.at_address("may@example.org")
    assert again
    assert again.mail == "none"
