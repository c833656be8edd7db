"""Example orders: whole turns of different kinds, which waste nothing and are accepted whatever chance brings."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from marketpost.mail.outbound.example_orders import _kind, example_orders
from marketpost.play.moves.game_view import PreviewBranch, branches
from marketpost.rules.bots import bot
from marketpost.rules.ruleset import Ruleset, Setting, ruleset, rulesets
from marketpost.rules.words import LANGUAGES
from tests.games import one_move, open_game, sealed
from tests.thorough import THOROUGH

MOST_POSITIONS = 40 * THOROUGH
"""Of one game."""
INVESTMENT = re.compile(r"\b(buy|develop|prestige|ship|post|cart|staff)\b")
every_ruleset = pytest.mark.parametrize("name", rulesets())
games = pytest.mark.parametrize("seed", range(2, 6))


def positions(name: str, seed: int) -> Iterator[tuple[Any, int]]:
    """Of a whole game, at random or among bots, with any number of players and any edition."""
    rules, chance = ruleset(name), sealed(seed)
    players = rules.players[seed % len(rules.players)]
    edition = rules.editions[seed % len(rules.editions)] if rules.editions else None
    state, played = open_game(rules, Setting(rules.colours[:players], rules.boards()[0], edition), chance)
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        yield state, seat
        one_move(rules, state, seat, bot(rules, "random" if seed % 2 else "greedy")(state, seat, chance), chance, played)


@cache
def some(name: str, seed: int) -> list[tuple[Any, int, list[str]]]:
    """Positions from all over the game, with the examples for whoever is to decide."""
    found = [(state.copy(), seat) for state, seat in positions(name, seed)]
    english, step = ruleset(name).in_language("en"), max(1, len(found) // MOST_POSITIONS)
    return [(state, seat, example_orders(ruleset(name), state, seat, english)) for state, seat in found[::step]]


class Told:
    """Chance that brings what it is asked for, again and again."""

    def __init__(self, wish: int) -> None:
        self.preference = wish

    def pick(self, options: Any) -> Any:
        return options[self.preference % len(options)]


@every_ruleset
@games
def test_examples_are_accepted_whatever_chance_brings(name: str, seed: int) -> None:
    rules = ruleset(name)
    for state, seat, examples in some(name, seed):
        assert 1 <= len(set(examples)) == len(examples) <= 3
        for orders in examples:
            for wish in (0, -1):
                assert rules.judge(state, seat, orders, Told(wish)).refusal is None, orders


@every_ruleset
@games
def test_examples_are_the_same_in_every_language(name: str, seed: int) -> None:
    rules = ruleset(name)
    for state, seat, examples in some(name, seed)[::10]:
        before = repr(state)
        for language in LANGUAGES:
            told = example_orders(rules, state, seat, rules.in_language(language))
            assert [rules.notate(rules.parse(orders)) for orders in told] == examples
        assert repr(state) == before


@every_ruleset
@games
def test_examples_waste_nothing_where_there_is_something_better(name: str, seed: int) -> None:
    rules = ruleset(name)
    for state, seat, examples in some(name, seed):
        wasteful = [orders for orders in examples if rules.wasteful(state, seat, orders)]
        assert not wasteful or examples == wasteful[:1], examples


@every_ruleset
@games
def test_examples_are_whole_turns(name: str, seed: int) -> None:
    """After them somebody else is to decide, or chance is to answer."""
    rules, whole, all_of_them = ruleset(name), 0, 0
    for state, seat, examples in some(name, seed):
        for orders in examples:
            after, chance = state.copy(), Told(0)
            for event in rules.judge(state, seat, orders, chance).events:
                event.apply(after)
            all_of_them += 1
            whole += after.turn != state.turn or not rules.legal(after, seat) or not state.turn
    assert whole == all_of_them


@every_ruleset
@games
def test_examples_are_of_different_kinds_where_there_are_several(name: str, seed: int) -> None:
    several = 0
    for _, _, examples in some(name, seed):
        kinds = {_kind(orders) for orders in examples}
        assert len(kinds) in (1, len(examples)), examples
        several += len(kinds) > 1
    assert several > len(some(name, seed)) / 5


@every_ruleset
@games
def test_no_example_ends_a_turn_that_is_over_anyway(name: str, seed: int) -> None:
    rules = ruleset(name)
    for state, seat, examples in some(name, seed):
        for shorter in (orders.rpartition("; ")[0] for orders in examples if orders.endswith("; end")):
            after = state.copy()
            for event in rules.judge(state, seat, shorter, Told(0)).events:
                event.apply(after)
            assert after.turn == state.turn, shorter


@games
def test_one_example_draws_a_customer_as_long_as_there_are_any(seed: int) -> None:
    drawn = 0
    for state, _, examples in some("portobello", seed):
        if state.turn and sum(state.bag.values()) and not state.hand:
            assert any("customer" in orders for orders in examples), examples
            drawn += 1
    assert drawn


@games
def test_one_example_invests_where_one_can(seed: int) -> None:
    invested, rules = 0, ruleset("alturien")
    for state, seat, examples in some("alturien", seed):
        if state.turn and any(_may_invest(rules, branch.state, seat) for branch in _steps_ahead(rules, state, seat)):
            assert any(INVESTMENT.search(orders) for orders in examples), examples
            invested += 1
    assert invested


def _steps_ahead(rules: Ruleset[Any], state: Any, seat: int) -> list[PreviewBranch]:
    """The position after every step that leaves the decision with this seat, whatever chance brings."""
    ahead = (branch for step in rules.legal(state, seat) for branch in branches(rules, state, seat, step) if not branch.refusal)
    return [branch for branch in ahead if branch.state.turn == state.turn and seat in rules.deciders(branch.state)]


def _may_invest(rules: Ruleset[Any], state: Any, seat: int) -> bool:
    """Before the last round, in which not everything is worth its price."""
    return not state.last_round and any(INVESTMENT.match(step) for step in rules.legal(state, seat))
