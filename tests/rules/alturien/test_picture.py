"""The town as a picture: a grid where the board is one, street by street where it is not."""

import re

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.board import load_board
from marketpost.rules.alturien.picture import picture, town
from tests.rules.alturien.positions import FIGURES, LOOPS, position
from tests.rules.alturien.test_draw import ENGLISH, moments
from tests.rules.alturien.test_movement import RING
from tests.rules.test_pictures import assert_legible, texts

BOARDS = {"classic": "alturien-classic", "loops": LOOPS, "ring": RING}
A_FINGER = 48


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
def test_every_space_is_a_place_and_every_text_can_be_read(board: object) -> None:
    for state in moments(board)[::12]:
        svg = picture(state, ENGLISH)
        places = re.findall(r'data-place="([^"]+)" data-kind="street"', svg)
        assert set(places) == set(state.board.neighbours)
        assert_legible(svg)


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
def test_every_space_is_large_enough_for_a_finger(board: str) -> None:
    assert town(load_board(board)).width >= A_FINGER


def test_a_board_that_is_no_grid_names_every_space_and_where_figures_look() -> None:
    for state in moments(RING)[::12]:
        shown = [box.text for box in texts(picture(state, ENGLISH))]
        assert set(state.board.neighbours) <= set(shown)
        assert {f">{facing}" for facing in state.facings if facing} <= set(shown)


def test_shops_and_figures_are_seen() -> None:
    state = position(shops=("a1:3 c1 d1 k4", "b1 m7:2 j7 k7"), figures=FIGURES, thief="g4>f4", guard=1)
    svg = picture(state, ENGLISH)
    shown = [box.text for box in texts(svg)]

    assert sorted(text for text in shown if re.fullmatch("[YG][0-9]", text)) == ["G1", "G1", "G1", "G2", "Y1", "Y1", "Y1", "Y3"]
    legend = 1
    assert [shown.count(kind) - legend for kind in "DMCT"] == [1, 2, 3, 1]


def test_a_figure_points_where_it_looks() -> None:
    def nose(facing: str) -> float:
        """How far its tip is to the right of the thief's letter."""
        svg = picture(position(figures=FIGURES, thief=f"g4>{facing}"), ENGLISH)
        found = re.search(r'<path d="M([\d.-]+) [^>]*/><rect[^>]*/><text [^>]*>T<', svg)
        assert found
        return float(found[1])

    assert nose("f4") < -15
    assert nose("h4") > 15


def test_a_figure_that_moved_has_left_a_trace() -> None:
    state = position(figures=FIGURES, thief="g4>f4")
    before = state.copy()
    state.spaces[-1], state.facings[-1] = "f4", "e4"
    svg = picture(state, ENGLISH, before=before)
    shown = [box.text for box in texts(svg)]
    legend, here, trace = 1, 1, 1
    assert shown.count("T") == legend + here + trace


def test_a_space_tells_what_stands_on_it_in_the_readers_language() -> None:
    state = position(shops=("a1:3 c1 d1 k4", "b1 m7:2 j7 k7"))
    titles = re.findall(r"<title>([^<]+)</title>", picture(state, RULESET.in_language("de")))
    assert any(title.startswith("Gelb: a1") and "3 Häuser" in title for title in titles)
    assert any("freier Platz" in title for title in titles)
