"""What every ruleset's pictures must hold, from the first position to the last. A new one is checked without a word here."""

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import combinations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from font_roboto import Roboto, RobotoBold  # type: ignore[import-untyped]
from PIL import Image, ImageChops, ImageColor, ImageFont
from resvg import render, usvg

from marketpost import rules
from marketpost.pictures.png import MOST_PIXELS, WIDTHS, _options, nearest_width, pixels_of, png
from marketpost.rules.chart import chart, over_turns
from marketpost.rules.pictures import pictured
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset, Setting
from marketpost.rules.svg import DARK, LIGHT, PALETTES, THEMES, WIDTH, Style, measure
from marketpost.rules.words import LANGUAGES
from tests.games import play_to_the_end
from tests.rules.test_contract import ALL, TINY

SVG = "{http://www.w3.org/2000/svg}"
EVERY = pytest.mark.parametrize("game", ALL.values(), ids=list(ALL))
NO_LETTER = "\uffff"
"""No font has it: what is drawn in its place stands for all that is missing."""
SLACK = 0.92
"""Widths are estimated rather too large."""


@pytest.fixture(autouse=True)
def _tiny_ruleset_is_installed() -> Iterator[None]:
    rules.__path__.append(TINY)
    yield
    rules.__path__.remove(TINY)


class Box(NamedTuple):
    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


def whole_game(game: Ruleset[Any], players: int) -> list[Played]:
    return _whole_game(game.name, players)


@cache
def _whole_game(name: str, players: int) -> list[Played]:
    game = ALL[name]
    return play_to_the_end(game, Setting(game.colours[:players], game.boards()[0]), 3)[1]


def moments(game: Ruleset[Any], players: int) -> Iterator[list[Played]]:
    """The game up to its start, here and there in between, and its end."""
    played = whole_game(game, players)
    for part in (0.0, 0.3, 0.7, 1.0):
        yield played[: max(1, round(part * len(played)))]


def texts(svg: str) -> list[Box]:
    return list(_texts(ElementTree.fromstring(svg), 0, 0))


def _texts(element: ElementTree.Element, x: float, y: float) -> Iterator[Box]:
    moved = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    for child in element:
        if child.tag == f"{SVG}text":
            yield _box(child, x, y)
        else:
            yield from _texts(child, x, y)


def _box(element: ElementTree.Element, x: float, y: float) -> Box:
    size = float(element.get("font-size", 0))
    width = SLACK * measure(element.text or "", size, bold=element.get("font-weight") == "bold")
    before = {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor", "start")]
    left, line = x + float(element.get("x", 0)) - before * width, y + float(element.get("y", 0))
    return Box(element.text or "", left, line - 0.7 * size, left + width, line)


def assert_legible(svg: str) -> None:
    """Every text is on the picture, none on another, none too small for a phone, except where a name is too long for its place."""
    root = ElementTree.fromstring(svg)
    *_, width, height = map(float, root.get("viewBox", "").split())
    boxes = texts(svg)
    for box in boxes:
        assert box.left >= 0, box
        assert box.right <= width, box
        assert box.top >= 0, box
        assert box.bottom <= height, box
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other), (one, other)


@EVERY
def test_a_picture_is_sound_and_tells_what_it_is_in_four_languages(game: Ruleset[Any]) -> None:
    for played in moments(game, max(game.players)):
        for language in LANGUAGES:
            root = ElementTree.fromstring(pictured(game, played, game.in_language(language)))
            title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
            assert root.get("role") == "img"
            assert title is not None
            assert title.text
            assert description is not None
            assert description.text
            assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
            assert "{" not in "".join(root.itertext())


@EVERY
def test_texts_stand_apart_and_on_the_picture(game: Ruleset[Any]) -> None:
    for players in (min(game.players), max(game.players)):
        for played in moments(game, players):
            for language in LANGUAGES:
                assert_legible(pictured(game, played, game.in_language(language)))


@EVERY
def test_a_picture_fetches_nothing_and_runs_nothing(game: Ruleset[Any]) -> None:
    for played in moments(game, max(game.players)):
        svg = pictured(game, played, game.in_language("en"), Style())
        assert not re.search(r"<script|<image|<foreignObject|href|url\(|@import| on\w+=|<!", svg)
        assert svg.count("http") == 1, "only the name of SVG itself"


