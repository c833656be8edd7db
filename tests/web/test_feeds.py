"""The secret URLs of feeds: shown, renewed and switched off at every door, and fetched without signing in."""

from html import unescape

import pytest
from icalendar import Calendar

from marketpost.play.limits import Limit, read_limits
from tests.service import Person, Service
from tests.web.conftest import Open


@pytest.fixture
def lou(house: Service) -> Person:
    return house.person("lou")


def path(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def test_feeds_are_fetched_without_a_token_and_once(house: Service, lou: Person) -> None:
    game = house.against_bot(lou, clock={"per_decision": 86400})
    links = lou.post("/v1/players/me/feeds").json
    anybody = house.app.test_client()

    news, dates = (anybody.get(path(links[name])) for name in ("atom", "calendar"))

    assert (news.status_code, news.mimetype) == (200, "application/atom+xml")
    assert (dates.status_code, dates.mimetype) == (200, "text/calendar")
    assert game in news.text
    assert len(Calendar.from_ical(dates.data).events) == 1
    for name, answer in (("atom", news), ("calendar", dates)):
        again = anybody.get(path(links[name]), headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        assert "no-cache" in answer.headers["Cache-Control"]


def test_a_wrong_secret_is_not_found(house: Service, lou: Person) -> None:
    links = lou.post("/v1/players/me/feeds").json
    anybody = house.app.test_client()
    secret = links["atom"].split("/")[-2]

    for wrong in (f"{secret[:-1]}{'a' if secret[-1] != 'a' else 'b'}", "-", lou.id, f"{lou.id}-", "0" * 64):
        for name in ("games.atom", "deadlines.ics"):
            assert anybody.get(f"/feeds/{wrong}/{name}").status_code == 404
    renewed = lou.post("/v1/players/me/feeds").json
    assert anybody.get(path(links["atom"])).status_code == 404
    assert anybody.get(path(renewed["atom"])).status_code == 200
    assert lou.call("DELETE", "/v1/players/me/feeds").status_code == 204
    assert anybody.get(path(renewed["atom"])).status_code == 404
    assert lou.get("/v1/players/me/feeds").json == {"atom": None, "calendar": None}


def test_a_repeated_request_gives_the_same_urls(lou: Person) -> None:
    first, second = (lou.post("/v1/players/me/feeds", headers={"Idempotency-Key": "feed-1"}).json for _ in range(2))

    assert first == second == lou.get("/v1/players/me/feeds").json


def test_the_settings_page_switches_them_on_and_off(lou: Person, browser: Open) -> None:
    lou.call("DELETE", "/v1/players/me/feeds")
    page = browser(lou)
    assert "games.atom" not in page.get("/settings").text

    page.post("/settings/feeds")

    shown = unescape(page.get("/settings").text)
    links = lou.get("/v1/players/me/feeds").json
    assert links["atom"] in shown
    assert links["calendar"] in shown
    page.post("/settings/feeds", off="yes")
    assert not lou.get("/v1/players/me").json["feeds"]


def test_a_feed_is_fetched_so_often_and_no_more(house: Service, lou: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.ports.limits, "amounts", read_limits("feeds-player=2"))
    url = path(lou.post("/v1/players/me/feeds").json["calendar"])
    anybody = house.app.test_client()

    assert [anybody.get(url).status_code for _ in range(3)] == [200, 200, 429]
    assert Limit.FEEDS_PLAYER in house.ports.limits.amounts
