"""The board as text and as sentences: on every kind of board, at every moment, in four languages."""

import re

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.draw import COLUMNS, draw, grid, group_letters
from marketpost.rules.alturien.linear import linear
from marketpost.rules.alturien.state import State
from marketpost.rules.ruleset import Setting
from marketpost.rules.words import LANGUAGES
from tests.games import PLAIN_SIGNS, one_move, open_game, sealed
from tests.rules.alturien.positions import FIGURES, LOOPS, position, then
from tests.rules.alturien.test_movement import RING

ANSI = re.compile(r"\x1b\[[0-9;]*m")
ENGLISH = RULESET.in_language("en")


def moments(board: object = "alturien-classic") -> list[State]:
    """Positions from a whole game at random."""
    chance = sealed(6)
    setting = Setting(RULESET.colours[:6], board, None, {"setup": "manual", "expansion": "on"})
    state, played = open_game(RULESET, setting, chance)
    seen = [state.copy()]
    while not state.over:
        seat = state.decider
        one_move(RULESET, state, seat, chance.pick(RULESET.legal(state, seat)), chance, played)
        seen.append(state.copy())
    return [*seen[:40], *seen[40::15], seen[-1]]


@pytest.mark.parametrize("board", ["alturien-classic", LOOPS, RING], ids=["classic", "loops", "ring"])
def test_a_mail_can_show_it(board: object) -> None:
    for state in moments(board):
        for language in LANGUAGES:
            text = draw(state, RULESET.in_language(language))
            assert set(text) <= PLAIN_SIGNS
            assert max(map(len, text.splitlines())) <= COLUMNS
            assert "{" not in text


def test_the_fancy_board_is_the_same_in_colour() -> None:
    for state in moments()[::10]:
        plain, fancy = draw(state, ENGLISH), ANSI.sub("", draw(state, ENGLISH, fancy=True))
        signs = str.maketrans("→←↓↑─│·", "><v^-|.")
        assert fancy.translate(signs).replace("é", "e") == plain


def test_streets_shops_and_figures_are_where_they_are() -> None:
    state = position(shops=("a1:3 c1 d1 k4", "b1 m7:2 j7 k7"), figures=FIGURES.replace("duke a1>a2", "duke c4>d4"), thief="g4>f4", guard=1)
    lines = draw(state, ENGLISH).splitlines()

    assert lines[1].startswith(" 1[cY3]--cG1---cY1---cY1--[c..]--s..-")
    assert lines[7].startswith(" 4[f..]--f..---f..---c..---s..---s..---(+)---w..")
    assert lines[8][3 + 6 * 2 : 5 + 6 * 2] == "D>"
    assert lines[8][3 + 6 * 6 : 5 + 6 * 6] == "T<"
    assert lines[14].startswith("   C^")
    assert "City guard: green." in "\n".join(lines)
    assert "Supremacy: cloth yellow, spice -, pottery -, fish -, wine -, jewels green." in "\n".join(lines)


def test_two_figures_on_the_middle_are_both_shown() -> None:
    state = position(figures=FIGURES.replace("duke a1>a2", "duke g4>h4"), thief="g4>f4")

    assert "D>T<" in draw(state, ENGLISH)


def test_a_board_that_is_no_grid_is_listed_by_street() -> None:
    figures = "duke d1>x, marquis d2>d3, marquis d3>d4, count d4>d5, count d5>d6, count d6>y"
    state = position(roll="7", board=RING, figures=figures, shops=("b1 b2 b3 x", "c1:2 c2 c3 y"))
    text = draw(state, ENGLISH)

    assert not grid(state.board)
    assert "Street 1: x uY1, b1 uY1, b2 uY1, b3 uY1, y vG1" in text
    assert "[d1 z.. D>x]" in text


def test_groups_have_letters_of_their_own() -> None:
    assert group_letters(position().board) == {"cloth": "c", "spice": "s", "pottery": "p", "fish": "f", "wine": "w", "jewels": "j"}


def test_a_screen_reader_is_told_everything() -> None:
    state = position(roll="1-3", shops=("a1:3 c1 d1 k4", "b1 m7:2 j7 k7"), thief="g4>f4", guard=1, cards=("cart staff",), expansion="on")
    text = linear(state, ENGLISH)

    assert text.startswith("Turn 1: yellow has rolled 1-3 and must move a figure.\n")
    assert "Yellow has 6 Réal, no prestige card and 6 houses in stock. Investment cards: cart, staff. Supremacy: cloth." in text
    assert "a1 (cloth, grey) with 3 houses, c1 (cloth) with 1 house" in text
    assert "A duke stands on a1 and looks towards a2." in text
    assert "The thief stands on g4 and looks towards f4." in text
    assert "City guard: green." in text


def test_the_end_is_told() -> None:
    state = position(active=1, prestige=(1, 1), money=(5, 5), thief="g4>f4")
    state.last_round = True

    assert "The game is over. Winners: yellow, green." in linear(then(state, "pass"), ENGLISH)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_has_sentences_in_every_language(language: str) -> None:
    words = RULESET.in_language(language)
    for state in moments():
        for sentence in linear(state, words).splitlines():
            assert sentence.endswith(".")
            assert "{" not in sentence
