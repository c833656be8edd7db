"""Every page as people meet it: live, in four languages, on a phone, with a screen reader, and no heavier than it must be."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from marketpost.play.analyses import analyst_of, store_analysis
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.names import LONGEST_NAME
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from tests.browser.scene import Scene, play, scene
from tests.browser.visitor import Visitor
from tests.page_weight import A_MOVE, REQUESTS, newcomer, play_turn, view, watch
from tests.service import Service

SSE_ONLY = 20_000
"""Milliseconds. Without its stream a page learns nothing in so short a time: the stream itself is silent for longer."""
LIGHTEST = 60_000
"""Bytes of a first view, with style and scripts."""
PAGES = (
    "home", "sign-in", "settings", "new-game", "new-game-alturien", "game", "game-then", "game-over", "table", "finished",
    "players", "player", "mailbox", "mailbox-list", "mailbox-letter", "not-found", "rules",
    "tutorial", "docs",
)  # fmt: skip
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


def test_whoever_waits_at_a_table_sees_the_board_as_soon_as_the_game_begins(visitor: Visit, house: Service) -> None:
    host, other = house.person("waits-for-one"), house.person("comes")
    open_game(house.ports, "begins-now", host.id, "alturien", [SeatPlan(player=host.id), SeatPlan(invited=other.id)], {})
    ann = visitor()
    ann.sign_in(host)
    page = ann.goto("/games/begins-now")
    expect(page.locator("#position")).to_have_count(0)

    other.post("/v1/games/begins-now/join", {})

    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator(".table.waiting")).to_have_count(0)
    expect(page.locator("#orders")).to_be_editable()


SHARED = "navigator.share = async ({ url }) => { document.documentElement.dataset.shared = url; };"
"""A phone's share sheet, which no headless browser has."""


def test_a_seat_link_is_copied_and_shared_also_after_somebody_else_has_sat_down(visitor: Visit, house: Service) -> None:
    host, other = house.person("shares"), house.person("sits-first")
    open_game(house.ports, "shared-table", host.id, "alturien", [SeatPlan(player=host.id), SeatPlan(), SeatPlan()], {}, public=True)
    ann = visitor(permissions=["clipboard-read", "clipboard-write"])
    ann.context.add_init_script(SHARED)
    ann.sign_in(host)
    page = ann.goto("/games/shared-table")
    page.get_by_role("button", name="Make a link").click()
    link = page.input_value("#seat-link")

    other.post("/v1/games/shared-table/join", {})
    expect(page.locator("#turn")).to_contain_text("One seat is still free")

    page.click("#copy")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.click("#share")
    expect(page.locator("html")).to_have_attribute("data-shared", link)


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


def test_luck_skill_and_turning_points_appear_by_themselves_after_a_game(visitor: Visit, house: Service, shown: Scene) -> None:
    ann = visitor()
    ann.sign_in(shown.ann)
    game = house.ports.game(shown.over)
    house.ports.analyses.add(game.id, house.ports.clock() + 10**6)
    page = ann.goto(f"/games/{game.id}")
    expect(page.locator("#result")).to_contain_text("are being computed")

    analyst = analyst_of(house.ports, game)
    for playouts in analyst.run():
        if playouts:
            break
    store_analysis(house.ports, game.id, analyst.result(1))

    expect(page.locator("#result h3")).to_have_count(2)
    expect(page.locator("#result details")).to_have_count(3)
    page.locator("#result details summary").first.click()
    expect(page.locator("#result details .board svg").first).to_be_visible()


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
    page.locator('button[value="portobello"]').first.click()
    page.wait_for_selector("#orders")
    expect(page.locator("html")).to_have_attribute("lang", language)

    page.locator("#draft .steps button.order").last.click()
    stall = {"en": "stall", "de": "Stand", "fr": "étal", "it": "bancarella"}[language]
    expect(page.locator(f'#draft .steps button.order[value^="{stall} "]').first).to_be_visible()


SAME_IDS = "() => [...document.querySelectorAll('[id]')].map(each => each.id).filter((id, at, all) => all.indexOf(id) !== at)"
SHORTEN = "() => document.querySelectorAll('.docs section:nth-of-type(n+9), .docs tr:nth-of-type(n+30)').forEach(each => each.remove())"
"""The page of the API is long, and made of the same again and again."""


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_a_serious_fault_or_needs_a_wide_screen(visitor: Visit, shown: Scene, name: str) -> None:
    assert set(shown.pages()) == set(PAGES)
    bob = visitor(viewport={"width": 360, "height": 740})
    bob.sign_in(shown.bob)
    if name == "tutorial":
        bob.context.add_cookies([{"name": "tutorial", "value": shown.game, "url": bob.site}])
    page = bob.goto(shown.pages()[name])
    assert page.locator("#lesson h2").count() == (name == "tutorial")
    if name == "not-found":
        bob.faults.clear()  # the browser notes the 404 itself

    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert page.evaluate(SAME_IDS) == []
    page.evaluate(SHORTEN)
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, runOnly=["color-contrast"]) == [], "the dark page has other colours, and nothing else"


