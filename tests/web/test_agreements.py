"""What players agree on from a page: proposals, undo against people and bots, and seats that a link leads to."""

import html
import re

import pytest

from marketpost.play.log.actions import HandedOver, LinkKind, SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.table.invite_links import make_link
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.finished import finished
from tests.service import Person, Service
from tests.web.conftest import Browser, Open


def at_table(house: Service, browser: Open, name: str, rules: str = "portobello") -> tuple[str, Browser, Browser]:
    ann, bob = house.person(f"ann-{name}"), house.person(f"bob-{name}")
    game = f"agree-{name}"
    open_game(house.ports, game, ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(player=bob.id)], {})
    return game, browser(ann), browser(bob)


def number(house: Service, game: str) -> str:
    return str(house.ports.game(game).proposal.number)


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize(("what", "how"), [("draw", "draw"), ("abandon", "abandoned")])
def test_a_proposal_is_made_seen_and_answered(house: Service, browser: Open, rules: str, what: str, how: str) -> None:
    game, ann, bob = at_table(house, browser, f"{rules}-{what}", rules)

    ann.post(f"/games/{game}/propose", what=what)
    assert 'value="yes"' in bob.get(f"/games/{game}").text
    assert 'value="yes"' not in ann.get(f"/games/{game}").text
    bob.post(f"/games/{game}/answer", say="no", number=number(house, game))
    assert "did not agree" in ann.get(f"/games/{game}").text

    ann.post(f"/games/{game}/propose", what=what)
    bob.post(f"/games/{game}/answer", say="yes", number=number(house, game))
    assert house.ports.game(game).how_ended == how


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_proposal_is_told_in_the_readers_language(house: Service, browser: Open, language: str) -> None:
    game, ann, bob = at_table(house, browser, f"in-{language}")
    bob.client.set_cookie("language", language)
    ann.post(f"/games/{game}/propose", what="draw")

    agree = {"en": "I agree", "de": "Einverstanden", "fr": "D’accord", "it": "D’accordo"}[language]
    assert agree in bob.get(f"/games/{game}").text


def test_against_bots_the_last_orders_are_taken_back_freely_after_the_bot_has_moved(house: Service, browser: Open) -> None:
    ann = house.person("ann")
    page, game = browser(ann), house.against_bot(ann)
    before = house.ports.game(game)
    page.post(f"/games/{game}/moves", orders=house.good_orders(game), key="first")
    house.turn_of(ann, game)

    assert "Take back my last orders" in page.get(f"/games/{game}").text
    page.post(f"/games/{game}/undo")

    after = house.ports.game(game)
    assert after.rules.view(after.state, 0) == before.rules.view(before.state, 0)


def linked(house: Service, name: str, rules: str = "portobello") -> tuple[Person, str, str]:
    host = house.person("host")
    game = f"linked-{name}-{rules}"
    open_game(house.ports, game, host.id, rules, [SeatPlan(player=host.id), SeatPlan()], {})
    made, link = make_link(house.ports, game, host.id, LinkKind.SEAT)
    return host, game, house.mailer.token("link", made.id, link)


def test_a_seat_link_leads_a_visitor_to_a_seat_as_a_guest(house: Service, browser: Open) -> None:
    _, game, key = linked(house, "guest")
    visitor = browser()
    assert 'name="name"' in visitor.get(f"/games/{game}?key={key}").text

    visitor.post(f"/join/{game}", key=key, name="Zoe")

    assert house.ports.game(game).status == "running"
    assert "Zoe" in visitor.get(f"/games/{game}").text


def test_a_seat_link_that_comes_too_late_says_so(house: Service, browser: Open) -> None:
    _, game, key = linked(house, "late")
    browser().post(f"/join/{game}", key=key)

    late = browser().get(f"/games/{game}?key={key}")

    assert late.status_code == 409
    assert "has begun without you" in late.text


def test_without_the_link_a_guest_sits_down_with_nobody(house: Service, browser: Open) -> None:
    host = house.person("host")
    open_game(house.ports, "public-table", host.id, "portobello", [SeatPlan(player=host.id), SeatPlan()], {}, public=True)
    guest = browser()
    guest.against_bot()

    assert guest.post("/join/public-table").headers["Location"] == "/sign-in?back=/games/public-table"
    assert house.ports.game("public-table").status == "open"


def test_anybody_may_look_at_a_public_game_and_at_no_other(house: Service, browser: Open) -> None:
    game = at_table(house, browser, "private")[0]
    host = house.person("host")
    open_game(house.ports, "to-watch", host.id, "portobello", [SeatPlan(player=host.id)] * 2, {}, public=True)

    assert browser().get("/games/to-watch").status_code == 200
    assert 'id="orders"' not in browser().get("/games/to-watch").text
    assert browser().get(f"/games/{game}").status_code == 404


@pytest.mark.parametrize("rules", rulesets())
def test_the_host_invites_by_link_withdraws_an_invitation_and_fills_up_with_bots(house: Service, browser: Open, rules: str) -> None:
    host, bob = house.person("host"), house.person("bob-hosted")
    game, page = f"hosted-{rules}", browser(host)
    open_game(house.ports, game, host.id, rules, [SeatPlan(player=host.id), SeatPlan(invited=bob.id), SeatPlan()], {})

    assert page.post(f"/games/{game}/link").status_code == 303
    shown = page.get(f"/games/{game}").text
    assert f'value="{house.settings.public_url}/games/{game}?key=' in shown
    assert "<svg" in shown.partition('class="qr"')[2]
    page.post(f"/games/{game}/withdraw", seat="1")
    assert house.ports.game(game).seats[1] == SeatPlan()
    assert page.post(f"/games/{game}/withdraw", seat="1").status_code == 409
    page.post(f"/games/{game}/fill")

    assert house.ports.game(game).status == "running"
    assert [bool(seat.bot) for seat in house.ports.game(game).seats].count(True) == 2


