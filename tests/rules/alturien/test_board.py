"""A board is data that anyone may type in: what is wrong with it is told, each fault with its own code."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.board import WORDS, board_names, defects, load_board
from marketpost.rules.words import LANGUAGES, Words
from tests.rules.alturien.positions import LOOPS

CLASSIC: dict[str, Any] = load_board("alturien-classic").document


def changed(**fields: Any) -> dict[str, Any]:
    return deepcopy(CLASSIC) | fields


def streets(*more: str) -> list[str]:
    return [*CLASSIC["streets"], *more]


def sites(**groups: str) -> dict[str, str]:
    return {**CLASSIC["sites"], **groups}


WRONG: list[tuple[str, Any]] = [
    ("board-no-object", ["a1"]),
    ("board-no-object", None),
    ("board-field-missing", {key: value for key, value in CLASSIC.items() if key != "die"}),
    ("board-name", changed(name="a b")),
    ("board-name", changed(name=7)),
    ("board-rules", changed(rules="portobello")),
    ("board-streets", changed(streets="a1 b1")),
    ("board-streets", changed(streets=[["a1", "b1"]])),
    ("board-streets", changed(streets=[])),
    ("board-sites", changed(sites=["a1"])),
    ("board-sites", changed(sites={"cloth": ["a1"]})),
    ("board-text", changed(grey=["a1"])),
    ("board-text", changed(middle=4)),
    ("board-text", changed(die=[1, 2])),
    ("board-many-spaces", changed(streets=[" ".join(f"x{number}" for number in range(500))])),
    ("board-space-name", changed(streets=streets("a1 b_1 c1"))),
    ("board-space-name", changed(streets=streets("a1 thirteenletters c1"))),
    ("board-space-order-word", changed(streets=streets("a1 Haus c1"))),
    ("board-space-order-word", changed(streets=streets("a1 roll c1"))),
    ("board-space-alike", changed(streets=streets("a1 B1 c1"))),
    ("board-street-short", changed(streets=streets("a1"))),
    ("board-street-stutters", changed(streets=streets("a1 a1"))),
    ("board-die", changed(die=" ")),
    ("board-face", changed(die="1 2 six")),
    ("board-face", changed(die="0 1")),
    ("board-face", changed(die="3-1")),
    ("board-face", changed(die="1 99")),
    ("board-dead-end", changed(streets=streets("a1 z1"), sites=sites(cloth=CLASSIC["sites"]["cloth"] + " z1"))),
    (
        "board-busy-crossing",
        changed(streets=streets(*(f"g4 {space}" for space in ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "k1"]))),
    ),
    ("board-apart", changed(streets=streets("z1 z2 z3 z1"), sites=sites(cloth=CLASSIC["sites"]["cloth"] + " z1 z2 z3"))),
    ("board-groups", changed(sites=sites(paper="a1"))),
    ("board-group", changed(sites=sites(cloth=""))),
    ("board-site-unknown", changed(sites=sites(cloth=CLASSIC["sites"]["cloth"] + " z1"))),
    ("board-site-twice", changed(sites=sites(cloth=CLASSIC["sites"]["cloth"] + " f1"))),
    ("board-site-missing", changed(sites=sites(cloth="a1 b1"))),
    ("board-few-sites", LOOPS | {"sites": LOOPS["sites"] | {"cloth": "p1"}}),
    ("board-middle", changed(middle="z1")),
    ("board-middle-grey", changed(grey=CLASSIC["grey"] + " g4")),
    ("board-grey-unknown", changed(grey=CLASSIC["grey"] + " z1")),
    ("board-few-grey", changed(grey="a1 e1")),
    ("board-few-plain", changed(grey=" ".join(space for space in load_board("alturien-classic").neighbours if space not in {"g4", "b1"}))),
]


@pytest.mark.parametrize(("code", "document"), WRONG)
def test_what_is_wrong_is_told(code: str, document: object) -> None:
    found = defects(document)

    assert code in [defect.code for defect in found]
    for language in LANGUAGES:
        for defect in found:
            assert "{" not in Words(language, WORDS).explain(defect)


def test_our_boards_are_sound() -> None:
    assert board_names() == ["alturien-classic"]
    assert defects(CLASSIC) == []
    assert defects(LOOPS) == []


def test_the_classic_board_is_as_the_rules_say() -> None:
    board = load_board("alturien-classic")

    assert len(board.neighbours) == 55
    assert [len(group) for group in board.groups.values()] == [9] * 6
    assert sum(board.is_crossing(space) for space in board.neighbours) == 8
    assert len(board.grey) == 10
    assert board.reach == 6


def test_on_the_classic_board_two_ways_never_lead_to_one_space() -> None:
    board = load_board("alturien-classic")
    for space, near in board.neighbours.items():
        for facing in near:
            ends = [end for length in range(1, board.reach + 1) for end, _ in board.ends(space, facing, length)]
            assert len(ends) == len(set(ends))


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
JSON = st.recursive(SCALARS, lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=5), some, max_size=3), max_leaves=8)


@settings(max_examples=200)
@given(st.sampled_from(sorted(CLASSIC)), JSON)
def test_no_json_breaks_the_validator(field: str, value: object) -> None:
    for defect in defects(changed(**{field: value})):
        assert RULESET.in_language("de").explain(defect)
