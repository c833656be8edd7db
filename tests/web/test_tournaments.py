"""The pages of tournaments."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import announce, cancel_competition, competition_of, enter
from marketpost.play.compete.plan_request import competition_clock
from marketpost.rules.words import LANGUAGES, Words
from marketpost.web.page_language import WORDS
from tests.service import PATIENCE, Service
from tests.web.conftest import Open

LATER = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()
FORM = {"name": "Page Cup", "rules": "portobello", "seats": "3", "format": "swiss", "starts": LATER, "per_decision": "3d", "every": "0"}


def test_a_tournament_is_announced_by_the_form_entered_and_left_with_a_click(house: Service, browser: Open) -> None:
    host, guest = browser(house.person("pageann")), browser(house.person("pagebob"))
    made = host.post("/tournaments/new", **FORM)
    assert made.status_code == 303
    page = made.headers["Location"]

    assert "Page Cup" in guest.get("/tournaments").text
    assert guest.post(f"{page}/join").status_code == 303
    shown = guest.get(page).text
    assert "You take part." in shown
    assert "Pageann" in shown
    assert "Pagebob" in shown
    guest.post(f"{page}/leave")
    assert "Pagebob" not in guest.get(page).text.partition("<main")[2]
    host.post(f"{page}/cancel")
    assert "cancelled" in guest.get(page).text


def test_a_form_that_says_too_little_comes_back_with_the_reason(house: Service, browser: Open) -> None:
    answer = browser(house.person("pageann")).post("/tournaments/new", **FORM | {"starts": "2020-01-01"})
    assert answer.status_code == 422
    assert "still to come" in answer.text
    assert 'value="Page Cup"' in answer.text


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_the_pages_speak_every_language(house: Service, browser: Open, language: str) -> None:
    visitor = browser()
    visitor.post("/language", language=language, back="/")
    assert {"de": "Turniere", "fr": "Tournois", "it": "Tornei"}[language] in visitor.get("/tournaments").text


def test_a_hidden_player_has_a_name_for_those_who_take_part_only(house: Service, browser: Open) -> None:
    hidden, guest, stranger = house.person("veiled"), house.person("pagebob"), house.person("pagezoe")
    page = browser(hidden).post("/tournaments/new", **FORM).headers["Location"]
    path = page.replace("/tournaments", "/v1/competitions")
    guest.post(f"{path}/join")
    hidden.call("PATCH", "/v1/players/me", json={"hidden": True})

    assert "Veiled" in browser(guest).get(page).text
    assert "Veiled" in guest.get(path).text
    for shown in (browser(stranger).get(page).text, browser().get(page).text, stranger.get(path).text):
        assert "Veiled" not in shown
        assert "Pagebob" in shown
    assert f"/players/{hidden.id}" not in browser(stranger).get(page).text
    browser(hidden).post(f"{page}/cancel")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_league_shows_divisions_and_seasons(house: Service, browser: Open, language: str) -> None:
    people = [house.person(f"league{number}") for number in range(10)]
    plan = CompetitionPlan("Page League", CompetitionFormat.LEAGUE, "portobello", 2, competition_clock(None), house.ports.clock() + 300)
    id = f"c-league{language}"
    announce(house.ports, id, people[0].id, plan)
    for person in people:
        enter(house.ports, id, person.id)
    until = time.monotonic() + PATIENCE
    while not competition_of(house.ports, id).rounds:
        assert time.monotonic() < until
        house.ports.enqueue(id)
        time.sleep(0.1)
    enter(house.ports, id, house.person("latecomer").id)
    visitor = browser()
    visitor.post("/language", language=language, back="/")
    shown = visitor.get(f"/tournaments/{id}").text
    words = Words(language, WORDS)
    assert [shown.count(f"<h3>{words.say('tournament.division', number=number)}</h3>") for number in (1, 2, 3)] == [2, 2, 0]
    assert words.say("tournament.season", number=1) in shown
    assert words.say("tournament.waiting") in shown
    assert "Latecomer" in shown
    cancel_competition(house.ports, id, people[0].id)


def test_the_host_sets_the_edition(house: Service, browser: Open) -> None:
    host = browser(house.person("pageann"))
    page = host.post("/tournaments/new", **FORM | {"edition": "2.0"}).headers["Location"]
    assert "2.0" in host.get(page).text
    host.post(f"{page}/cancel")
