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


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pages
def test_the_section_that_a_page_links_to_is_there(page: Path) -> None:
    targets = re.findall(r"\]\(([\w./-]*)#([^)\s]+)\)", page.read_text("utf-8"))

    assert [(file, anchor) for file, anchor in targets if anchor not in anchors((page.parent / file) if file else page)] == []


def test_every_picture_is_shown_by_a_page() -> None:
    shown = {target for page in PAGES for target in links(page)}

    assert set((ROOT / "docs/pictures").iterdir()) <= shown


def test_the_documents_take_little_room() -> None:
    assert sum(file.stat().st_size for file in (ROOT / "docs").rglob("*") if file.is_file()) < LARGEST


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= LONGEST_README


def test_every_call_that_a_page_names_is_in_the_api() -> None:
    paths = yaml.load((ROOT / "openapi.yaml").read_text("utf-8"), yaml.CSafeLoader)["paths"]
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


ARCHITECTURE = [ROOT / "docs/architecture.md", *sorted((ROOT / "docs/diagrams").glob("*.dot"))]
CHART_TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")
MODULE = re.compile(r"[\w/*]+\.(?:py|toml|lua)\b")
FUNCTION = re.compile(r"([\w/]+\.py): (\w+)")
FOLDER = re.compile(r"`((?:marketpost|api|workers|templates|tests)/[\w/]*/)`")
GLOSSARY_ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def named_modules(text: str) -> set[str]:
    """Every file of code that a text names; one without a folder stands beside another."""
    return set(MODULE.findall(text))


def is_there(name: str) -> bool:
    return any(any(ROOT.glob(place)) for place in (name, f"marketpost/**/{name}"))


@pytest.mark.parametrize("page", ARCHITECTURE, ids=lambda page: page.name)
def test_every_module_on_the_page_of_the_architecture_is_there(page: Path) -> None:
    text = page.read_text("utf-8")

    assert len(named_modules(text)) > 10
    assert [name for name in sorted(named_modules(text)) if not is_there(name)] == []
    assert [name for name in FOLDER.findall(text) if not (ROOT / name).is_dir()] == []
    assert [name for file, name in FUNCTION.findall(text) if not re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8"))] == []


@pytest.mark.parametrize("source", ARCHITECTURE[1:], ids=lambda source: source.stem)
def test_a_diagram_is_drawn_from_its_source(source: Path) -> None:
    drawn = " ".join(CHART_TEXT.findall(source.with_suffix(".svg").read_text("utf-8")))

    assert named_modules(drawn) == named_modules(source.read_text("utf-8").partition("\n")[2]), "run: make diagrams"


def test_the_glossary_has_each_term_once_in_order_and_no_more_than_forty() -> None:
    _, *terms = GLOSSARY_ROW.findall((ROOT / "docs/glossary.md").read_text("utf-8"))

    assert 20 < len(terms) <= 40
    assert terms == sorted(set(terms))
