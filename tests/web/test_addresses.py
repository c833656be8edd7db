"""Further addresses over REST and on the settings page."""

from html import unescape

import pytest

from marketpost.play.people.addresses import code_name
from marketpost.play.people.registration import new_code
from tests.service import Person, Service
from tests.web.conftest import Open


@pytest.fixture
def moe(house: Service) -> Person:
    return house.person("moe")


def code_for(house: Service, person: Person, email: str) -> str:
    player = house.ports.players.find(person.id)
    assert player
    return new_code(house.ports, code_name(player, email))


def test_addresses_are_added_chosen_and_removed_over_rest(house: Service, moe: Person) -> None:
    asked = moe.post("/v1/players/me/addresses", {"email": "moe@work.example"})
    assert (asked.status_code, asked.json) == (202, {"email": "moe@work.example", "confirmed": False})
    wrong = moe.post("/v1/players/me/addresses", {"email": "moe@work.example", "code": "WRONGONE"})
    assert (wrong.status_code, wrong.json["code"]) == (403, "wrong-code")
    body = {"email": "moe@work.example", "code": code_for(house, moe, "moe@work.example")}
    assert [moe.post("/v1/players/me/addresses", body).status_code for _ in range(2)] == [201, 201]
    assert moe.get("/v1/players/me").json["addresses"] == ["moe@work.example"]

    assert moe.call("PATCH", "/v1/players/me", json={"email": "nobody@work.example"}).status_code == 404
    changed = moe.call("PATCH", "/v1/players/me", json={"email": "moe@work.example", "digest_hour": 9}).json

    assert (changed["email"], changed["addresses"], changed["digest_hour"]) == ("moe@work.example", ["moe@example.org"], 9)
    assert moe.call("DELETE", "/v1/players/me/addresses/moe@work.example").json["code"] == "address-main"
    moe.call("PATCH", "/v1/players/me", json={"email": "moe@example.org"})
    assert moe.call("DELETE", "/v1/players/me/addresses/moe@work.example").status_code == 204
    assert moe.call("DELETE", "/v1/players/me/addresses/moe@work.example").status_code == 404


def test_addresses_are_added_chosen_and_removed_on_the_settings_page(house: Service, moe: Person, browser: Open) -> None:
    page, email = browser(moe), "moe@home.example"

    sent = page.post("/settings/addresses", email=email)
    assert email in unescape(page.get(sent.headers["Location"]).text)
    assert page.post("/settings/addresses", email="no address").status_code == 422
    page.post("/settings/addresses", email=email, code=code_for(house, moe, email))
    assert moe.get("/v1/players/me").json["addresses"] == [email]
    page.post("/settings/addresses/main", email=email)
    assert moe.get("/v1/players/me").json["email"] == email
    page.post("/settings/addresses/main", email="moe@example.org")
    page.post("/settings/addresses/remove", email=email)

    assert moe.get("/v1/players/me").json["addresses"] == []


def test_a_guest_has_no_addresses(house: Service, browser: Open) -> None:
    guest = browser()
    guest.against_bot()

    assert guest.post("/settings/addresses", email="guest@work.example").status_code == 403
