"""Every page as people meet it: live, in four languages, on a phone, with a screen reader, and no heavier than it must be."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.browser.scene import Scene, play, scene
from tests.browser.visitor import Visitor
from tests.service import Service

SSE_ONLY = 5_000
"""Milliseconds. Without its stream a page learns nothing in so short a time: the stream itself is silent for longer."""
LIGHTEST = 60_000
"""Bytes of a first view, with style and scripts."""
A_MOVE = 35_000
"""Bytes of a whole turn: every step previewed, the orders sent, and the answer of a bot. It took 180 kB once."""
PAGES = (
    "home", "sign-in", "settings", "new-game", "new-game-alturien", "game", "game-then", "game-over", "table", "finished",
    "mailbox", "mailbox-list", "mailbox-letter", "not-found", "docs",
)  # fmt: skip
STEPS = "#draft .steps button.order"
Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def shown(house: Service) -> Scene:
    return scene(house)


def test_a_second_browser_sees_each_move_as_it_happens(visitor: Visit, house: Service) -> None:
    stage = scene(house, "-live")
    bob, watcher = visitor(), visitor()
    bob.sign_in(stage.bob)
    watcher.sign_in(house.person("dora"))
    seen = watcher.goto(f"/games/{stage.game}")
    page = bob.goto(f"/games/{stage.game}")

    page.fill("#orders", "2: customer A; customer D")
    page.click("#send")
    expect(seen.locator("#log li").first).to_contain_text("Yellow took tile 2", timeout=SSE_ONLY)
    play(house, stage.game, stage.ann, house.good_orders(stage.game))
    expect(seen.locator("#log li").first).to_contain_text("Red took tile", timeout=SSE_ONLY)
    expect(page.locator("#orders")).to_be_visible(timeout=SSE_ONLY)


def test_what_is_said_at_the_table_is_heard(visitor: Visit, house: Service, shown: Scene) -> None:
    bob = visitor()
    bob.sign_in(shown.bob)
    page = bob.goto(f"/games/{shown.game}")

    page.fill("#text", "Good luck & <b>have fun</b>")
    page.keyboard.press("Enter")

    expect(page.locator(".talk li").last).to_contain_text("Bob: Good luck & <b>have fun</b>")
    expect(page.locator("#text")).to_have_value("")


def test_one_can_step_through_the_whole_game(visitor: Visit, shown: Scene) -> None:
    ann = visitor()
    ann.sign_in(shown.ann)
    page = ann.goto(f"/games/{shown.over}")
    last = page.locator("#board").inner_html()

    page.keyboard.press("ArrowLeft")
    expect(page.locator(".where")).to_contain_text("After entry")
    assert page.locator("#board").inner_html() != last
    page.keyboard.press("Home")
    expect(page.locator(".caption")).to_contain_text("The game has begun")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("put the Bobby")
    page.go_back()
    expect(page.locator(".caption")).to_contain_text("The game has begun")
    page.locator(".log a.number").nth(3).press("Enter")
    expect(page.locator(".log li").nth(3)).to_have_attribute("aria-current", "step")
    page.keyboard.press("End")
    expect(page.locator(".where")).to_have_text("Now")


def test_the_file_of_a_game_steps_through_it_by_itself(visitor: Visit, shown: Scene, tmp_path_factory: pytest.TempPathFactory) -> None:
    ann = visitor()
    ann.sign_in(shown.ann)
    page = ann.goto(f"/games/{shown.over}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Take the game with you").click()
    path = tmp_path_factory.mktemp("replay") / "game.html"
    download.value.save_as(path)
    alone = visitor(offline=True)
    alone.site = "file://"

    alone.page.goto(path.as_uri())
    expect(alone.page.locator("#where")).to_contain_text("Step 1 of")
    alone.page.keyboard.press("End")
    expect(alone.page.locator("#told")).to_contain_text("The game is over")
    alone.page.locator("#back").click()
    expect(alone.page.locator("#told")).not_to_contain_text("The game is over")
    assert path.stat().st_size < 1_500_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_speaks_the_language_that_is_chosen(visitor: Visit, language: str) -> None:
    eve = visitor(locale={"en": "de", "de": "fr", "fr": "it", "it": "en-GB"}[language])
    page = eve.goto("/")
    page.locator(f'button[name="language"][value="{language}"]').click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator('button[value="portobello"]').click()
    page.wait_for_selector("#orders")
    expect(page.locator("html")).to_have_attribute("lang", language)

    page.locator("#draft .steps button.order").last.click()
    stall = {"en": "stall", "de": "Stand", "fr": "étal", "it": "bancarella"}[language]
    expect(page.locator(f'#draft .steps button.order[value^="{stall} "]').first).to_be_visible()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_a_serious_fault_or_needs_a_wide_screen(visitor: Visit, shown: Scene, name: str) -> None:
    assert set(shown.pages()) == set(PAGES)
    for scheme in ("light", "dark") if name != "docs" else ("dark",):  # it is long, and made of what others are made of
        bob = visitor(color_scheme=scheme, viewport={"width": 360, "height": 740})
        bob.sign_in(shown.bob)
        page = bob.goto(shown.pages()[name])
        if name == "not-found":
            bob.faults.clear()  # the browser notes the 404 itself

        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
        found = Axe().run(page).response["violations"]
        serious = [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")]
        assert serious == [], scheme


@pytest.mark.parametrize("path", ["/", "/games/over"])
def test_a_first_view_is_light_and_comes_in_one_round(visitor: Visit, shown: Scene, path: str) -> None:
    ann = visitor(service_workers="block")
    if path != "/":
        ann.sign_in(shown.ann)
    ann.goto(path)

    assert sum(ann.loaded.values()) < LIGHTEST
    assert all(ann.loaded.values())
    kinds = sorted(address.rpartition("/")[2].partition("?")[0] for address in ann.loaded)
    assert kinds == (
        ["", "marketpost.css"] if path == "/" else ["connection.js", "drafts.js", "game.js", "marketpost.css", "over", "push.js"]
    )


@pytest.mark.parametrize("title", [rules.title(rules.in_language("en")) for rules in rulesets().values()])
def test_a_whole_turn_costs_little(visitor: Visit, title: str) -> None:
    ann = visitor()
    ann.play_a_bot(str(title))
    page, came = ann.page, list[int]()
    ann.context.on("response", lambda each: came.append("/static/" not in each.url and int(each.headers.get("content-length", 0))))

    while page.locator(STEPS).count():
        written = page.input_value("#orders")
        page.locator(STEPS).first.click()
        expect(page.locator("#orders")).not_to_have_value(written)
    page.click("#send")
    expect(page.locator("#outcome")).to_have_text("Your orders have been carried out.")
    expect(page.locator(STEPS).first).to_be_visible()

    assert 0 < sum(came) < A_MOVE


def test_a_letter_is_answered_with_one_click(visitor: Visit, house: Service) -> None:
    stage = scene(house, "-post")
    bob = visitor()
    page = bob.goto(f"/mailbox/{stage.bob.email}")
    page.get_by_role("link", name="Your turn").first.click()

    expect(page.frame_locator("iframe").get_by_text("Hello Bob-post")).to_be_visible()
    page.locator(".answers button").first.click()

    expect(page.get_by_role("status")).to_contain_text("on its way")
