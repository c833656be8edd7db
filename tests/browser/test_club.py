"""The pages about people and what they play together, on a phone and by the Tab key, in all languages."""

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from playwright.sync_api import Browser

from marketpost.rules.words import LANGUAGES
from tests.browser.club import PAGES, Club, club
from tests.browser.keyboard import walk
from tests.browser.test_pages import SAME_IDS, faults
from tests.browser.visitor import Visitor, visit
from tests.served import served
from tests.service import service

OUTSIDE = """() => {
  const rightOf = each => each.getBoundingClientRect().right;
  const inside = [...document.querySelectorAll(".sheet *")].filter(each => !each.closest(".wide, pre, svg"));
  return inside.filter(each => rightOf(each) > rightOf(each.closest(".sheet")) - 8).map(each => each.outerHTML.slice(0, 100));
}"""
"""Lists the elements that do not fit into their sheet, or only just."""
PHONE = {"width": 390, "height": 844}
Place = tuple[Club, str]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """A club, and where its pages are."""
    with service(workers=0) as house, served(house.app) as site:
        yield club(house), site


@pytest.fixture
def me(browser: Browser, place: Place) -> Iterator[Callable[[str], Visitor]]:
    """The busiest member of the club on a phone."""
    members, site = place
    visitors = list[Visitor]()

    def come(language: str) -> Visitor:
        visitors.append(visit(browser, site, viewport=PHONE))
        visitors[-1].sign_in(members.me)
        visitors[-1].context.add_cookies([{"name": "language", "value": language, "url": site}])
        return visitors[-1]

    yield come
    for each in visitors:
        each.context.close()
    assert [fault for each in visitors for fault in each.faults] == []


@pytest.mark.parametrize(("name", "language"), [*zip(PAGES, cycle(LANGUAGES), strict=False)])
def test_a_page_of_the_club_fits_a_phone_has_no_fault_and_is_walked_by_tab(
    me: Callable[[str], Visitor], place: Place, name: str, language: str
) -> None:
    page = me(language).goto(place[0].pages()[name])
    assert page.locator("html").get_attribute("lang") == language

    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SAME_IDS) == []
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, runOnly=["color-contrast"]) == []
    assert walk(page) == []
