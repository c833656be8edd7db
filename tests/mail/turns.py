"""Turns of any ruleset, made by playing at random, and how players write them down."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from marketpost import rules
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import branches
from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from tests.games import one_move, open_game, sealed

OUTSIDE = str(Path(__file__).parents[1] / "rulesets")
MOST_STEPS = 8
NB = "\u00a0"
AND = {"en": "and", "de": "und", "fr": "et", "it": "e poi"}


def all_rulesets() -> dict[str, Ruleset[Any]]:
    """Those under `rules/`, and one that is dropped in from outside."""
    rules.__path__.append(OUTSIDE)
    try:
        return rulesets()
    finally:
        rules.__path__.remove(OUTSIDE)


every_ruleset = pytest.mark.parametrize("name", all_rulesets())


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A position, who is to decide in it, and orders that are legal there whatever chance brings."""

    rules: Ruleset[Any]
    state: Any
    seat: int
    orders: str

    @property
    def game(self) -> Game:
        game = Game("g1")
        game.rules, game.state = self.rules, self.state
        return game

    def written(self, language: str) -> str:
        return self.rules.notate(self.rules.parse(self.orders), self.rules.in_language(language))

    def means(self, orders: str) -> bool:
        """Whether these do the same."""
        one, other = (self.rules.judge(self.state, self.seat, each, sealed(1)) for each in (self.orders, orders))
        return (one.refusal, one.events) == (other.refusal, other.events)

    def steps(self, language: str) -> list[str]:
        """As they stand between semicolons."""
        return re.split(r"\s*;\s*|\n", self.written(language))


@cache
def turns(name: str, count: int = 60, seed: int = 5) -> tuple[Turn, ...]:
    """So many of one ruleset, half of them as a sound player decides."""
    chance, found = random.Random(seed), list[Turn]()
    while len(found) < count:
        found += _turns_of_a_game(all_rulesets()[name], chance)
    return tuple(chance.sample(found, count))


def _turns_of_a_game(rules: Ruleset[Any], chance: random.Random) -> Iterator[Turn]:
    dice = sealed(chance.randrange(10**9))
    setting = Setting(rules.colours[: rules.players[0]], rules.boards()[0])
    state, played = open_game(rules, setting, dice)
    sound = bot(rules, usual_bot(rules))
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        orders = sound(state, seat, dice) if chance.random() < 0.5 else _random_turn(rules, state, seat, chance)
        yield Turn(rules, state.copy(), seat, orders)
        one_move(rules, state, seat, orders, dice, played)


def _random_turn(rules: Ruleset[Any], state: Any, seat: int, chance: random.Random) -> str:
    """Step by step until somebody else is to decide, as far as all of it is legal whatever chance brings."""
    steps, now = list[str](), state
    while len(steps) < MOST_STEPS and now.turn == state.turn and (legal := rules.legal(now, seat)):
        step = chance.choice(legal)
        orders = "; ".join([*steps, step])
        if steps and not _is_safe(rules, state, seat, orders):
            break
        steps.append(step)
        now = chance.choice(branches(rules, now, seat, step)).state
    return "; ".join(steps)


def _is_safe(rules: Ruleset[Any], state: Any, seat: int, orders: str) -> bool:
    return not any(branch.refusal for branch in branches(rules, state, seat, orders))


Shape = Callable[[list[str], str], list[str]]
"""How steps are put on lines, in a language."""


def _one_line(steps: list[str], language: str) -> list[str]:
    return ["; ".join(steps)]


def _as_in_french(steps: list[str], language: str) -> list[str]:
    return [" ; ".join(steps).replace(":", NB + ":")]


def _a_line_each(steps: list[str], language: str) -> list[str]:
    return steps


def _shouted(steps: list[str], language: str) -> list[str]:
    return [" ; ".join(steps).upper().replace("-", "–") + "."]


def _hard_blanks(steps: list[str], language: str) -> list[str]:
    return [step.replace(" ", NB) for step in steps]


def _bullets(steps: list[str], language: str) -> list[str]:
    return [f"- {step}" for step in steps]


def _arrows(steps: list[str], language: str) -> list[str]:
    return [f"→ {step}" for step in steps]


def _starred(steps: list[str], language: str) -> list[str]:
    return [f"*{'; '.join(steps)}*"]


def _in_quotes(steps: list[str], language: str) -> list[str]:
    return [f"{'«“„“'['fide'.index(language[0])]}{'; '.join(steps)}{'»”“”'['fide'.index(language[0])]}"]


def _numbered(steps: list[str], language: str) -> list[str]:
    return [f"{place}. {step}" for place, step in enumerate(steps, 1)] if len(steps) > 1 else steps


def _commas(steps: list[str], language: str) -> list[str]:
    *before, last = steps
    return [f"{', '.join(before)} {AND[language]} {last}" if before else last]


def _explained(steps: list[str], language: str) -> list[str]:
    return [f"{steps[0]}  # let's see", *steps[1:]]


def _politely(steps: list[str], language: str) -> list[str]:
    please = {"en": "please", "de": "bitte", "fr": "svp", "it": "per favore"}[language]
    return [f"{'; '.join(steps)} {please}"]


SHAPES: tuple[Shape, ...] = (
    *(_one_line, _as_in_french, _a_line_each, _a_line_each, _shouted, _hard_blanks, _bullets, _arrows),
    *(_starred, _in_quotes, _numbered, _commas, _explained, _politely),
)
