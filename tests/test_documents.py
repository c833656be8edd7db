"""README.md and the pages in docs/ name things that are there: files, calls, make targets, mail commands, a turn letter as it is sent."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from marketpost.play.table.new_game_request import read_request
from marketpost.rules.words import COMMON, fold, lexicon
from tests import letter_gallery
from tests.gallery import QUOTED

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
TARGET = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
CALL = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE) (/v1/[\w/{}-]*[\w}])(?![\w/])")
COMMAND_ROW = re.compile(r"^\| ((?:`[^`]+`(?:, )?)+) \|", re.MULTILINE)
LONGEST_README = 150
LARGEST = 3_000_000
"""Bytes of everything in docs/."""
PLAYERS = (ROOT / "docs/play-by-mail.md").read_text("utf-8")
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


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= LONGEST_README


def test_every_call_that_a_page_names_is_in_the_api() -> None:
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))["paths"]
    calls = [(method.upper(), re.sub(r"{\w+}", "[^/]+", path)) for path, methods in paths.items() for method in methods]
    named = {call for page in PAGES for call in CALL.findall(page.read_text("utf-8"))}

    assert named
    assert [call for call in named if not any(call[0] == method and re.fullmatch(path, call[1]) for method, path in calls)] == []


def test_every_make_target_that_a_page_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {
        target for page in PAGES for target in re.findall(r"(?:`|^)(?:[A-Z_]+=\S+ )?make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE)
    }

    assert {"run", "test"} <= named <= targets


def test_the_page_for_players_has_every_mail_command() -> None:
    known = lexicon(COMMON, "commands")
    written = [cell for row in COMMAND_ROW.findall(_section("What you can write")) for cell in re.findall("`([^`]+)`", row)]
    meant = [known.get(fold(cell.split()[0]), frozenset()) for cell in written]

    assert [cell for cell, found in zip(written, meant, strict=True) if not found] == []
    assert set().union(*meant) == set().union(*known.values())


def test_its_examples_of_new_games_are_understood() -> None:
    examples = re.findall(r"^    (\w.*)$", _section("Begin a game"), re.MULTILINE)

    assert len(examples) == 4
    assert all(read_request(example) for example in examples)


def test_its_turn_letter_is_the_one_we_send() -> None:
    letter = dict(letter_gallery.every_letter("en"))["your-turn"]
    found = QUOTED.search(PLAYERS)

    assert found
    assert found.group() == f"Subject: {letter.subject}\n\n{letter.text.rstrip()}\n", "`make letters` writes it anew"


def _section(title: str) -> str:
    return PLAYERS.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_folders_that_contributors_are_sent_to_are_there() -> None:
    named = re.findall(r"`((?:tests|api|templates|deploy|docs)/[\w./-]*)`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))

    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
