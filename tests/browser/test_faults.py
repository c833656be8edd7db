"""The network, the service or the session is lost in the middle of a move: the person knows, nothing is lost, nothing counts twice."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.visitor import Visitor
from tests.service import Service

Visit = Callable[..., Visitor]


@pytest.fixture
def at_game(visitor: Visit) -> tuple[Visitor, str]:
    ann = visitor(service_workers="block")  # what a service worker fetches cannot be lost on its way
    return ann, ann.play_a_bot()


def write(page: Page, house: Service, game: str) -> str:
    """Whole orders in the field, and previewed."""
    orders = house.good_orders(game)
    page.fill("#orders", orders)
    expect(page.locator(".outlook")).to_be_visible()
    return orders


def moves_of_people(house: Service, game: str) -> int:
    found = house.ports.game(game)
    return sum(found.seats[played.seat].player is not None for played in found.played if played.seat is not None)


def without_complaints(ann: Visitor) -> None:
    """The browser notes each lost request itself."""
    ann.faults[:] = [fault for fault in ann.faults if not fault.startswith("console: Failed to load resource")]


@pytest.mark.parametrize("arrives", [False, True], ids=["lost on the way there", "lost on the way back"])
def test_orders_that_are_not_answered_are_sent_again_and_count_once(house: Service, at_game: tuple[Visitor, str], arrives: bool) -> None:
    (ann, game), lost = at_game, list[str]()
    page = ann.page
    before = moves_of_people(house, game)

    def lose(route: Route) -> None:
        lost.append(str(route.request.post_data))
        if len(lost) > 1:
            route.continue_()
            return
        if arrives:
            route.fetch()
        route.abort()

    write(page, house, game)
    page.route("**/moves", lose)
    page.click("#send")

    expect(page.locator("#connection")).to_contain_text("The service does not answer")
    expect(page.locator("#outcome")).to_have_text("Your orders have been carried out.")
    expect(page.locator("#connection")).to_be_hidden()
    assert lost[0] == lost[1]
    assert moves_of_people(house, game) == before + 1
    expect(page.locator("#orders")).to_have_value("")
    without_complaints(ann)


def test_a_page_that_is_loaded_while_orders_are_under_way_goes_on_with_them(house: Service, at_game: tuple[Visitor, str]) -> None:
    ann, game = at_game
    page, before = ann.page, moves_of_people(house, game)
    write(page, house, game)
    page.route("**/moves", lambda route: route.abort())
    page.click("#send")
    expect(page.locator("#connection")).to_be_visible()
    page.unroute("**/moves")

    page.reload()

    expect(page.locator("#outcome")).to_have_text("Your orders have been carried out.")
    assert moves_of_people(house, game) == before + 1
    without_complaints(ann)


def test_whoever_was_signed_out_elsewhere_is_told_and_keeps_the_orders(house: Service, at_game: tuple[Visitor, str]) -> None:
    ann, game = at_game
    page = ann.page
    orders = write(page, house, game)
    session = ann.context.cookies()
    ann.context.clear_cookies(name="session")

    page.click("#send")

    expect(page.locator("#connection")).to_contain_text("You are signed out")
    expect(page.locator("#orders")).to_have_value(orders)
    expect(page.locator("#board svg")).to_be_visible()
    ann.context.add_cookies(session)
    page.reload()
    expect(page.locator("#orders")).to_have_value(orders)
    without_complaints(ann)


def test_a_draft_survives_a_reload_and_stepping_through_the_game(house: Service, at_game: tuple[Visitor, str]) -> None:
    ann, game = at_game
    page = ann.page
    orders = write(page, house, game)

    page.reload()
    expect(page.locator("#orders")).to_have_value(orders)
    expect(page.locator("#board")).to_have_class("board draft")
    page.locator("#turn").focus()
    page.keyboard.press("Home")
    expect(page.locator("#orders")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("#orders")).to_have_value(orders)


def test_what_was_said_of_the_last_orders_goes_when_the_next_are_written(house: Service, at_game: tuple[Visitor, str]) -> None:
    ann, game = at_game
    page = ann.page
    write(page, house, game)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#outcome")).to_have_text("Your orders have been carried out.")
    expect(page.locator("#announce")).to_contain_text("It is your turn")

    page.locator("#draft .steps button.order").first.click()

    expect(page.locator("#outcome")).to_have_text("")


def test_what_happened_since_the_last_turn_is_shown_step_by_step(house: Service, at_game: tuple[Visitor, str]) -> None:
    ann, game = at_game
    page = ann.page
    version = str(page.locator(".table").get_attribute("data-version"))
    write(page, house, game)
    page.click("#send")
    expect(page.locator(".table")).not_to_have_attribute("data-version", version)
    expect(page.locator("#since li")).not_to_have_count(0)
    now = page.locator("#board").inner_html()

    page.click("#replay")
    expect(page.locator("#since li").first).to_have_class("now")
    expect(page.locator("#playing p")).to_have_text(str(page.locator("#since li").first.inner_text()).strip())
    for _ in range(page.locator("#since li").count()):
        page.click("#play-next")

    expect(page.locator("#replay")).to_have_text("Show it again")
    expect(page.locator("#playing")).to_be_hidden()
    assert page.locator("#board").inner_html() == now
    assert page.locator("#since li.now").count() == 0


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_piece_that_a_bot_moves_goes_its_way_by_itself_unless_less_motion_is_wanted(visitor: Visit, house: Service, motion: str) -> None:
    ann = visitor(reduced_motion=motion)
    game = ann.play_a_bot("The Market of Alturien")
    page = ann.page
    page.evaluate(WATCHED)

    for _ in range(MOST_TURNS):
        write(page, house, game)
        page.click("#send")
        expect(page.locator("#orders")).to_have_value("")
        expect(page.locator("#turn")).to_contain_text("It is your turn")  # writing the next orders would end what is shown
        if page.locator("#since li[data-motions]").count():
            break

    if motion == "reduce":
        expect(page.locator("body")).not_to_have_attribute("data-movers", ANYTHING)
        page.click("#replay")
        expect(page.locator("#since li.now")).to_have_count(1)
        while not page.locator("#since li.now[data-motions]").count():
            page.click("#play-next")
        expect(page.locator("#board .way").first).to_be_attached()
    else:
        expect(page.locator("body")).to_have_attribute("data-movers", ANYTHING)
        expect(page.locator("#playing")).to_be_hidden()
        expect(page.locator("#board .mover")).to_have_count(0)


MOST_TURNS = 10
ANYTHING = re.compile(".")
WATCHED = """() => {
  const note = () => { if (document.querySelector(".mover")) document.body.dataset.movers = "seen"; };
  new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
}"""
"""Notes that a piece was on its way, which is gone before a test could look."""


def test_the_first_click_on_a_place_asks_how_to_begin(house: Service, at_game: tuple[Visitor, str]) -> None:
    page = at_game[0].page
    expect(page.locator("#board .possible").first).to_be_attached()

    page.locator('#board [data-place="A"]').first.dispatch_event("click", {"clientX": 300, "clientY": 300})
    offered = page.locator("#choice button")
    expect(offered.first).to_contain_text(": customer A")
    first = str(offered.first.text_content())
    offered.first.click()

    expect(page.locator("#orders")).to_have_value(first)
    expect(page.locator("#choice")).to_have_count(0)


def test_without_a_network_an_installed_page_says_so(visitor: Visit) -> None:
    ann = visitor()
    ann.play_a_bot()
    page = ann.page
    page.locator("h1").click()
    page.evaluate("() => navigator.serviceWorker.ready")

    ann.context.set_offline(True)
    page.goto(f"{ann.site}/settings")

    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    ann.context.set_offline(False)
    page.get_by_role("link", name="Try now").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    ann.faults.clear()  # the browser notes what it could not load
