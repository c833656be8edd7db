"""The network is cut at every moment of a move: nothing is lost, nothing counts twice, and the person is told."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor
from tests.browser.wire import Cut, Wire, wire_to
from tests.service import Service

TOLD = """() => {
  const bar = document.querySelector("#connection"), note = () => { if (!bar.hidden) document.body.dataset.told = bar.innerText; };
  new MutationObserver(note).observe(bar, {attributes: true});
}"""
"""Notes what the reader was told about the connection, which goes when it is back."""
BOTH_AT_ONCE = """() => {
  document.querySelector('#draft .steps button.order[value^="customer "]').click();
  document.getElementById("send").click();
}"""
OURS = "It is your turn"


@pytest.fixture
def wire(site: str) -> Iterator[Wire]:
    with wire_to(site) as cut:
        yield cut


@pytest.fixture
def ann(wire: Wire, visitor: Callable[..., Visitor], house: Service) -> Iterator[Visitor]:
    """Somebody at her turn, with whole orders in the field."""
    one = visitor(service_workers="block")
    one.site = wire.address
    game = one.play_a_bot()
    one.page.evaluate(TOLD)
    one.page.fill("#orders", house.good_orders(game))
    expect(one.page.locator(".outlook")).to_be_visible()
    yield one
    one.faults[:] = [fault for fault in one.faults if not fault.startswith("console: Failed to load resource")]


def game_of(page: Page) -> str:
    return str(page.locator(".table").get_attribute("data-game"))


def moves_of_people(house: Service, game: str) -> int:
    found = house.ports.game(game)
    return sum(found.seats[played.seat].player is not None for played in found.played if played.seat is not None)


def assert_played_once(page: Page, house: Service, before: int) -> None:
    """The move counts once, the bot has answered, and the page shows the next turn without being loaded again."""
    expect(page.locator("#turn")).to_contain_text(OURS)
    expect(page.locator("#orders")).to_have_value("")
    expect(page.locator("#orders")).to_be_editable()
    expect(page.locator("#send")).to_be_enabled()
    expect(page.locator("#connection")).to_be_hidden()
    assert moves_of_people(house, game_of(page)) == before + 1
    assert page.locator(".table").get_attribute("data-version") == str(house.ports.game(game_of(page)).version)


@pytest.mark.parametrize("moment", Cut)
def test_orders_whose_connection_is_cut_count_once_and_the_person_is_told(ann: Visitor, wire: Wire, house: Service, moment: Cut) -> None:
    page, before = ann.page, moves_of_people(house, game_of(ann.page))
    wire.cuts = [(b"/moves ", moment)]

    page.click("#send")

    expect(page.locator("#outcome")).to_have_text("Your orders have been carried out.")
    assert wire.done == [moment]
    assert "does not answer" in str(page.locator("body").get_attribute("data-told"))
    assert_played_once(page, house, before)


def test_whoever_waits_for_others_is_told_that_the_network_is_gone_and_sees_their_moves_when_it_is_back(
    ann: Visitor, wire: Wire, house: Service
) -> None:
    page, before = ann.page, moves_of_people(house, game_of(ann.page))
    wire.cuts = [(b"/moves ", Cut.BEFORE_ANSWER)]
    page.click("#send")
    expect(page.locator("#connection")).to_be_visible()
    wire.take_down()
    expect(page.locator("#send:enabled")).to_have_count(0)  # the stream may have shown the move before it was cut, and Send with it

    wire.is_down = False

    assert_played_once(page, house, before)


def test_a_page_that_only_listens_says_that_nothing_comes_any_more(ann: Visitor, wire: Wire) -> None:
    wire.take_down()

    expect(ann.page.locator("#connection")).to_contain_text("does not answer")
    wire.is_down = False
    expect(ann.page.locator("#connection")).to_be_hidden()


@pytest.mark.parametrize("moment", [Cut.BEFORE_REQUEST, Cut.IN_ANSWER])
def test_a_step_whose_preview_is_cut_is_not_left_out_of_what_is_sent(ann: Visitor, wire: Wire, house: Service, moment: Cut) -> None:
    page, before = ann.page, moves_of_people(house, game_of(ann.page))
    page.fill("#orders", "2: customer A")
    expect(page.locator(".outlook")).to_be_visible()
    step = page.locator('#draft .steps button.order[value^="customer "]').first
    added = str(step.get_attribute("value"))
    expect(page.locator("#orders")).to_have_value("2: customer A")
    wire.cuts = [(b"/preview ", moment)]

    page.evaluate(BOTH_AT_ONCE)

    expect(page.locator("#connection")).to_be_visible()
    expect(page.locator("#send")).to_be_enabled()
    expect(page.locator("#orders")).to_have_value("2: customer A")
    assert moves_of_people(house, game_of(page)) == before
    expect(page.locator("#connection")).to_be_hidden()
    step.click()
    expect(page.locator("#orders")).to_have_value(f"2: customer A; {added}")


@pytest.mark.parametrize("moment", [Cut.BEFORE_REQUEST, Cut.BEFORE_ANSWER])
def test_what_is_said_over_a_connection_that_is_cut_is_heard_once(
    wire: Wire, visitor: Callable[..., Visitor], house: Service, moment: Cut
) -> None:
    bob = visitor(service_workers="block")
    bob.site = wire.address
    bob.sign_in(house.person("speaker"))
    bob.play_a_bot()
    wire.cuts = [(b"/talk ", moment)]

    bob.page.fill("#text", "Are you there?")
    bob.page.keyboard.press("Enter")

    expect(bob.page.locator("#connection")).to_be_visible()
    expect(bob.page.locator("#text")).to_have_value("")
    expect(bob.page.locator(".talk li")).to_have_count(1)
    bob.faults[:] = [fault for fault in bob.faults if not fault.startswith("console: Failed to load resource")]
