"""Names stand in letters to others: links, invisible signs and long ones are refused at every door."""

from html import unescape

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from marketpost.cli.main import main
from marketpost.play.people.names import LONGEST_NAME, check_name, name_from_address, plain_name
from marketpost.rules.refusal import Refusal
from marketpost.rules.words import COMMON, LANGUAGES, Words
from tests.mail.desk import DOMAIN, Desk, fresh
from tests.service import Service
from tests.web.conftest import Open, browser

__all__ = ["browser"]
REFUSED = {
    "PayPal http://evil.example": "name-link",
    "evil.example": "name-link",
    "Visit evil.example/x now": "name-link",
    "evil．example": "name-link",
    "evil。example": "name-link",
    "ann@evil.example": "name-link",
    "x://y": "name-link",
    "Ann\u202egro.live": "name-unseen",
    "Ann\u200b": "name-unseen",
    "\u2066Ann\u2069": "name-unseen",
    "\u3164\u3164": "name-unseen",
    "A" * (LONGEST_NAME + 1): "field-long",
}
GOOD = ["Ann", "J.R.R. Tolkien", "Dr. No", "Jean-Luc O’Neil", "李雷", "राम", "Zoë", "Ann & Ben", "v1.0", "🙂"]


@pytest.mark.parametrize(("name", "code"), REFUSED.items())
def test_a_name_with_a_link_or_unseen_signs_is_refused_over_rest(house: Service, name: str, code: str) -> None:
    client, ann = house.app.test_client(), house.person("anneli")

    for answer in (
        client.post("/v1/players", json={"email": "spam@example.org", "name": name}),
        ann.call("PATCH", "/v1/players/me", json={"name": name}),
    ):
        assert answer.status_code == 422
        assert [error["code"] for error in answer.json["errors"]] == [code]
    assert house.ports.players.at_address("spam@example.org") is None


@pytest.mark.parametrize("name", GOOD)
def test_names_of_people_are_taken(house: Service, name: str) -> None:
    assert house.person("anneli").call("PATCH", "/v1/players/me", json={"name": name}).json["name"] == name
    assert plain_name(name) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_say_why_a_name_is_refused(house: Service, browser: Open, language: str) -> None:
    person = house.person("anneli")
    page = browser(person)
    person.call("PATCH", "/v1/players/me", json={"language": language})
    form = {"name": "evil.example", "language": language, "timezone": "UTC", "mail": "every", "digest_hour": "7"}

    answers = [page.post("/sign-in/code", email="spam@example.org", name="evil.example"), page.post("/settings", **form)]

    for answer in answers:
        assert answer.status_code == 422
        assert Words(language, COMMON).explain(Refusal("name-link")) in unescape(answer.text)
    assert house.ports.players.at_address("spam@example.org") is None


def test_the_command_line_refuses_such_a_name(house: Service) -> None:
    done = CliRunner().invoke(main, ["token", "spam@example.org", "--name", "http://evil.example"], env=house.environment)

    assert done.exit_code == 1
    assert "links" in done.output
    assert house.ports.players.at_address("spam@example.org") is None


def test_a_mail_does_not_bring_such_a_name(desk: Desk) -> None:
    raw = fresh("portobello with a greedy bot", f"new@{DOMAIN}", '"Win at evil.example" <bob.evil.example@example.org>')
    desk.receive(raw, f"new@{DOMAIN}")

    found = desk.mailer.ports.players.at_address("bob.evil.example@example.org")
    assert found is None or found.name == "bob evil example"


@given(st.text(max_size=80))
def test_whatever_somebody_is_called_can_stand_in_a_letter(text: str) -> None:
    check_name(plain_name(text))
    check_name(name_from_address(f"{text}@example.org"))
