"""Every letter, tag by tag, against what Apple Mail, Gmail, Outlook, Yahoo and GMX support: nothing without a fallback."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from lxml.html import HtmlElement

from tests.mail.every_letter import all_letters, languages

TABLE: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "mail_programs.toml").read_text("utf-8"))
CLIPPED = 102_000
"""Bytes after which Gmail cuts a letter off."""
SHEET = 16_000
"""Bytes of style sheets that Gmail reads."""
ODD = {("align", "table"): "center", ("width", "img"): "[0-9]+"}
"""Attributes of which Outlook understands less on some tags: tables that float, and pictures measured by their parent."""
WORDS = {"decoration", "attribute", "padding", "inline", "pre"}


def faults(page: str) -> set[str]:
    """What in a letter some mail program would not show, and nothing stands in for."""
    root = html.document_fromstring(page)
    found = {fault for element in root.iter() if isinstance(element.tag, str) for fault in _faults_of(element)}
    return found | set(_faults_of_sheets(root)) | ({"longer than Gmail shows"} if len(page.encode()) > CLIPPED else set())


def _faults_of(element: HtmlElement) -> Iterator[str]:
    yield from _looked_up("tags", element.tag, "")
    for name, value in element.attrib.items():
        yield from _looked_up("attributes", name, value)
        if (name, element.tag) in ODD and not re.fullmatch(ODD[name, element.tag], value):
            yield f"<{element.tag}>: {name}: {value} is not supported everywhere"
    for name, value in _styles(element).items():
        yield from (f"<{element.tag}>: {fault}" for fault in _looked_up("css", name, value))
        if not _is_held_up(TABLE["css"].get(name, {}).get("without", ""), element, name):
            yield f"<{element.tag} class={element.get('class')}>: {name}: {value} has no fallback"
    if _is_light(_styles(element).get("color", "")) and not _stands_on_dark(element):
        yield f"<{element.tag}>: light text without a bgcolor below it"


def _looked_up(part: str, name: str, value: str) -> Iterator[str]:
    """A fault if the table does not know it, or not with this value."""
    known = TABLE[part].get(name)
    if known is None:
        yield f"{part}: {name} is not in the table: look it up at caniemail.com"
    elif not re.fullmatch(known.get("only", "(?s:.*)"), value):
        yield f"{name}: {value} is not supported everywhere"


def _styles(element: HtmlElement) -> dict[str, str]:
    pairs = (each.partition(":") for each in element.get("style", "").split(";") if ":" in each)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _is_held_up(without: str, element: HtmlElement, name: str) -> bool:
    """Whether a program that does not know this property shows the letter all the same."""
    cell = element.getparent()
    match without, name, element.tag:
        case "attribute", "background-color", "td" | "table":
            return element.get("bgcolor") == _styles(element)[name]
        case "attribute", "background-color", _:
            return not _is_light(_styles(element).get("color", ""))
        case "attribute", "width" | "max-width", _:
            return element.get("width") is not None
        case "padding", _, "a":
            return _styles(cell).get("mso-padding-alt") == _styles(element)[name]
        case "pre", _, tag:
            return bool(tag == "pre")
        case _:
            return True


def _is_light(colour: str) -> bool:
    return bool(re.fullmatch("#[0-9a-f]{6}", colour)) and sum(bytes.fromhex(colour[1:])) > 3 * 160


def _stands_on_dark(element: HtmlElement) -> bool:
    grounds = [each.get("bgcolor") for each in (element, *element.iterancestors()) if each.get("bgcolor")]
    return bool(grounds) and not _is_light(grounds[0])


def _faults_of_sheets(root: HtmlElement) -> Iterator[str]:
    """What is wrong with style sheets: every style is inline too, so they may only add, and only what all programs skip if unknown."""
    sheets = [each.text or "" for each in root.iter("style")]
    if [each for each in root.iter("style") if each.getparent().tag != "head"]:
        yield "a style sheet outside the head"
    if sum(map(len, sheets)) > SHEET:
        yield "more style sheets than Gmail reads"
    for sheet in sheets:
        plain = re.sub(r"@media [^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", sheet)
        if "!important" in plain or "@" in plain:
            yield "!important or @ outside of @media"
        yield from (f"@media ({each}) is not in the table" for each in re.findall(r"@media \(([\w-]+)", sheet) if each not in QUERIES)


QUERIES = {"max-width", "prefers-color-scheme"}


@languages
def test_nothing_in_a_letter_is_without_a_fallback(language: str) -> None:
    found = {name: faults(letter.html) for name, letter in all_letters(language).items()}

    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_table_says_what_holds_wherever_a_program_falls_short() -> None:
    for part in TABLE.values():
        for name, known in part.items():
            assert re.fullmatch("[yan]{5}", known["support"]), name
            assert known["support"] == "yyyyy" or "only" in known or known["without"] in WORDS, name


def test_what_is_in_the_table_is_used() -> None:
    pages = "".join(letter.html for letter in all_letters("en").values())

    for part in ("tags", "attributes", "css"):
        assert [name for name in TABLE[part] if not re.search(rf"\b{re.escape(name.strip('-'))}\b", pages)] == []


@pytest.mark.parametrize(
    "bad",
    [
        '<div style="display: flex">x</div>',
        '<p style="margin: 0 auto">x</p>',
        '<p style="font-size: 1.2rem">x</p>',
        '<td style="background-color: #1f5f4a">x</td>',
        '<p style="color: #ffffff">x</p>',
        '<img style="max-width: 520px">',
        '<a style="padding: 8px">x</a>',
        '<img width="100%">',
        '<p style="white-space: pre-wrap">x</p>',
        "<style>p { color: red !important; }</style>",
        '<p style="border-left: 12px solid #000000">x</p>',
        "<p>x</p>" * 20_000,
    ],
)
def test_what_falls_short_is_found(bad: str) -> None:
    cell = bad if bad.startswith("<td") else f"<td>{bad}</td>"
    page = f"<html><head></head><body><table><tbody><tr>{cell}</tr></tbody></table></body></html>"

    assert faults(page)
