"""Pages of players: ratings, search by name, profiles; and what hidden and erased players leave on them."""

import re

import pytest

from marketpost.play.keeping.verify import rebuild
from marketpost.play.log.actions import SeatPlan
from marketpost.rules.chart import curve
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.words import LANGUAGES, Words
from marketpost.web.page_language import WORDS
from tests.finished import finished
from tests.rules.test_pictures import assert_legible
from tests.service import Person, Service
from tests.web.conftest import Open


@pytest.fixture(scope="module")
def rivals(house: Service) -> tuple[Person, Person, Person]:
    """Zelda and Quentin have finished three public games, and Zelda one private game with Yvonne."""
    zelda, quentin, yvonne = (_confirmed(house, name) for name in ("zelda", "quentin", "yvonne"))
    for number in range(3):
        finished(house.ports, f"rivals-{number}", _seats(zelda, quentin), began=number * 10**8, public=True)
    finished(house.ports, "rivals-private", _seats(zelda, yvonne), began=10**9)
    return zelda, quentin, yvonne


def _confirmed(house: Service, name: str) -> Person:
    """Somebody who has signed in with a code from a letter: others are not found by name."""
    person = house.person(name)
    if known := house.ports.players.find(person.id):
        house.ports.players.change(known, lambda _: {"confirmed": True})
    return person


def _seats(*people: Person) -> list[SeatPlan]:
    return [SeatPlan(player=each.id) for each in people]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_profile_shows_results_opponents_and_the_rating_over_time(
    house: Service, browser: Open, rivals: tuple[Person, ...], language: str
) -> None:
    zelda, quentin, yvonne = rivals
    visitor = browser()
    visitor.post("/language", data={"language": language})
    shown = visitor.get(f"/players/{zelda.id}", headers={"Accept-Language": language}).text

    assert f'lang="{language}"' in shown
    assert f'<a class="player" href="/players/{quentin.id}">Quentin</a></th><td class="number">3</td>' in shown
    assert f'href="/players/{yvonne.id}">Yvonne</a>' in shown
    assert 'id="curve-portobello"' in shown
    assert re.findall(r'href="/games/(rivals-[\w-]+)"', shown) == ["rivals-2", "rivals-1", "rivals-0"]


def test_players_are_found_by_the_beginning_of_a_name(browser: Open, rivals: tuple[Person, ...]) -> None:
    zelda = rivals[0]
    page = browser()

    assert f'href="/players/{zelda.id}"' in page.get("/players?name=zEL").text
    assert page.get("/players/Zelda").headers["Location"] == f"/players/{zelda.id}"
    assert page.get("/players/Nobody-at-all").status_code == 404
    assert f'href="/players/{zelda.id}"' in page.get("/players?rules=portobello").text


def test_a_new_name_is_found_and_the_old_one_no_more(house: Service, browser: Open) -> None:
    person = _confirmed(house, "walburga")
    person.call("PATCH", "/v1/players/me", json={"name": "Ottilie Önder"})

    assert [each["id"] for each in person.get("/v1/players?name=onder").json["items"]] == [person.id]
    assert person.get("/v1/players?name=walburga").json["items"] == []


def test_a_hidden_player_is_on_no_page_but_their_own(house: Service, browser: Open, rivals: tuple[Person, ...]) -> None:
    zelda, quentin, _ = rivals
    tom, guest = house.person("tom-looks"), browser()
    quentin.call("PATCH", "/v1/players/me", json={"hidden": True})
    pages = ("/players", "/players?name=quentin", f"/players/{zelda.id}", "/games/rivals-0", "/")
    calls = (
        "/v1/ratings/portobello",
        "/v1/players?name=quentin",
        f"/v1/players/{zelda.id}",
        "/v1/games/rivals-0",
        "/v1/games",
        "/v1/games/rivals-0/record",
    )

    try:
        assert [path for path in pages if "Quentin" in guest.get(path).text.replace("quentin", "")] == []
        assert [path for path in calls if "Quentin" in tom.get(path).get_data(as_text=True)] == []
        assert guest.get(f"/players/{quentin.id}").status_code == 404
        assert {tom.get(f"/v1/players/{quentin.id}{more}").status_code for more in ("", "/games", "/ratings/portobello")} == {404}
        assert "Quentin" in browser(quentin).get(f"/players/{quentin.id}").text
        assert "Quentin" in zelda.get("/v1/games/rivals-0").get_data(as_text=True)
    finally:
        quentin.call("PATCH", "/v1/players/me", json={"hidden": False})


def test_whoever_was_erased_is_on_no_page(house: Service, browser: Open, rivals: tuple[Person, ...]) -> None:
    zelda, gone = rivals[0], _confirmed(house, "gone-soon")
    finished(house.ports, "rivals-gone", _seats(zelda, gone), began=2 * 10**9, public=True)
    gone.call("DELETE", "/v1/players/me")

    assert zelda.get(f"/v1/players/{gone.id}").status_code == 404
    assert gone.id not in zelda.get(f"/v1/players/{zelda.id}").get_data(as_text=True)
    assert gone.id not in zelda.get("/v1/ratings/portobello").get_data(as_text=True)
    assert browser().get("/players/gone-soon").status_code == 404


def test_what_profiles_show_is_rebuilt_from_the_logs(house: Service, rivals: tuple[Person, ...]) -> None:
    zelda = rivals[0]
    calls = (f"/v1/players/{zelda.id}", f"/v1/players/{zelda.id}/ratings/portobello", "/v1/players?name=zelda")
    before = [zelda.get(path).json for path in calls]
    redis = house.ports.games.redis
    redis.delete("names", f"derived:career:{zelda.id}", "derived:ratings:portobello", "derived:rating-after:rivals-0")
    house.ports.rankings.clear()

    rebuild(house.ports)

    assert [zelda.get(path).json for path in calls] == before
    assert len(before[1]["items"]) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
def test_the_curve_of_a_rating_is_legible_in_every_language(language: str, rules: str) -> None:
    say, title = Words(language, WORDS).say, ruleset(rules).title(ruleset(rules).in_language(language))
    assert_legible(curve([-1.8, 20.4], say("players.chart-name"), say("players.chart", title=title), say("players.chart-below")))
