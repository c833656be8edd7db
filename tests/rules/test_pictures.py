"""What every ruleset's pictures must hold, from the first position to the last. A new one is checked without a word here."""

import contextlib
import gc
import re
import signal
import zlib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import combinations
from time import perf_counter
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from font_roboto import RobotoBold  # type: ignore[import-untyped]
from PIL import Image, ImageChops, ImageDraw, ImageFont
from resvg import render, usvg

import rules
from pictures.png import Drawn, _options, _written, forget, forget_rows, png, taken_apart
from rules.chart import chart, over_turns
from rules.pictures import pictured
from rules.records import Played
from rules.ruleset import Ruleset, Setting
from rules.svg import DARK, LIGHT, WIDTH, Look, measure
from rules.words import LANGUAGES
from tests.games import play_to_the_end
from tests.rules.test_contract import ALL, TINY

SVG = "{http://www.w3.org/2000/svg}"
EVERY = pytest.mark.parametrize("game", ALL.values(), ids=list(ALL))
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
        svg = pictured(game, played, game.in_language("en"), Look())
        assert not re.search(r"<script|<image|<foreignObject|href|url\(|@import| on\w+=|<!", svg)
        assert svg.count("http") == 1, "only the name of SVG itself"


@EVERY
def test_two_pictures_can_share_a_page(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    one, other = (set(re.findall(r'\bid="([^"]+)"', pictured(game, played, game.in_language("en"), Look(None, name)))) for name in "ab")
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
    words, ends = game.in_language("en"), range(1, len(played) + 1)
    on_the_way = [pictured(game, played[:end], words, Look("light", "there")) for end in ends]
    on_the_way_back = [pictured(game, played[:end], words, Look("light", "again")) for end in reversed(ends)]
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
    assert pictured(game, played, words) != game.picture(state, words, look=Look("light"))
    assert pictured(game, played[:1], words) == game.picture(game.fold(played[0].events), words, look=Look("light"))


@EVERY
def test_a_theme_has_its_own_colours_and_without_one_the_screen_decides(game: Ruleset[Any]) -> None:
    played = whole_game(game, max(game.players))
    light, dark, either = (pictured(game, played, game.in_language("en"), Look(theme)) for theme in ("light", "dark", None))
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
        names = [game.in_language(language).tell(colour) for colour in game.colours[: max(game.players)]]
        assert all(any(box.text.startswith(name) for box in texts(svg)) for name in names)
        assert_legible(svg)


def test_a_chart_of_a_game_that_has_just_begun_can_be_drawn() -> None:
    for game in ALL.values():
        ElementTree.fromstring(chart(game, whole_game(game, 2)[0].events, game.in_language("en")))


@EVERY
def test_a_png_put_together_from_pieces_looks_as_if_drawn_at_once(game: Ruleset[Any]) -> None:
    """A piece may stand half a pixel off. A letter that is cut off would be seen."""
    played = whole_game(game, max(game.players))
    for part in (played[:1], played[: len(played) // 2], played):
        svg = pictured(game, part, game.in_language("de"))
        whole = Image.open(BytesIO(render(usvg.Tree.from_str(svg, _options()), (1, 0, 0, 0, 1, 0)))).convert("RGB")
        found = Image.open(BytesIO(png(svg))).convert("RGB")

        assert found.size == whole.size
        assert max(ImageChops.difference(found.reduce(8), whole.reduce(8)).convert("L").tobytes()) < 50


@EVERY
def test_a_picture_is_the_same_whatever_was_drawn_before_it(game: Ruleset[Any]) -> None:
    pictures = [pictured(game, played, game.in_language("it")) for played in moments(game, max(game.players))]
    after_others = [png.__wrapped__(svg) for svg in pictures]
    for svg, found in zip(pictures, after_others, strict=True):
        forget()
        assert png.__wrapped__(svg) == found


@EVERY
def test_pictures_of_many_widths_fill_no_memory(game: Ruleset[Any]) -> None:
    svg = pictured(game, whole_game(game, max(game.players)), game.in_language("en"))
    forget()

    for width in range(300, 303):
        png.__wrapped__(svg, width)

    assert not [each for each in gc.get_objects() if isinstance(each, Drawn)]


class BrokenOff(Exception):
    """Whoever draws has taken too long."""


@pytest.fixture
def _may_be_broken_off() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _break_off)
    yield
    signal.signal(signal.SIGALRM, before)


def _break_off(*_: object) -> None:
    raise BrokenOff


@pytest.mark.usefixtures("_may_be_broken_off")
def test_a_picture_that_is_broken_off_leaves_nothing_of_itself_in_the_next() -> None:
    svg = pictured(ALL["portobello"], whole_game(ALL["portobello"], 4), ALL["portobello"].in_language("en"))
    found, time = png.__wrapped__(svg), _time_to_paint(svg)

    for part in range(1, 100):
        with contextlib.suppress(BrokenOff):
            signal.setitimer(signal.ITIMER_REAL, time * part / 100)
            _time_to_paint(svg)
            signal.setitimer(signal.ITIMER_REAL, 0)
        forget_rows()
        assert png.__wrapped__(svg) == found, part


def _time_to_paint(svg: str) -> float:
    forget_rows()
    began = perf_counter()
    png.__wrapped__(svg)
    return perf_counter() - began


@EVERY
def test_a_png_is_whole_to_those_who_check_its_sums(game: Ruleset[Any]) -> None:
    for played in moments(game, max(game.players)):
        data = png(pictured(game, played, game.in_language("en")), 520)
        chunks = list(_chunks(data))
        rows = zlib.decompress(b"".join(content for kind, content, _ in chunks if kind == b"IDAT"))

        assert all(zlib.crc32(kind + content) == checksum for kind, content, checksum in chunks)
        assert len(rows) == 521 * int.from_bytes(data[20:24], "big")
        assert set(rows[::521]) == {0}


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    at = 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size], int.from_bytes(data[at + 8 + size : at + 12 + size], "big")
        at += 12 + size


def test_what_is_nearly_nought_is_written_as_nought() -> None:
    assert Look().circle(-0.04, -0.0, 2.04, "") == '<circle cx="0" cy="0" r="2"/>'


def test_a_line_of_a_picture_is_taken_apart_in_its_order() -> None:
    turned = '<g transform="scale(2)"><rect/></g>'

    pieces = taken_apart(f'<g class="x"><rect/><text>1</text></g>{turned}')

    assert pieces == ["<rect/>", "<text>1</text>", turned]


@pytest.mark.parametrize("text", ["AVATAR, Wolf & Typ", "À vous, « fjord » !", "Rot: 12 Geld, 3 Häuser"])
@pytest.mark.parametrize(("anchor", "start"), [("start", "ls"), ("middle", "ms"), ("end", "rs")])
def test_a_text_put_together_from_its_letters_looks_as_its_font_writes_it(text: str, anchor: str, start: str) -> None:
    font = ImageFont.truetype(RobotoBold, 61, layout_engine=ImageFont.Layout.BASIC)
    whole = Image.new("L", (2400, 160))
    ImageDraw.Draw(whole).text((1200, 80), text, 255, font, start)

    written = _written(text, 15.25, "bold", anchor, "#ffffff")

    assert written
    sheet = Image.new("RGB", (600, 40))
    written.moved(300, 20).paste(sheet.im, 0, 0)
    assert sheet.getchannel("R").tobytes() == whole.reduce(4).tobytes()
