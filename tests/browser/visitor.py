"""Somebody in front of a browser, and everything that must not happen while they look."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.service import Person

CHROMIUM = Path("/usr/bin/chromium")
PATIENCE = 120_000
"""Milliseconds; a page that has not changed by then will not."""


@dataclass
class Visitor:
    page: Page
    context: BrowserContext
    site: str
    faults: list[str] = field(default_factory=list)
    loaded: dict[str, int] = field(default_factory=dict)
    """Every address that was fetched, and how much came."""

    def watch(self) -> "Visitor":
        self.context.on("request", self._asked)
        self.context.on("response", self._came)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self._note(True, f"script: {error.error}"))
        self.page.set_default_timeout(PATIENCE)
        return self

    def _asked(self, request: Any) -> None:
        address = urlsplit(request.url)
        self._note(
            address.scheme not in ("data", "about", "blob") and f"{address.scheme}://{address.netloc}" != self.site, f"left: {request.url}"
        )

    def _came(self, response: Any) -> None:
        if response.request.resource_type != "eventsource" and response.status == 200 and not response.url.startswith("data:"):
            self.loaded[response.url] = int(response.headers.get("content-length", 0))

    def _said(self, message: Any) -> None:
        self._note(message.type in ("error", "warning") and "blocked by Playwright" not in message.text, f"console: {message.text}")

    def _note(self, is_fault: bool, text: str) -> None:
        if is_fault:
            self.faults.append(text)

    def goto(self, path: str) -> Page:
        self.page.goto(f"{self.site}{path}")
        return self.page

    def sign_in(self, person: Person) -> None:
        self.context.add_cookies([{"name": "session", "value": person.token, "url": self.site}])

    def play_a_bot(self, title: str = "Portobello Market") -> str:
        """From the first page into a game, with one click; its id, once it is our turn."""
        self.goto("/").get_by_role("button", name=f"Play {title}").click()
        self.page.wait_for_selector("#orders")
        return str(self.page.locator(".table").get_attribute("data-game"))


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-dev-shm-usage"])


def visit(browser: Browser, site: str, **setting: Any) -> Visitor:
    """A browser of one's own: nobody else's cookies. Its owner wants no motion, unless a test is about that."""
    usual = {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
    context = browser.new_context(**usual | setting)
    return Visitor(context.new_page(), context, site).watch()