@EVERY
def test_two_pictures_can_share_a_page(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    one, other = (set(re.findall(r'\bid="([^"]+)"', pictured(game, played, game.in_language("en"), Style(None, name)))) for name in "ab")
    assert one
    assert not one & other


@EVERY
def test_the_same_position_gives_the_same_picture_and_shows_no_more_than_its_events_told(game: Ruleset[Any]) -> None:
    for played in moments(game, max(game.players)):
        again = [Played(each.seat, game.decode(game.encode(each.events))) for each in played]
        words = game.in_language("en")
        assert pictured(game, played, words) == pictured(game, again, words)


@EVERY
def test_a_position_is_drawn_the_same_whichever_others_were_drawn_before_it(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    words, ends = game.in_language("en"), range(1, len(played) + 1, max(1, len(played) // 40))
    on_the_way = [pictured(game, played[:end], words, Style("light", "there")) for end in ends]
    on_the_way_back = [pictured(game, played[:end], words, Style("light", "again")) for end in reversed(ends)]
    assert on_the_way == [svg.replace('"again', '"there').replace(" again-desc", " there-desc") for svg in reversed(on_the_way_back)]


@EVERY
def test_looking_changes_nothing(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    state = game.fold([event for each in played for event in each.events])
    before = repr(state)
    game.picture(state, game.in_language("en"), before=state.copy())
    assert repr(state) == before


@EVERY
def test_what_the_last_player_did_is_marked_and_at_the_start_nothing_is(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    words = game.in_language("en")
    state = game.fold([event for each in played for event in each.events])
    assert pictured(game, played, words) != game.picture(state, words, style=Style("light"))
    assert pictured(game, played[:1], words) == game.picture(game.fold(played[0].events), words, style=Style("light"))


@EVERY
def test_a_theme_has_its_own_colours_and_without_one_the_screen_decides(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    light, dark, either = (pictured(game, played, game.in_language("en"), Style(theme)) for theme in ("light", "dark", None))
    assert LIGHT["paper"] in light
    assert DARK["paper"] not in light
    assert DARK["paper"] in dark
    assert "prefers-color-scheme:dark" in either
    assert LIGHT["paper"] in either
    assert DARK["paper"] in either


@EVERY
def test_a_png_is_as_wide_as_asked_for_and_small(game: Ruleset[Any]) -> None:
    for played in moments(game, max(game.players)):
        for width in (120, 360, WIDTH):
            data = png(pictured(game, played, game.in_language("fr")), width)
            assert data.startswith(b"\x89PNG")
            assert int.from_bytes(data[16:20], "big") == width
            assert len(data) < 100_000


@EVERY
def test_a_chart_tells_the_score_after_every_turn(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    events = [event for each in played for event in each.events]
    scores = over_turns(game, events)
    turns = [turn for turn, _ in scores]
    last = game.scores(game.fold(events))

    assert turns == list(range(turns[0], turns[-1] + 1))
    assert ["+".join(map(str, reversed(numbers))) for numbers in scores[-1][1]] == last
    for language in LANGUAGES:
        svg = chart(game, events, game.in_language(language))
        ElementTree.fromstring(svg)
        names = [game.in_language(language).translate(colour) for colour in game.colours[: max(game.players)]]
        assert all(any(box.text.startswith(name) for box in texts(svg)) for name in names)
        assert_legible(svg)


def test_a_chart_of_a_game_that_has_just_begun_can_be_drawn() -> None:
    for game in ALL.values():
        ElementTree.fromstring(chart(game, whole_game(game, 2)[0].events, game.in_language("en")))


@EVERY
@pytest.mark.parametrize("theme", THEMES)
def test_a_png_shows_the_colours_of_its_theme_and_every_letter(game: Ruleset[Any], theme: str) -> None:
    """Next to a drawing in all colours: a letter that is missing, or a colour that became another one, would be seen."""
    played = whole_game(game, max(game.players))
    for part in (played[:1], played[: len(played) // 2], played):
        svg = pictured(game, part, game.in_language("de"), Style(theme))
        whole = Image.open(BytesIO(render(usvg.Tree.from_str(svg, _options()), (1, 0, 0, 0, 1, 0)))).convert("RGB")
        found = Image.open(BytesIO(png(svg))).convert("RGB")

        assert found.size == whole.size
        assert _far(found.getpixel((0, 0)), ImageColor.getrgb(PALETTES[theme]["paper"])) < 4
        assert max(ImageChops.difference(found.reduce(8), whole.reduce(8)).convert("L").tobytes()) < 50


def _far(one: Any, other: Any) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_the_boards_is_in_the_fonts_that_come_with_us(language: str) -> None:
    fonts = [ImageFont.truetype(file, 40) for file in (Roboto, RobotoBold)]
    for game in ALL.values():
        svg = pictured(game, whole_game(game, max(game.players)), game.in_language(language))
        letters = {letter for box in texts(svg) for letter in box.text}
        assert not [letter for letter in letters for font in fonts if bytes(font.getmask(letter)) == bytes(font.getmask(NO_LETTER))]


def test_a_picture_of_too_many_pixels_is_drawn_smaller() -> None:
    tall = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 72000"><rect width="720" height="72000" fill="#23262d"/></svg>'

    found = Image.open(BytesIO(png(tall, 520)))

    assert 0.9 * MOST_PIXELS < found.size[0] * found.size[1] <= MOST_PIXELS
    assert found.size[0] * found.size[1] == pixels_of(tall, 520) == pixels_of(tall, 2400)


def test_few_widths_are_drawn() -> None:
    assert {nearest_width(width) for width in range(1, 5000)} == set(WIDTHS)
    assert [nearest_width(width) for width in WIDTHS] == list(WIDTHS)


def test_what_is_nearly_nought_is_written_as_nought() -> None:
    assert Style().circle(-0.04, -0.0, 2.04, "") == '<circle cx="0" cy="0" r="2"/>'


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("Neutral tiles, top first: 3 3 2 2 1 1 1 1.", 18.93),
        ("Neutrale Plättchen von oben: 3 3 2 2 1 1 1 1.", 22.59),
        ("Tuiles neutres, de haut en bas : 3 3 2 2 1 1 1 1.", 23.64),
        ("Gettoni neutrali, dall’alto: 3 3 2 2 1 1 1 1.", 20.81),
        ("guardia cittadina", 8.5),
    ],
)
def test_texts_have_room_in_a_wide_font_too(text: str, width: float) -> None:
    """The widths are those of DejaVu Sans, in which many browsers show the pictures on pages."""
    assert width <= measure(text, 1) <= 1.1 * width
