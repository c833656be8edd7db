"""Whatever a legal order names is a place in the picture, spelt alike, so that a click finds the order."""

import re
from itertools import pairwise

import pytest

from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Ruleset, Setting, rulesets

PLACE = re.compile(r'data-place="([^"]+)"')
MOST_TURNS = 400


@pytest.mark.parametrize("name", ["portobello", "alturien"])
@pytest.mark.parametrize("setting", [{}, {"setup": "manual", "expansion": "on"}, {"customers": "queue", "lord": "action"}], ids=str)
def test_every_place_that_a_legal_step_names_is_on_the_board(name: str, setting: dict[str, str]) -> None:
    rules = rulesets()[name]
    options = {option: value for option, value in setting.items() if (option in ("setup", "expansion")) == (name == "alturien")}
    chance = Sealed(bytes(32), "places")
    state = rules.fold(rules.start(Setting(rules.colours[:2], rules.boards()[0], None, options), chance))
    named: set[str] = set()

    for turn in range(MOST_TURNS):
        for event in rules.proceed(state, chance):
            event.apply(state)
        if rules.winners(state):
            break
        seat = rules.deciders(state)[0]
        named |= _named(rules, state, seat) if turn % 7 == 0 else set()
        for event in rules.judge(state, seat, bot(rules, "greedy")(state.copy(), seat, chance), chance).events:
            event.apply(state)

    assert len(named) > 10


def _named(rules: Ruleset, state: object, seat: int) -> set[str]:
    drawn = set(PLACE.findall(rules.picture(state, rules.in_language("en"))))
    named = {place for step in rules.legal(state, seat) for place in rules.places(step)}
    assert named <= drawn, named - drawn
    return named


@pytest.mark.parametrize("name", rulesets())
def test_a_piece_that_travels_goes_from_place_to_neighbouring_place_on_the_board(name: str) -> None:
    rules, chance = rulesets()[name], Sealed(bytes(32), "motions")
    state = rules.fold(rules.start(Setting(rules.colours[:2], rules.boards()[0]), chance))
    drawn = set(PLACE.findall(rules.picture(state, rules.in_language("en"))))
    ways: list[tuple[str, ...]] = []

    while not rules.winners(state):
        for event in rules.proceed(state, chance):
            event.apply(state)
        seat = rules.deciders(state)[0]
        events = rules.judge(state, seat, bot(rules, "greedy")(state.copy(), seat, chance), chance).events
        ways += [motion.places for motion in rules.motions(state.copy(), events) if motion.colour in ("bobby", "red")]
        for event in events:
            event.apply(state)

    assert len(ways) > 5
    assert all(set(way) <= drawn and len(way) > 1 for way in ways)
    neighbours = {str(place): {str(near) for near in all_near} for place, all_near in state.board.neighbours.items()}
    assert all(there in neighbours[here] for way in ways for here, there in pairwise(way))


def test_an_order_without_a_place_names_none() -> None:
    assert list(rulesets()["portobello"].places("3:")) == []
    assert list(rulesets()["alturien"].places("pass; prestige")) == []


def test_places_stand_in_the_order_in_which_they_are_named() -> None:
    assert list(rulesets()["portobello"].places("stall B-A; stall AB; bobby 4-5; customer C")) == ["B-A", "A-B", "5", "C", "C"]
    assert list(rulesets()["alturien"].places("c1-e1-e4>e5; buy b1")) == ["c1", "e1", "e4", "e5", "b1"]
