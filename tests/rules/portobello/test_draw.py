import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import chain, pairwise
from random import Random
from typing import Any

import pytest

from marketpost.rules.portobello.board import BOARDS, Board, defects, load_board
from marketpost.rules.portobello.draw import COLUMNS, LETTERS, ROWS, TINY, Box, draw, page
from marketpost.rules.portobello.events import (
    BobbyPlaced,
    CustomerDrawn,
    CustomerPlaced,
    DistrictMarked,
    GameEnded,
    GameStarted,
    LaneScored,
    LordPlaced,
    StallBuilt,
)
from marketpost.rules.portobello.linear import linear
from marketpost.rules.portobello.options import Options
from marketpost.rules.portobello.orders import WORDS
from marketpost.rules.portobello.state import COLOURS, State
from marketpost.rules.words import LANGUAGES, Words
from tests.games import PLAIN_SIGNS

CLASSIC: dict[str, Any] = json.loads((BOARDS / "portobello-classic.json").read_text("utf-8"))
ENGLISH = Words("en", WORDS)
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def opened(players: int = 4, board: str | dict[str, Any] = "portobello-classic", queue: tuple[str, ...] = ()) -> State:
    state = State()
    options = Options(customers="queue" if queue else "bag")
    GameStarted(COLOURS[:players], board, "de", options, queue).apply(state)
    return state


def middle(board: str | dict[str, Any] = "portobello-classic", queue: tuple[str, ...] = ()) -> State:
    """Full, started and empty lanes; clerks, citizens and free squares; two marks, one of them where the Bobby stands."""
    state = opened(4, board, queue)
    BobbyPlaced(3, 4).apply(state)
    for number, (lane, values) in enumerate(state.board.lanes.items()):
        for space in range((0, 2, len(values))[number % 3]):
            StallBuilt((number + space) % 4, lane, space).apply(state)
    for kind, square in zip(["clerk", "citizen"] * 4, "ABCEFGJK", strict=True):
        CustomerDrawn(0, kind).apply(state)
        CustomerPlaced(0, kind, square).apply(state)
    for lane in state.lanes:
        if None not in state.lanes[lane] and all(state.squares[end] for end in lane):
            LaneScored(lane, (1, 2, 3, 4)).apply(state)
    DistrictMarked(0, 4, 2, 4, 8, 3, True).apply(state)
    DistrictMarked(2, 7, 0, 2, 4, 3, False).apply(state)
    CustomerDrawn(1, "clerk").apply(state)
    state.turn, state.active, state.chosen, state.used = 14, 1, 4, 2
    return state


def ended() -> State:
    state = middle()
    LordPlaced(0, "H", False).apply(state)
    GameEnded((0, 2)).apply(state)
    return state


POSITIONS: dict[str, Callable[[], State]] = {
    "empty": opened,
    "middle": middle,
    "queue": lambda: middle(queue=("clerk", "citizen") * 5),
    "ended": ended,
}


def moved(place: Callable[[int, int], tuple[int, int]]) -> dict[str, Any]:
    return CLASSIC | {"name": "moved", "squares": {letter: list(place(x, y)) for letter, (x, y) in CLASSIC["squares"].items()}}


def shaken(seed: int) -> dict[str, Any]:
    """The classic board with every square moved a little, again and again until no lanes cross."""
    chance = Random(seed)
    while True:
        board = moved(lambda x, y: (min(79, max(0, x + chance.randint(-7, 7))), min(32, max(0, y + chance.randint(-4, 4)))))
        if not defects(board):
            return board


