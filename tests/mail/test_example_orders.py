"""Example orders: whatever chance brings, they are accepted."""

from collections.abc import Iterator
from typing import Any

import pytest

from mail.example_orders import example_orders
from rules.bots import bot
from rules.ruleset import Setting, ruleset
from rules.words import LANGUAGES
from tests.games import one_move, open_game, sealed


def positions(seed: int, players: int, edition: str) -> Iterator[tuple[Any, int]]:
    rules, chance = ruleset("portobello"), sealed(seed)
    state, played = open_game(rules, Setting(rules.colours[:players], rules.boards()[0], edition), chance)
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        yield state, seat
        one_move(rules, state, seat, bot(rules, "random" if seed % 2 else "greedy")(state, seat, chance), chance, played)


class Told:
    """Chance that brings what it is asked for, again and again."""

    def __init__(self, wish: int) -> None:
        self.wish = wish

    def pick(self, options: Any) -> Any:
        return options[self.wish % len(options)]


@pytest.mark.parametrize(("seed", "players", "edition"), [(2, 2, "de"), (3, 3, "fr"), (4, 4, "2.0"), (5, 2, "it")])
def test_examples_are_accepted_whatever_chance_brings(seed: int, players: int, edition: str) -> None:
    rules = ruleset("portobello")
    for number, (state, seat) in enumerate(positions(seed, players, edition)):
        if number % 5 and not state.hand:
            continue
        before = repr(state)
        examples = example_orders(rules, state, seat, rules.in_language(LANGUAGES[number % 4]))
        assert examples
        assert len(set(examples)) == len(examples) <= 3
        assert repr(state) == before
        for orders in examples:
            for wish in (0, -1):
                assert rules.judge(state, seat, orders, Told(wish)).refusal is None, orders
