"""A walk through a page by the Tab key alone."""

from itertools import pairwise

from playwright.sync_api import Page

WATCH = """() => {
  const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const found = [...document.querySelectorAll(kinds)].filter(each => !each.disabled && each.checkVisibility());
  const parts = each => each.type === "date" ? 4 : 1;
  window.walked = [];
  document.addEventListener("focusin", event => {
    const here = event.target, box = here.getBoundingClientRect(), name = here.outerHTML.slice(0, 80);
    const isOutlined = getComputedStyle(here).outlineStyle !== "none";
    const isInSight = box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
    window.walked.push([found.indexOf(here), name, isOutlined && isInSight]);
  });
  document.activeElement.blur();
  return [found.length, found.map(parts).reduce((one, other) => one + other, 0)];
}"""
"""Notes each element that gets the focus: its place among all that should, and whether one sees that it has it."""


def walk(page: Page) -> list[str]:
    """Press Tab until everything has had the focus; returns what was left out, came out of order, or did not show that it had it."""
    count, presses = page.evaluate(WATCH)
    for _ in range(presses):
        page.keyboard.press("Tab")
    walked = page.evaluate("() => window.walked")
    left_out = [f"{number} is left out" for number in range(count) if number not in {place for place, _, _ in walked}]
    jumps = [f"{name} comes after {before}" for (one, before, _), (other, name, _) in pairwise(walked) if other < one]
    return left_out + jumps + [f"{name} is not seen" for _, name, is_seen in walked if not is_seen]
