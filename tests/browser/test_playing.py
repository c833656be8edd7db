"""A newcomer plays a whole game: with the mouse, by touch, with the keyboard alone, and without a script."""

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from marketpost.rules.ruleset import rulesets
from tests.browser.visitor import Visitor
from tests.service import Service

STEPS = "#draft .steps button.order"
MOST_TURNS = 60
MIDDLE = """place => {
  place.scrollIntoView({block: "center", behavior: "instant"});
  const box = place.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Where the mouse goes. A level lane has no height, so that a browser's driver would take it for unseen."""
LONG = 60_000
FINGER = 40
"""Pixels across what is touched."""
TITLES = [rules.title(rules.in_language("en")) for rules in rulesets().values()]
QUICK = "The Market of Alturien"
"""The game of which a whole one has the fewest clicks."""


def advance(steps: Sequence[str]) -> str:
    """The Bobby stays where it is: as long as there is something to do there, so that the game comes to its end."""
    return next((step for step in steps if not step.startswith(("bobby", "mark"))), steps[-1])


def texts(page: Page) -> list[str]:
    return [str(text) for text in page.locator(STEPS).evaluate_all("steps => steps.filter(s => !s.hidden).map(s => s.value)")]


def wait_for_turn(page: Page) -> bool:
    """Until we have something to decide; false when the game is over."""
    page.wait_for_selector("#draft .steps, .table:not(:has(.scores .decides))", timeout=LONG)
    return page.locator(STEPS).count() > 0


def play_on(page: Page, take: Callable[[str], None], send: Callable[[], None]) -> int:
    """Turn by turn until the game is over; how many turns it took."""
    for turn in range(MOST_TURNS):
        if not wait_for_turn(page):
            return turn
        while steps := texts(page):
            written = page.input_value("#orders")
            take(advance(steps))
            expect(page.locator("#orders")).not_to_have_value(written)
        version = str(page.locator(".table").get_attribute("data-version"))
        send()
        expect(page.locator(".table")).not_to_have_attribute("data-version", version, timeout=LONG)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("title", TITLES)
def test_a_newcomer_plays_a_whole_game_with_the_mouse(visitor: Callable[..., Visitor], house: Service, title: str) -> None:
    ann = visitor()
    game = ann.play_a_bot(title)
    page = ann.page
    by_place = 0

    def take(step: str) -> None:
        nonlocal by_place
        button = page.locator(f'{STEPS}[value="{step}"]')
        places = str(button.get_attribute("data-places")).split()
        if not places:
            button.click()
            return
        written = page.input_value("#orders")
        spot = page.locator(f'#board [data-place="{places[0]}"]').first
        page.mouse.click(*(spot.locator("> .hit").first if spot.locator("> .hit").count() else spot).evaluate(MIDDLE))
        by_place += 1
        offered = page.locator(f"{STEPS}:visible")
        if page.locator(".filtered:visible").count() and page.input_value("#orders") == written:
            offered.first.click()

    turns = play_on(page, take, lambda: page.locator("#send").click())

    assert by_place > turns > 0
    assert house.ports.game(game).status == "over"
    expect(page.locator("#turn")).to_contain_text("Winner")


PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
CORNER = """(place, [right, lower]) => {
  place.scrollIntoView({block: "center", behavior: "instant"});
  const frame = place.closest("svg").getBoundingClientRect(), box = (place.querySelector(":scope > .hit") ?? place).getBoundingClientRect();
  const inside = (low, wanted, high) => Math.max(low + 20, Math.min(wanted, high - 20));
  const x = inside(frame.left, box.x + box.width / 2, frame.right), y = inside(frame.top, box.y + box.height / 2, frame.bottom);
  return [x + (right ? 19 : -19), y + (lower ? 19 : -19)];
}"""
"""A corner of the square of forty pixels around the middle of a place, or as near as the board goes."""


def touch_board(page: Page, step: str) -> None:
    """Write a step by touching the board and what it offers then: the step, or the place first where a finger covers several."""
    button = page.locator(f'{STEPS}[value="{step}"]')
    places = str(button.get_attribute("data-places")).split()
    if not places:
        button.tap()
        return
    written = page.input_value("#orders")
    spot = page.locator(f'#board [data-place="{places[0]}"]').first
    page.touchscreen.tap(*(spot.locator("> .hit").first if spot.locator("> .hit").count() else spot).evaluate(MIDDLE))
    if page.locator("#choice").count():
        take_offer(page, step, str(spot.locator("> title").text_content()))
    expect(page.locator("#orders")).not_to_have_value(written)


