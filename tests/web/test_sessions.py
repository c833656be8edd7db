"""Who is who in a browser: guests, people with an address, and those who pretend."""

import re

import pytest

from marketpost.mail.outbound.mailer import enqueue
from marketpost.notify.engine import send_letters
from marketpost.play.people.registration import find_token
from marketpost.store.delivery_queue import Delivery
from tests.service import Service, service
from tests.web.conftest import OURS, Open

FORGED = {
    "another site": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    "a neighbour": {"Origin": "http://evil.localhost", "Sec-Fetch-Site": "same-site"},
    "a sandbox": {"Origin": "null"},
    "nobody says where from": {},
    "only the site is wrong": {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
}


def test_one_click_makes_a_guest_and_a_game(house: Service, browser: Open) -> None:
    ann = browser()
    game = house.ports.game(ann.against_bot())
    player = house.ports.players.find(game.host)

    assert [bool(seat.bot) for seat in game.seats] == [False, True]
    assert (player.email, player.confirmed) == ("", False)
    assert find_token(house.ports, ann.cookie()).scopes == ("read", "play")


def test_the_cookie_is_as_narrow_as_can_be(browser: Open) -> None:
    answer = browser().post("/play", rules="portobello")

    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("session=mp_")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Domain" not in cookie


def test_by_tls_the_cookie_is_secure_and_belongs_to_this_host_alone() -> None:
    with service(workers=0, PUBLIC_URL="https://games.example.org") as house:
        client = house.app.test_client()
        headers = {"Origin": "https://games.example.org", "Sec-Fetch-Site": "same-origin"}
        cookie = client.post("/play", data={"rules": "portobello"}, headers=headers).headers["Set-Cookie"]

    assert cookie.startswith("__Host-session=")
    assert "Secure" in cookie
    assert "Path=/;" in f"{cookie};"


def test_signing_out_makes_the_cookie_worthless(house: Service, browser: Open) -> None:
    ann = browser()
    game = ann.against_bot()
    stolen = ann.cookie()
    ann.post("/sign-out", sure="yes")
    thief = browser()
    thief.client.set_cookie("session", stolen)

    assert find_token(house.ports, stolen) is None
    assert thief.get(f"/games/{game}").status_code == 404
    assert ann.cookie() == ""


@pytest.mark.parametrize("headers", FORGED.values(), ids=FORGED)
def test_a_form_from_elsewhere_changes_nothing(house: Service, browser: Open, headers: dict[str, str]) -> None:
    ann = browser()
    game = ann.against_bot()
    before = house.ports.game(game).seats

    for path, form in (
        (f"/games/{game}/resign", {}),
        (f"/games/{game}/talk", {"text": "hi"}),
        ("/sign-out", {}),
        ("/play", {"rules": "portobello"}),
    ):
        assert ann.post(path, headers, **form).status_code == 403
    assert house.ports.game(game).seats == before
    assert ann.get(f"/games/{game}").status_code == 200


def test_a_form_without_the_token_of_the_session_changes_nothing(browser: Open) -> None:
    ann, bob = browser(), browser()
    game, _ = ann.against_bot(), bob.against_bot()

    for token in ("", "0" * 32, bob.token(), "é"):
        assert ann.client.post(f"/games/{game}/resign", data={"token": token}, headers=OURS).status_code == 403
    assert ann.client.post(f"/games/{game}/resign", headers=OURS).status_code == 403


def test_a_cookie_has_no_power_over_rest(house: Service, browser: Open) -> None:
    ann = browser(house.person("ann"))

    assert ann.get("/v1/players/me").status_code == 401


def test_an_admin_in_a_browser_is_a_player_like_others(house: Service, browser: Open) -> None:
    game = browser().against_bot()
    root = browser(house.person("root", ("read", "play", "admin")))

    assert root.get(f"/games/{game}").status_code == 404


def test_a_token_that_may_only_read_does_not_play(house: Service, browser: Open) -> None:
    reader = browser(house.person("reader", ("read",)))

    assert reader.post("/play", rules="portobello").status_code == 403


def test_one_signs_in_with_a_code_and_takes_the_guests_games_along(house: Service, browser: Open) -> None:
    guest = browser()
    game = guest.against_bot()
    was = house.ports.game(game).seats[0].player

    told = guest.post("/sign-in/code", email="kim@example.org", name="Kim")
    assert "kim@example.org" in told.text
    code = house.code_for("kim@example.org")
    assert guest.post("/sign-in", email="kim@example.org", code="WRONG").status_code == 403
    answer = guest.post("/sign-in", email="kim@example.org", code=code, back=f"/games/{game}")

    assert answer.headers["Location"] == f"/games/{game}"
    player = house.ports.players.find(house.ports.game(game).seats[0].player)
    assert (player.email, player.name, player.confirmed) == ("kim@example.org", "Kim", True)
    assert house.ports.players.find(was) is None
    assert 'id="talk-form"' in guest.get(f"/games/{game}").text


def test_an_address_is_nobodys_before_its_owner_has_shown_the_code(house: Service, browser: Open) -> None:
    """A guest who types in somebody else's address gets no hold on it."""
    guest = browser()
    game = guest.against_bot()
    guest.post("/sign-in/code", email="owner@example.org")

    owner = house.ports.players.player_of("owner@example.org")
    assert house.ports.game(game).seats[0].player != owner
    assert find_token(house.ports, guest.cookie()).player != owner


@pytest.mark.parametrize("place", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_after_signing_in_one_stays_here(house: Service, browser: Open, place: str) -> None:
    house.person("stays")
    answer = browser().post("/sign-in", email="stays@example.org", code=house.code_for("stays@example.org"), back=place)

    assert answer.headers["Location"] == "/"


def test_a_wrong_address_is_told(browser: Open) -> None:
    answer = browser().post("/sign-in/code", email="no address")

    assert answer.status_code == 422
    assert "This is no mail address." in answer.text


def test_a_guest_gets_no_letters(house: Service, browser: Open) -> None:
    game = house.ports.game(browser().against_bot())
    enqueue(house.mailer, Delivery("to-a-guest", game.host, "your-turn", 1, 1, game.id, game.version, 0))
    send_letters(house.notifier)

    letter = house.mailer.deliveries.find("to-a-guest")
    assert (letter.status, letter.reason) == ("not-wanted", "a guest has no address")


def test_pages_may_run_our_script_and_nothing_else(browser: Open) -> None:
    ann = browser()
    game = ann.against_bot()

    for path in ("/", "/sign-in", f"/games/{game}", "/games/nosuchgame", "/new/portobello"):
        answer = ann.get(path)
        assert "script-src 'self'; style-src 'self'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:", answer.text)


def test_a_guest_is_warned_before_signing_out_loses_the_games(house: Service, browser: Open) -> None:
    guest, fresh = browser(), browser()
    game = guest.against_bot()

    warned = guest.post("/sign-out")
    assert "nobody can find your games again" in warned.text
    assert guest.get(f"/games/{game}").status_code == 200

    assert guest.post("/sign-out", sure="yes").status_code == 303
    assert guest.get(f"/games/{game}").status_code == 404
    assert fresh.post("/sign-out").status_code == 303


@pytest.mark.parametrize("path", ["/nowhere", "/games", "/games/x/y/z"])
def test_an_unknown_address_is_a_page_for_people_and_a_problem_for_programs(house: Service, browser: Open, path: str) -> None:
    ann = browser(house.person("ann"))

    page, told = ann.get(path, headers={"Accept": "text/html,*/*;q=0.8"}), ann.get("/v1/nowhere", headers={"Accept": "text/html"})

    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "Ann" in page.text
    assert "style-src 'self'" in page.headers["Content-Security-Policy"]
    assert told.mimetype == "application/problem+json"
    assert ann.get(path, headers={"Accept": "*/*"}).mimetype == "application/problem+json"


def test_the_pages_can_be_installed(browser: Open) -> None:
    page = browser()

    manifest = page.get("/manifest.webmanifest")

    assert manifest.mimetype == "application/manifest+json"
    assert page.get(manifest.json["icons"][0]["src"]).mimetype == "image/svg+xml"
    assert "manifest-src 'self'" in page.get("/").headers["Content-Security-Policy"]
    assert "You are offline" in page.get("/offline").text
    kept = re.findall(r'"(/[^"]+)"', page.get("/service-worker.js").text)
    assert {page.get(path).status_code for path in kept} == {200}