def test_the_longest_name_without_a_blank_needs_no_wide_screen(visitor: Visit, house: Service) -> None:
    person = house.person("wide")
    assert person.call("PATCH", "/v1/players/me", json={"name": "W" * LONGEST_NAME}).status_code == 200
    game = house.against_bot(person)
    ann = visitor(viewport={"width": 360, "height": 740})
    ann.sign_in(person)

    for path in ("/", f"/games/{game}", f"/players/{person.id}", "/settings"):
        assert ann.goto(path).evaluate("() => document.documentElement.scrollWidth") <= 360, path


def faults(page: Page, **options: Any) -> list[tuple[str, str]]:
    found = Axe().run(page, options=options).response["violations"]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("path", ["/", "/games/over"])
def test_a_first_view_is_light_and_comes_in_one_round(visitor: Visit, shown: Scene, path: str) -> None:
    ann = visitor(service_workers="block")
    if path != "/":
        ann.sign_in(shown.ann)
    ann.goto(path)

    assert sum(ann.loaded.values()) < LIGHTEST
    assert all(ann.loaded.values())
    kinds = sorted(address.rpartition("/")[2].partition("?")[0] for address in ann.loaded)
    assert kinds == (["", "marketpost.css"] if path == "/" else ["game.js", "marketpost.css", "over"])


@pytest.mark.parametrize("title", [rules.title(rules.in_language("en")) for rules in rulesets().values()])
def test_a_game_is_shown_with_few_requests_again_with_fewer_and_a_whole_turn_costs_little(browser: Browser, site: str, title: str) -> None:
    with newcomer(browser, site, title) as (ann, address):
        traffic = watch(ann)
        view(ann.page, address)
        assert 0 < len(traffic) <= REQUESTS, traffic.asked
        assert traffic.size < LIGHTEST
        traffic.begin()
        view(ann.page, address)
        assert len(traffic) == 2, "style and script are in the browser"
        traffic.begin()
        play_turn(ann.page)
        assert 0 < traffic.size < A_MOVE
        assert ann.faults == []


IN_SIGHT = """selectors => selectors.map(each => document.querySelector(each).getBoundingClientRect())
  .every(box => box.height > 0 && box.top >= 0 && box.bottom <= innerHeight)"""


@pytest.mark.parametrize("title", [rules.title(rules.in_language("en")) for rules in rulesets().values()])
def test_a_laptop_shows_a_large_board_whose_turn_it_is_the_scores_and_send_in_one_look(visitor: Visit, title: str) -> None:
    ann = visitor(viewport={"width": 1280, "height": 800})
    ann.play_a_bot(title)

    assert ann.page.evaluate("() => document.querySelector('#board svg').getBoundingClientRect().width") >= 560
    assert ann.page.evaluate(IN_SIGHT, ["#turn", ".scores", "#orders", "#send"])
    assert ann.page.evaluate(
        "() => [...document.querySelectorAll('#board [data-place]')].every(e => e.getBoundingClientRect().bottom < innerHeight)"
    )


def test_a_letter_is_answered_with_one_click(visitor: Visit, house: Service) -> None:
    stage = scene(house, "-post")
    bob = visitor()
    page = bob.goto(f"/mailbox/{stage.bob.email}")
    page.get_by_role("link", name="Your turn").first.click()

    expect(page.frame_locator("iframe").get_by_text("Hello Bob-post")).to_be_visible()
    page.locator(".answers button").first.click()

    expect(page.get_by_role("status")).to_contain_text("on its way")


ONE_WAITS = re.compile(r"%3E1%3C/text")
BADGE = "navigator.setAppBadge = async (count) => { document.documentElement.dataset.badge = count; };"
"""A browser's badge cannot be read back, so this one notes what it is given."""


def test_the_icon_of_an_installed_page_counts_the_games_that_wait(visitor: Visit) -> None:
    ann = visitor()
    ann.context.add_init_script(BADGE)
    ann.play_a_bot()

    expect(ann.page.locator("html")).to_have_attribute("data-badge", "1")
    expect(ann.page.locator("link[rel=icon]")).to_have_attribute("href", ONE_WAITS)
    ann.goto("/")
    expect(ann.page.locator("link[rel=icon]")).to_have_attribute("href", ONE_WAITS)
    expect(ann.page).to_have_title("(1) Marketpost")