def take_offer(page: Page, step: str, place: str) -> None:
    offered = page.locator("#choice button")
    if step not in offered.all_inner_texts():
        offered.get_by_text(place, exact=True).tap()
    offered.get_by_text(step, exact=True).tap()


def test_a_third_plays_a_whole_game_by_touching_the_board_on_a_phone_held_upright(visitor: Callable[..., Visitor], house: Service) -> None:
    dan = visitor(**PHONE)
    game = dan.play_a_bot(QUICK)
    page = dan.page

    turns = play_on(page, lambda step: touch_board(page, step), lambda: page.locator("#send").tap())

    assert turns
    assert house.ports.game(game).status == "over"
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("title", TITLES)
def test_every_place_is_met_by_a_finger_at_the_corners_of_its_forty_pixels(visitor: Callable[..., Visitor], title: str) -> None:
    dan = visitor(**PHONE)
    dan.play_a_bot(title)
    page = dan.page
    wait_for_turn(page)
    page.locator("#board").scroll_into_view_if_needed()
    legal = page.locator("#board .possible:not(.district)")
    for number in range(0, legal.count(), 3):
        place, corner = legal.nth(number), [bool(number % 2), bool(number % 4 < 2)]
        name = re.compile(rf"\b{place.get_attribute('data-place')}\b")
        page.touchscreen.tap(*place.evaluate(CORNER, corner))
        if page.locator("#choice").count():
            assert any(map(name.search, page.locator("#choice button").all_inner_texts()))
            page.keyboard.press("Escape")
            continue
        expect(page.locator("#orders")).to_have_value(name)
        page.fill("#orders", "")
        expect(page.locator("#board")).not_to_have_class(re.compile("draft"))