CUSTOM = {
    "mirrored": moved(lambda x, y: (79 - x, y)),
    "upside down": moved(lambda x, y: (x, 32 - y)),
    "turned": moved(lambda x, y: (y * 79 // 31, x * 32 // 76)),
    "in a corner": moved(lambda x, y: (x // 4, y // 3)),
    **{f"shaken {seed}": shaken(seed) for seed in range(6)},
}


def read(lines: list[str], box: Box) -> str:
    return " ".join(lines[box.y + row].ljust(COLUMNS)[box.x : box.x + box.width].strip() for row in range(box.height)).strip()


def spaces_as_written(state: State, lane: str) -> list[str]:
    signs = "={}{}=" if lane in state.scored else "[{}{}]"
    spaces = zip(state.lanes[lane], state.board.lanes[lane], strict=True)
    return [f"({value})" if seat is None else signs.format(LETTERS[COLOURS[seat]], value) for seat, value in spaces]


def assert_all_is_visible(state: State) -> None:
    text = draw(state, ENGLISH)
    lines, where = text.split("\n"), page(state.board)
    for letter, guest in state.squares.items():
        assert read(lines, where.squares[letter]) == f"<<{letter}>>"
        assert read(lines, where.guests[letter]) == (guest.upper() if guest else "free")
    for lane in state.lanes:
        written = spaces_as_written(state, lane)
        if lane in where.crowded:
            assert f"{lane}: {' '.join(written)}" in lines
        else:
            assert [read(lines, box).lstrip("-") for box in where.spaces[lane]] == written
    for number, box in where.districts.items():
        assert f"#{number}" in read(lines, box).split()
    assert text.count("BOBBY") == 1
    assert text.count("R x4") == 2, "on the map and in the legend"
    assert text.count("G x2") == 1


def assert_nothing_overlaps(board: Board) -> None:
    where = page(board)
    things = chain(where.squares.values(), where.guests.values(), where.districts.values(), *where.spaces.values())
    cells = Counter(chain.from_iterable(box.cells() for box in things))
    assert max(cells.values()) == 1
    assert all(0 <= x < COLUMNS and 0 <= y < ROWS for x, y in cells)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_mailed_board_has_plain_signs_and_is_at_most_80_columns_wide(language: str, position: str) -> None:
    text = draw(POSITIONS[position](), Words(language, WORDS))

    assert set(text) <= PLAIN_SIGNS
    assert max(map(len, text.split("\n"))) <= COLUMNS
    assert "\x1b" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_fancy_board_is_as_narrow_once_its_colours_are_taken_off(language: str, position: str) -> None:
    text = draw(POSITIONS[position](), Words(language, WORDS), fancy=True)
    bare = ANSI.sub("", text)

    assert "\x1b" not in bare
    assert bare != text
    assert max(map(len, bare.split("\n"))) <= COLUMNS


def test_every_square_space_and_district_is_visible_in_the_middle_of_a_game() -> None:
    assert_all_is_visible(middle())


@pytest.mark.parametrize("name", CUSTOM)
def test_a_custom_board_comes_out_with_everything_visible_and_nothing_overlapping(name: str) -> None:
    state = middle(CUSTOM[name])

    assert_all_is_visible(state)
    assert_nothing_overlaps(state.board)


@pytest.mark.parametrize("name", CUSTOM)
def test_the_spaces_of_a_lane_follow_each_other_from_its_first_square_to_its_second(name: str) -> None:
    where = page(load_board(CUSTOM[name]))

    for lane, boxes in where.spaces.items():
        start, end = where.squares[lane[0]], where.squares[lane[1]]
        across, down = (end.x - start.x) / 2, end.y - start.y
        distances = [box.x / 2 * across + box.y * down for box in boxes]
        assert all(one < other for one, other in pairwise(distances)), lane


def test_the_classic_board_has_room_for_every_lane_the_bobby_and_every_mark() -> None:
    board = load_board("portobello-classic")

    assert_nothing_overlaps(board)
    assert not page(board).crowded
    assert all((box.width, box.height) != TINY for box in page(board).districts.values())


def test_where_squares_are_too_near_for_their_spaces_these_are_listed_below_the_map() -> None:
    near = {"B": [45, 12], "E": [43, 15], "F": [44, 14], "G": [49, 13], "J": [50, 15]}
    state = middle(CLASSIC | {"name": "bunched", "squares": CLASSIC["squares"] | near})

    assert page(state.board).crowded
    assert_all_is_visible(state)
    assert_nothing_overlaps(state.board)


def test_an_empty_board_names_no_owner() -> None:
    text = draw(opened(2), ENGLISH)

    assert not re.search(r"[\[=][RYGB]\d[\]=]", text.split("\n\n")[0])


def test_the_one_who_must_decide_is_marked() -> None:
    lines = draw(middle(), ENGLISH).split("\n")

    assert [line.split()[1:3] for line in lines if line.startswith("> ") and "to decide" not in line] == [["Y", "yellow"]]


def test_neutral_tiles_are_told_from_own_ones_and_open_from_face_down() -> None:
    lines = draw(middle(), ENGLISH).split("\n")

    green = next(line for line in lines if line.startswith("  G  green"))
    assert re.split(r"\s{2,}", green.strip())[-2:] == ["3 4", "n3"]


def test_the_end_names_all_winners() -> None:
    assert "Winners: red, green." in draw(ended(), ENGLISH)
    assert "red and green share the win" in linear(ended(), ENGLISH)


def test_a_queue_is_told_from_its_front_with_the_lord_last() -> None:
    state = opened(2, queue=("clerk", "citizen", "citizen"))

    assert "Queue, front first: clerk, citizen, citizen, lord." in draw(state, ENGLISH)
    assert "in this order: clerk, citizen, citizen." in linear(state, ENGLISH)


@pytest.mark.parametrize("part", ["board", "linear"])
def test_no_language_lacks_a_key_or_a_value_of_another(part: str) -> None:
    def shape(language: str) -> dict[str, set[str]]:
        sentences = tomllib.loads((WORDS / f"{language}.toml").read_text("utf-8"))[part]
        return {key: set(re.findall(r"{(\w+)}", str(told))) - {"count"} for key, told in sentences.items()}

    assert [shape(language) for language in LANGUAGES] == [shape("en")] * len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_name_everything(language: str) -> None:
    words, state = Words(language, WORDS), middle()
    text = linear(state, words)

    for lane, values in state.board.lanes.items():
        told = next(line for line in text.split("\n") if f"{lane[0]}-{lane[1]}" in line)
        assert len(re.findall(r"\d", told)) >= len(values)
    for square, guest in state.squares.items():
        assert words.say(f"linear.square-{guest or 'free'}", square=square) in text
    for seat, colour in enumerate(state.colours):
        assert words.say("linear.points", count=state.scores[seat]) in text
        assert words.say("linear.stalls", count=state.stalls[seat]) in text
        assert words.translate(colour) in text
    assert words.say("linear.hand", kind="clerk") in text
    assert words.say("linear.mark", district=7, who="green", tile=2) in text
    assert words.say("linear.lord-aside") in text


def test_a_lane_is_told_stall_by_stall_from_its_first_square() -> None:
    state = opened(2)
    StallBuilt(1, "AB", 3).apply(state)
    StallBuilt(0, "AB", 2).apply(state)

    assert "Lane A-B, seen from A: empty 1, empty 3, red on 2 and yellow on 1." in linear(state, ENGLISH)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Red has 1 point and 1 stall left."),
        ("de", "Rot hat 1 Punkt und noch 1 Stand."),
        ("fr", "Rouge a 1 point et encore 1 étal."),
        ("it", "Rosso ha 1 punto e ancora 1 bancarella."),
    ],
)
def test_one_is_not_told_as_many(language: str, told: str) -> None:
    state = opened(2)
    state.scores[0] = state.stalls[0] = 1

    assert told in linear(state, Words(language, WORDS))