@pytest.mark.parametrize("rules", rulesets())
def test_the_host_names_the_table_and_invites_somebody_else(house: Service, browser: Open, rules: str) -> None:
    host, bob, cy = house.person("host"), house.person("bob-replaced"), house.person("cy-instead")
    page = browser(host)
    game = page.post(f"/new/{rules}", invite=bob.email, name="<i>Ours</i>", open="1").headers["Location"].rpartition("/")[2]
    for shown in (page.get(f"/games/{game}").text, browser(bob).get("/").text, browser().get("/").text):
        assert "&lt;i&gt;Ours&lt;/i&gt; · " in shown
        assert "<i>Ours" not in shown
    assert page.post(f"/new/{rules}", open="1", name="see example.org").status_code == 422

    assert page.post(f"/games/{game}/rename", name="see example.org").status_code == 409
    page.post(f"/games/{game}/rename", name="Yours")
    assert f"invitation of {bob.email}" in page.get(f"/games/{game}").text
    for wrong in ("", "nobody", host.email):
        assert page.post(f"/games/{game}/replace", seat="1", email=wrong).status_code == 409
    for _ in range(2):
        assert page.post(f"/games/{game}/replace", seat="1", email=cy.email, key="once").status_code == 303

    entries = [decode(each.data).action for each in house.ports.games.read(game)]
    assert [type(each) for each in entries].count(HandedOver) == 1
    assert house.ports.game(game).name == "Yours"
    assert f"invitation of {cy.email}" in page.get(f"/games/{game}").text
    assert cy.email not in browser(bob).get(f"/games/{game}").text
    assert house.ports.game(game).seats[1].invited == cy.id
    page.post(f"/games/{game}/rename", name="")
    assert house.ports.game(game).name == ""


def test_only_the_host_has_a_say_in_who_sits_down(house: Service, browser: Open) -> None:
    host, bob = house.person("host"), house.person("bob-other")
    open_game(house.ports, "not-yours", host.id, "portobello", [SeatPlan(player=host.id), SeatPlan(player=bob.id), SeatPlan()], {})

    for verb in ("rename", "cancel", "fill", "withdraw", "link"):
        assert browser(bob).post(f"/games/not-yours/{verb}", seat="2").status_code == 409
    assert bob.post("/v1/games/not-yours/fill", {}).json["code"] == "not-the-host"
    assert host.post("/v1/games/not-yours/fill", {"bot": "random"}).json["status"] == "running"


def test_an_invitation_is_declined_with_one_click(house: Service, browser: Open) -> None:
    host, bob = house.person("host"), house.person("bob-declines")
    open_game(house.ports, "declined", host.id, "portobello", [SeatPlan(player=host.id), SeatPlan(invited=bob.id)], {})

    assert "No, thank you" in browser(bob).get("/games/declined").text
    assert browser(bob).post("/games/declined/decline").headers["Location"] == "/"
    assert house.ports.game("declined").seats[1] == SeatPlan()


def test_a_game_is_played_again_with_one_click(house: Service, browser: Open) -> None:
    ann = house.person("again")
    finished(house.ports, "once", [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], began=0)

    again = browser(ann).post("/games/once/rematch").headers["Location"].rpartition("/")[2]

    assert house.ports.game(again).status == "running"


@pytest.mark.parametrize("rules", rulesets())
def test_the_end_of_a_game_shows_scores_and_chart_and_checks_its_chance(house: Service, browser: Open, rules: str) -> None:
    ann = house.person("ended")
    game = f"ended-{rules}"
    open_game(house.ports, game, ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    page = browser(ann)
    page.post(f"/games/{game}/propose", what="draw")

    shown = page.get(f"/games/{game}").text
    checked = page.post(f"/games/{game}/verify").text

    assert 'class="final"' in shown
    assert "<svg" in shown.partition('class="chart board"')[2]
    assert "draws came out the same again" in checked


def test_a_table_has_a_clock_and_is_private_if_the_form_says_so(house: Service, browser: Open) -> None:
    page = browser(house.person("clocked"))

    made = page.post("/new/portobello", open="1", per_decision="3d", public="").headers["Location"].rpartition("/")[2]

    game = house.ports.game(made)
    assert (game.clock.per_decision, game.clock.weekends, game.public) == (3 * 24 * 3600_000, False, False)
    assert "You have 3 days for each decision." in page.get(f"/games/{made}").text
    assert "Saturdays and Sundays do not count." in page.get(f"/games/{made}").text


def test_the_lobby_tells_the_clock_of_a_table_before_one_sits_down(house: Service, browser: Open) -> None:
    browser(house.person("opens-to-all")).post("/new/alturien", open="5", per_decision="12h", weekends="1", public="1")

    assert "You have 12 hours for each decision." in browser().get("/?players=6").text


@pytest.mark.parametrize("rules", rulesets())
def test_a_link_has_a_preview_with_the_board(house: Service, browser: Open, rules: str) -> None:
    _, game, key = linked(house, "preview", rules)

    shown = browser().get(f"/games/{game}?key={key}").text
    found = re.search(r'property="og:image" content="([^"]+)"', shown)
    picture = browser().get(html.unescape(found[1]).removeprefix(house.settings.public_url))

    assert picture.mimetype == "image/png"
    assert browser().get(f"/games/{game}/board.png").status_code == 404
