"""Games of Alturien up to a certain moment, written down so that they can be played on."""

from collections.abc import Callable
from dataclasses import dataclass

from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import Phase, State
from marketpost.rules.bots import bot
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Setting
from tests.games import one_move, open_game, sealed

SEEDS = range(20)


@dataclass(frozen=True, slots=True)
class Moment:
    """The game so far, who is to decide, and the orders that bring the moment about."""

    record: str
    seat: int
    orders: str
    after: State


def before(wanted: Callable[[State], object], players: int = 4) -> Moment:
    """The last position before the first that is wanted, in games among greedy bots."""
    for seed in SEEDS:
        if found := _before(wanted, players, seed):
            return found
    raise AssertionError("no such moment in any game")


def _before(wanted: Callable[[State], object], players: int, seed: int) -> Moment | None:
    chance, greedy = sealed(seed), bot(RULESET, "greedy")
    state, played = open_game(RULESET, Setting(RULESET.colours[:players], RULESET.boards()[0]), chance)
    while not state.over:
        so_far: list[Played] = played.copy()
        seat = state.decider
        orders = greedy(state, seat, chance)
        one_move(RULESET, state, seat, orders, chance, played)
        if wanted(state):
            return Moment(records.write(RULESET, so_far), seat, orders, state)
    return None


def is_robbed(state: State) -> bool:
    """Somebody whose turn it is not must sell something, and has a choice."""
    return bool(state.debt) and state.decider != state.active


def thief_comes(state: State) -> bool:
    """Somebody whose turn it is not must face it."""
    return state.phase == Phase.FACE and state.decider != state.active
