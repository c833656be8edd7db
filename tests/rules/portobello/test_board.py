"""A board is data that anyone may type in: what is wrong with it is told, and any sound one can be played on."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketpost.rules import records
from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.board import BOARDS, defects, load_board
from marketpost.rules.portobello.orders import WORDS
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Setting
from marketpost.rules.words import LANGUAGES, Words
from tests.games import play_to_the_end

CLASSIC: dict[str, Any] = json.loads((BOARDS / "portobello-classic.json").read_text("utf-8"))
Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> Any:
    """The classic board after a change; one that returns something else has made a new document."""
    board = deepcopy(CLASSIC)
    other = change(board)
    return board if other is None else other


def put(*path: str, value: object) -> Change:
    def change(board: dict[str, Any]) -> None:
        *way, last = path
        for key in way:
            board = board[key]
        board[last] = value

    return change


def without(*path: str) -> Change:
    def change(board: dict[str, Any]) -> None:
        *way, last = path
        for key in way:
            board = board[key]
        del board[last]

    return change


def only_districts(*kept: int) -> Change:
    def change(board: dict[str, Any]) -> None:
        corners = [board["districts"][str(number)] for number in kept]
        board["districts"] = {str(number): each for number, each in enumerate(corners, 1)}

    return change


def instead(document: object) -> Change:
    return lambda _: document


def narrow(board: dict[str, Any]) -> None:
    """Two spaces a lane make 44."""
    board["lanes"] = {lane: [1, 2] for lane in board["lanes"]}


def spaces(number: int) -> Change:
    """So many spaces in all: two a lane, and up to four more in as many as it takes."""

    def change(board: dict[str, Any]) -> None:
        narrow(board)
        left = number - 2 * len(board["lanes"])
        for lane in board["lanes"]:
            board["lanes"][lane] += [1] * min(4, left)
            left -= min(4, left)

    return change


def renamed_lane(old: str, new: str) -> Change:
    def change(board: dict[str, Any]) -> None:
        board["lanes"][new] = board["lanes"].pop(old)

    return change


ALL_BUT_4 = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]

WRONG: list[tuple[str, str, Change]] = [
    ("board-no-object", "a list", instead([1, 2])),
    ("board-no-object", "a text", instead("portobello-classic")),
    ("board-no-object", "a number", instead(12)),
    ("board-field-missing", "no lanes", without("lanes")),
    ("board-field-missing", "nothing in it", instead({})),
    ("board-field-unknown", "weather", put("weather", value="rain")),
    ("board-name", "an empty name", put("name", value="")),
    ("board-name", "a long name", put("name", value="x" * 61)),
    ("board-name", "a path", put("name", value="../classic")),
    ("board-name", "a number for a name", put("name", value=7)),
    ("board-rules", "another game", put("rules", value="alturien")),
    ("board-squares", "ten squares", without("squares", "K")),
    ("board-squares", "twelve squares", put("squares", "L", value=[1, 1])),
    ("board-squares", "a list of squares", put("squares", value=["A"])),
    ("board-square-place", "right of the page", put("squares", "A", value=[80, 1])),
    ("board-square-place", "below the page", put("squares", "A", value=[10, 33])),
    ("board-square-place", "left of the page", put("squares", "A", value=[-1, 1])),
    ("board-square-place", "half a column", put("squares", "A", value=[10.5, 1])),
    ("board-square-place", "a column only", put("squares", "A", value=[10])),
    ("board-square-place", "no place", put("squares", "A", value=None)),
    ("board-square-place", "true is no number", put("squares", "A", value=[True, 1])),
    ("board-lanes", "a list of lanes", put("lanes", value=["AB"])),
    ("board-lane-name", "out of order", renamed_lane("AB", "BA")),
    ("board-lane-name", "from a square to itself", renamed_lane("AB", "AA")),
    ("board-lane-name", "to no square", renamed_lane("AB", "AL")),
    ("board-lane-name", "three letters", renamed_lane("AB", "ABC")),
    ("board-lane-name", "small letters", renamed_lane("AB", "ab")),
    ("board-lane-spaces", "one space", put("lanes", "AB", value=[1])),
    ("board-lane-spaces", "seven spaces", put("lanes", "AB", value=[1] * 7)),
    ("board-lane-spaces", "no list", put("lanes", "AB", value=4)),
    ("board-lane-spaces", "letters", put("lanes", "AB", value=["1", "2"])),
    ("board-lane-values", "a 0", put("lanes", "AB", value=[1, 0])),
    ("board-lane-values", "a 4", put("lanes", "AB", value=[4, 1])),
    ("board-districts-numbered", "from 0", lambda board: board["districts"].update({"0": board["districts"].pop("12")})),
    ("board-districts-numbered", "with a gap", without("districts", "5")),
    ("board-districts-numbered", "a list", put("districts", value=["ABE"])),
    ("board-districts-numbered", "01 for 1", lambda board: board["districts"].update({"01": board["districts"].pop("1")})),
    ("board-district-corners", "two corners", put("districts", "1", value="AD")),
    ("board-district-corners", "four corners", put("districts", "1", value="ADEI")),
    ("board-district-corners", "a corner twice", put("districts", "1", value="AAD")),
    ("board-district-corners", "no such corner", put("districts", "1", value="ADZ")),
    ("board-district-corners", "a list", put("districts", "1", value=["A", "D", "E"])),
    ("board-district-lane-missing", "a lane less", without("lanes", "EF")),
    ("board-few-districts", "seven districts", only_districts(1, 2, 3, 4, 5, 6, 7)),
    ("board-few-districts", "none", put("districts", value={})),
    ("board-districts-share", "one district twice", put("districts", "13", value="ADE")),
    ("board-lane-sides", "a lane in no district", put("lanes", "AC", value=[1, 2])),
    ("board-lane-sides", "a lane in three districts", put("districts", "13", value="BEG")),
    ("board-districts-apart", "east and west", only_districts(1, 2, 4, 5, 6, 7, 8, 10, 11, 12)),
    ("board-sum", "a hole", only_districts(*ALL_BUT_4)),
    ("board-rim", "a hole", only_districts(*ALL_BUT_4)),
    ("board-lanes-cross", "E and G change places", lambda board: board["squares"].update(E=[58, 14], G=[23, 13])),
    ("board-lanes-cross", "a square on a lane", lambda board: board["squares"].update(E=[6, 8])),
    ("board-lanes-cross", "two squares at one place", lambda board: board["squares"].update(F=board["squares"]["G"])),
    ("board-few-spaces", "44 spaces", narrow),
    ("board-few-spaces", "63 spaces", spaces(63)),
]


@pytest.mark.parametrize(("code", "what", "change"), WRONG, ids=[f"{code}: {what}" for code, what, _ in WRONG])
def test_a_board_that_is_wrong_is_refused_in_four_languages(code: str, what: str, change: Change) -> None:
    found = defects(changed(change))

    assert code in {defect.code for defect in found}
    for language in LANGUAGES:
        for sentence in (Words(language, WORDS).explain(defect) for defect in found):
            assert sentence.strip()
            assert not set("{}") & set(sentence)


def test_a_board_of_64_spaces_is_large_enough() -> None:
    assert not defects(changed(spaces(64)))


@pytest.mark.parametrize(
    "change", [pytest.param(change, id=f"{code}: {what}") for code, what, change in WRONG if isinstance(changed(change), dict)]
)
def test_nobody_can_open_a_game_on_a_wrong_board(change: Change) -> None:
    with pytest.raises(Refused) as refused:
        load_board(changed(change))

    assert refused.value.code in {defect.code for defect in defects(changed(change))}


def test_every_defect_that_has_a_sentence_is_met() -> None:
    known = {defect for folder in (WORDS, WORDS.parents[1] / "words") for defect in _board_codes(folder / "en.toml")}

    assert known - {code for code, *_ in WRONG} == {"board-unreadable", "board-too-large"}, "those are said of a file and of a request"


def _board_codes(path: Any) -> set[str]:
    return {line.partition(" ")[0] for line in path.read_text("utf-8").splitlines() if line.startswith("board-") and " = " in line}


def test_the_classic_board_is_fine() -> None:
    assert defects(CLASSIC) == []


def test_the_classic_board_has_what_is_known_of_the_printed_one() -> None:
    board = load_board("portobello-classic")

    rim = [lane for lane, sides in board.borders.items() if len(sides) == 1]
    assert (len(board.squares), len(board.lanes), len(board.districts)) == (11, 22, 12)
    assert len(set("".join(rim))) == len(rim) == 8
    assert board.neighbours[4] == {3: "BF", 5: "BG", 10: "FG"}


def test_a_board_that_nobody_has_made_is_unknown() -> None:
    for name in ("portobello", "../boards/portobello-classic", "portobello-classic.json", ""):
        with pytest.raises(Refused, match="unknown-board"):
            load_board(name)


calm = settings(deadline=None, max_examples=80)
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
documents = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4), max_leaves=12
)
fields = st.sampled_from(["name", "rules", "squares", "lanes", "districts", "note"])


@calm
@given(documents)
def test_any_json_is_no_board_and_no_crash(document: object) -> None:
    assert defects(document)


@calm
@given(fields, documents)
def test_any_json_in_place_of_a_part_of_a_board_is_told_or_fine(field: str, value: object) -> None:
    found = defects(CLASSIC | {field: value})

    assert all(Words("fr", WORDS).explain(defect) for defect in found)
    assert found or field == "note" or (field == "name" and isinstance(value, str))


@calm
@given(st.sampled_from(["squares", "lanes", "districts"]), st.data())
def test_any_json_deep_in_a_board_is_told_or_fine(field: str, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(CLASSIC[field])) | st.text(max_size=3))

    for defect in defects(changed(put(field, key, value=data.draw(documents)))):
        assert Words("it", WORDS).explain(defect)


def test_a_board_with_hundreds_of_districts_is_not_told_a_sentence_for_every_pair_of_them() -> None:
    crowd = {str(number): "ABE" for number in range(1, 301)}

    assert 0 < len(defects(CLASSIC | {"districts": crowd})) < 10 * len(crowd)


def flipped() -> dict[str, Any]:
    """Another map: between B, E, F and J a lane goes from B to J instead of from E to F."""
    board = deepcopy(CLASSIC)
    del board["lanes"]["EF"]
    board["lanes"]["BJ"] = [3, 3, 1, 2, 1, 1]
    board["districts"] |= {"3": "BEJ", "9": "BFJ"}
    return board | {"name": "my-own", "note": "typed in from the box"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_another_board_can_be_played_on_to_the_end_and_replayed(players: int) -> None:
    assert defects(flipped()) == []
    setting = Setting(RULESET.colours[:players], flipped(), "fr")

    state, played = play_to_the_end(RULESET, setting, seed=players)

    assert state.over
    assert len(state.lanes["BJ"]) == 6
    text = records.write(RULESET, played)
    assert "board: my-own" in text
    assert replay(records.read(text, {"my-own": flipped()}.__getitem__)).state.scores == state.scores


def test_the_order_in_which_a_board_is_typed_in_does_not_matter() -> None:
    backwards = {key: dict(reversed(part.items())) if isinstance(part, dict) else part for key, part in flipped().items()}

    one, other = load_board(flipped()), load_board(backwards)

    assert (one.lanes, one.neighbours) == (other.lanes, other.neighbours)
