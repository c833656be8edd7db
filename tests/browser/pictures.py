"""Pictures of every page, light and dark, on a desk and on a phone: `python -m tests.browser.pictures [folder]`."""

import logging
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.scene import Scene, scene
from tests.browser.visitor import Visitor, launch, visit
from tests.gallery import PICTURES
from tests.served import served
from tests.service import service

SIZES = {"desk": {"width": 1200, "height": 900}, "phone": {"width": 360, "height": 740}}
COLOURS = 256
ORDERS = "4: customer F; bobby 6; stall G-H; stall GH; stall H-C"
"""What Bob is about to do where the page of a game is shown."""


def main(folder: Path) -> None:
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    folder.mkdir(parents=True, exist_ok=True)
    with service() as house, served(house.app) as site, sync_playwright() as playwright:
        browser = launch(playwright)
        shown = scene(house)
        for scheme in ("light", "dark"):
            for size in SIZES:
                take_all(browser, site, shown, scheme, size, folder)
        browser.close()


def take_all(browser: Browser, site: str, shown: Scene, scheme: str, size: str, folder: Path) -> None:
    bob = visit(browser, site, color_scheme=scheme, viewport=SIZES[size], reduced_motion="reduce")
    take(bob.goto("/"), folder / f"pages-welcome-{size}-{scheme}.png")
    bob.sign_in(shown.bob)
    for name, path in shown.pages().items():
        if name == "tutorial":
            bob.context.add_cookies([{"name": "tutorial", "value": shown.game, "url": bob.site}])
        page = bob.goto(path)
        if name == "game":
            compose(bob)
        take(page, folder / f"pages-{name}-{size}-{scheme}.png", whole=name != "docs")
    if (scheme, size) == ("light", "desk"):
        bob.goto(f"/games/{shown.game}")
        compose(bob)
        take(bob.page, folder / "game-page.png")
    bob.context.close()


def compose(bob: Visitor) -> None:
    bob.page.fill("#orders", ORDERS)
    bob.page.wait_for_selector(".outlook")


def take(page: Page, path: Path, *, whole: bool = True) -> None:
    taken = Image.open(BytesIO(page.screenshot(full_page=whole)))
    taken.convert("RGB").quantize(COLOURS).save(path, optimize=True)
    sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
