"""The street map: every place can be named, everything is seen, nothing covers anything, on every board."""

import re
from itertools import combinations

import pytest

from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.board import load_board
from marketpost.rules.portobello.draw import draw
from marketpost.rules.portobello.map_layout import EDGE, HEIGHT, SQUARE, plan
from marketpost.rules.portobello.picture import picture
from marketpost.rules.portobello.state import State
from marketpost.rules.svg import WIDTH
from tests.rules.portobello.test_draw import CUSTOM, ENGLISH, POSITIONS, ended, middle, opened
from tests.rules.test_pictures import assert_legible, texts

BOARDS = {"classic": load_board("portobello-classic"), **{name: load_board(board) for name, board in CUSTOM.items()}}
A_FINGER = 48
"""On a picture that is shown half as large, 24 pixels."""


def places(svg: str, kind: str) -> list[str]:
    return re.findall(rf'data-place="([^"]+)" data-kind="{kind}"', svg)


def shown(svg: str) -> list[str]:
    return [box.text for box in texts(svg)]


def test_everything_that_an_order_can_name_is_a_place() -> None:
    svg = picture(middle(), ENGLISH)
    board = middle().board

    assert places(svg, "district") == [str(number) for number in board.districts]
    assert places(svg, "square") == list(board.squares)
    assert {f"{a}-{b}" for a, b in map(tuple, board.lanes)} <= set(places(svg, "lane"))
    assert all(RULESET.parse(f"stall {lane}") for lane in places(svg, "lane"))


def test_an_empty_lane_can_be_begun_at_either_end() -> None:
    state = middle()
    lanes = places(picture(state, ENGLISH), "lane")
    for lane in state.lanes:
        assert (f"{lane[1]}-{lane[0]}" in lanes) is state.is_empty(lane)


@pytest.mark.parametrize("position", POSITIONS)
def test_every_stall_customer_mark_and_tile_is_seen(position: str) -> None:
    state = POSITIONS[position]()
    texts = shown(picture(state, ENGLISH))
    stalls = [
        f"{state.colours[seat][0].upper()}{value}"
        for lane, spaces in state.lanes.items()
        for seat, value in zip(spaces, state.board.lanes[lane], strict=True)
        if seat is not None
    ]
    marks = [f"{state.colours[seat][0].upper()}{tile}" for seat, tile in state.marks.values()]

    assert sorted(text for text in texts if re.fullmatch("[RYGB][1-4]", text)) == sorted(stalls + marks)
    assert set("ABCDEFGHIJK") <= set(texts)
    assert {str(number) for number in state.board.districts} <= set(texts)
    assert_legible(picture(state, ENGLISH))


@pytest.mark.parametrize("name", BOARDS)
def test_no_stall_square_or_label_covers_another_on_any_board(name: str) -> None:
    where = plan(BOARDS[name])
    half = where.stall / 2
    boxes = [(x, y, half) for row in where.spaces.values() for x, y in row]
    boxes += [(x, y, SQUARE * 0.7) for x, y in where.squares.values()]
    boxes += [(*label.middle, 10) for labels in where.districts.values() for label in labels[:1]]
    for one, other in combinations(boxes, 2):
        apart = max(abs(one[0] - other[0]), abs(one[1] - other[1]))
        assert apart >= one[2] + other[2], (one, other)


@pytest.mark.parametrize("name", BOARDS)
def test_squares_stay_on_the_picture_and_apart(name: str) -> None:
    squares = plan(BOARDS[name]).squares
    assert all(EDGE - 1 <= x <= WIDTH - EDGE + 1 and EDGE - 1 <= y <= HEIGHT - EDGE + 1 for x, y in squares.values())
    assert all(abs(a - c) + abs(b - d) > 2 * SQUARE for (a, b), (c, d) in combinations(squares.values(), 2))


@pytest.mark.parametrize("name", BOARDS)
def test_a_stall_is_large_enough_to_be_read_on_a_phone(name: str) -> None:
    assert plan(BOARDS[name]).stall >= 28


def test_every_lane_is_broad_enough_for_a_finger() -> None:
    widths = re.findall(r'class="hit"[^>]*stroke-width="(\d+)"', picture(opened(), ENGLISH))
    assert len(widths) == 2 * len(opened().lanes)
    assert all(int(width) >= A_FINGER for width in widths)


def test_a_queue_is_shown_and_a_bag_only_counted() -> None:
    queued = shown(picture(opened(queue=("clerk", "citizen") * 5), ENGLISH))
    bagged = shown(picture(opened(), ENGLISH))
    assert [text for text in queued if re.match(r"\d+\. ", text)][:3] == ["1. clerk", "2. citizen", "3. clerk"]
    assert not any(re.match(r"\d+\. ", text) for text in bagged)
    assert {"5 × clerk", "5 × citizen"} <= set(bagged)


def test_the_neutral_tiles_are_told_as_on_the_board_of_text() -> None:
    told = "Neutral tiles, top first: 3 3 2 2 1 1 1 1."

    assert told in shown(picture(opened(), ENGLISH))
    assert told in draw(opened(), ENGLISH)


def test_the_end_shows_who_has_won() -> None:
    assert any("share the win" in text for text in shown(picture(ended(), ENGLISH)))


def test_new_stalls_customers_marks_and_the_bobby_are_ringed() -> None:
    def rings(before: State | None) -> int:
        return picture(middle(), ENGLISH, before=before).count('stroke-dasharray="7 4"')

    state = middle()
    stalls = sum(seat is not None for lane in state.lanes.values() for seat in lane)
    customers = sum(guest is not None for guest in state.squares.values())
    the_bobby, the_legend = 1, 1
    assert rings(None) == 0
    assert rings(opened()) == stalls + customers + len(state.marks) + the_bobby + the_legend
