"""README.md and the pages in docs/ lead to things that are there, and the repository holds no picture that none of them shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
TARGET = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
LARGEST = 3_000_000
"""Bytes of everything in docs/."""
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def links(page: Path) -> Iterator[Path]:
    """Every file that a page links to or shows."""
    for target in ("".join(found) for found in TARGET.findall(page.read_text("utf-8"))):
        if not target.startswith(("http:", "https:", "mailto:", "#")):
            yield (page.parent / target.partition("#")[0]).resolve()


@pages
def test_what_a_page_links_to_is_there(page: Path) -> None:
    assert [str(target) for target in links(page) if not target.exists()] == []


def test_every_picture_is_shown_by_a_page() -> None:
    shown = {target for page in PAGES for target in links(page)}

    assert set((ROOT / "docs/pictures").iterdir()) <= shown


def test_the_documents_take_little_room() -> None:
    assert sum(file.stat().st_size for file in (ROOT / "docs").rglob("*") if file.is_file()) < LARGEST