def test_another_plays_a_whole_game_with_the_keyboard_alone(visitor: Callable[..., Visitor], house: Service) -> None:
    bob = visitor()
    page = bob.goto("/")
    press = page.keyboard.press

    def tab_to(selector: str) -> None:
        for _ in range(80):
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
            press("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    def take(step: str) -> None:
        tab_to(f'{STEPS}[value="{step}"]')
        press("Enter")

    def send() -> None:
        tab_to("#send")
        press("Enter")

    tab_to('button[value="alturien"]')
    press("Enter")
    page.wait_for_selector("#orders")
    game = str(page.locator(".table").get_attribute("data-game"))
    turns = play_on(page, take, send)

    assert turns
    assert house.ports.game(game).status == "over"


def test_without_a_script_the_board_the_log_and_the_orders_work(visitor: Callable[..., Visitor]) -> None:
    cleo = visitor(java_script_enabled=False)
    page = cleo.goto("/")
    page.get_by_role("button", name="Play Portobello").click()
    for _ in range(50):
        if page.locator("#orders").count():
            break
        page.reload()

    page.fill("#orders", "4: stall Z-Z")
    page.click("#preview")
    expect(page.locator("#draft .wrong")).to_contain_text("no lane")
    page.fill("#orders", "")
    page.click("#preview")
    page.locator(STEPS).first.click()
    while page.locator(STEPS).count():
        page.locator(STEPS).first.click()
    expect(page.locator("#draft .outlook .board svg")).to_be_visible()
    written = page.input_value("#orders")
    page.click("#send")

    expect(page.locator("#log")).to_contain_text("Red took")
    assert ";" in written


def test_refused_orders_stay_in_the_field_with_the_reason_in_sight(visitor: Callable[..., Visitor]) -> None:
    ann = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ann.play_a_bot()
    page = ann.page
    squares = page.locator("#board .square").evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert min(squares) >= FINGER

    page.fill("#orders", "4: fly away")
    page.locator("#orders").scroll_into_view_if_needed()
    page.locator("#chairs").scroll_into_view_if_needed()
    page.click("#send")

    expect(page.locator("#outcome")).to_contain_text("fly away")
    expect(page.locator("#outcome")).to_be_in_viewport()
    assert page.input_value("#orders") == "4: fly away"


def test_what_is_said_meanwhile_leaves_the_place_that_was_clicked_and_the_orders_alone(
    visitor: Callable[..., Visitor], house: Service
) -> None:
    ann = visitor()
    ann.sign_in(house.person("talker"))
    ann.play_a_bot()
    page = ann.page
    page.locator(f'{STEPS}[value="4:"]').click()
    expect(page.locator("#orders")).to_have_value("4:")
    offered = page.locator(STEPS).evaluate_all("steps => steps.flatMap(step => [...new Set(step.dataset.places.split(' '))])")
    place = next(place for place in offered if place and offered.count(place) > 1)
    page.locator(f'#board [data-place="{place}"]').first.dispatch_event("click")
    expect(page.locator(".filtered")).to_be_visible()

    page.fill("#text", "a moment, please")
    page.locator("#talk-form button").click()

    expect(page.locator("#talk")).to_contain_text("a moment, please")
    expect(page.locator(".filtered")).to_be_visible()
    assert page.input_value("#orders") == "4:"


def test_the_preview_shows_every_branch_of_chance_and_the_board_after_it(visitor: Callable[..., Visitor]) -> None:
    ann = visitor()
    ann.play_a_bot()
    page = ann.page

    page.fill("#orders", "2: customer A; customer B")
    expect(page.locator(".branch")).to_have_count(4)
    expect(page.locator(".branch").first).to_contain_text(re.compile("citizen|clerk"))
    expect(page.locator("#board")).to_have_class(re.compile("draft"))
    first = page.locator("#board").inner_html()
    page.locator(".branch").last.get_by_role("button").click()
    expect(page.locator(".branch").last).to_have_class(re.compile("chosen"))
    assert page.locator("#board").inner_html() != first

    page.click("#drop")
    expect(page.locator("#orders")).to_have_value("2: customer A")
    page.fill("#orders", "")
    expect(page.locator("#board")).not_to_have_class(re.compile("draft"))


SLOW_ANSWER = """() => {
  const usual = window.fetch, table = document.querySelector(".table"), before = Number(table.dataset.version);
  window.fetch = async (address, given) => {
    const answer = await usual(address, given);
    while (String(address).endsWith("/moves") && Number(table.dataset.version) < before + 2) await new Promise((go) => setTimeout(go, 20));
    return answer;
  };
}"""
"""The answer to orders comes only after the page has shown what the bot did then."""


def test_an_answer_that_comes_after_the_bots_move_does_not_hide_it(visitor: Callable[..., Visitor]) -> None:
    ann = visitor()
    ann.play_a_bot()
    page = ann.page
    wait_for_turn(page)
    while steps := texts(page):
        written = page.input_value("#orders")
        page.locator(f'{STEPS}[value="{advance(steps)}"]').click()
        expect(page.locator("#orders")).not_to_have_value(written)
    page.evaluate(SLOW_ANSWER)

    page.locator("#send").click()

    expect(page.locator("#orders")).to_have_value("", timeout=LONG)
    assert wait_for_turn(page)


DRAWN = "#board svg *"


@pytest.mark.parametrize("title", TITLES)
def test_a_board_put_together_from_what_differs_shows_as_much_as_a_whole_one(visitor: Callable[..., Visitor], title: str) -> None:
    ann = visitor()
    ann.play_a_bot(title)
    page = ann.page
    wait_for_turn(page)
    before = page.locator(DRAWN).count()
    while steps := texts(page):
        written = page.input_value("#orders")
        page.locator(f'{STEPS}[value="{advance(steps)}"]').click()
        expect(page.locator("#orders")).not_to_have_value(written)
    assert page.locator(DRAWN).count() > before * 0.9, "the preview lacks parts of the board"

    version = str(page.locator(".table").get_attribute("data-version"))
    page.locator("#send").click()
    expect(page.locator(".table")).not_to_have_attribute("data-version", version, timeout=LONG)
    assert wait_for_turn(page)
    live = page.locator(DRAWN).count()
    page.reload()
    wait_for_turn(page)
    assert page.locator(DRAWN).count() == live
