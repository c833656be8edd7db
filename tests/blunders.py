"""Plants blunders in games of bots and counts how many the analysis finds: a lane that could be scored is left to the next player."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from marketpost.rules.analysis import LEAST, MOST, SLIPS, Decided, GameAnalyst, Moment
from marketpost.rules.bots import bot, foresight_of
from marketpost.rules.chance import Dice
from marketpost.rules.playout import TrialGame, begin
from marketpost.rules.portobello.events import LaneScored
from marketpost.rules.portobello.orders import Draw, DrawAndSee
from marketpost.rules.portobello.state import COLOURS
from marketpost.rules.ruleset import Event, Ruleset, Setting, ruleset
from tests import proof

WORTH = 12
"""Points by which scoring the lane brings the player ahead of the next; less is no blunder."""
OPEN = (0.1, 0.9)
"""The chance to win before the decision: where a game is decided, nothing can be given away."""
PLAYED_OUT, END = 12, 1000
STEPS = 30
ATTEMPTS = 25


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as the analysis gets it."""

    setting: Setting
    opening: Sequence[Event]
    decisions: Sequence[Decided]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Planted:
    """A position in which a lane can be scored, and orders that leave it to the next player."""

    rules: Ruleset[Any]
    setting: Setting
    before: Sequence[Event]
    state: Any
    decided: Decided
    seed: int

    def look(self, playouts: int = LEAST) -> Moment:
        """What the analysis says of this decision."""
        analyst = GameAnalyst(self.rules, self.setting, self.before, [self.decided], self.seed)
        for _ in analyst.run(playouts):
            pass
        return analyst.result(playouts).moments[0]


def play_game(rules: Ruleset[Any], setting: Setting, seed: int) -> Recorded:
    """A whole game of the bot `easy`."""
    dice, decisions = Dice(seed), list[Decided]()
    opening = [*rules.start(setting, dice)]
    state = rules.fold(opening)
    opening += _happen(state, rules.proceed(state, dice))
    while deciders := rules.deciders(state):
        orders = bot(rules, "easy")(state.copy(), deciders[0], dice)
        events = play(rules, state, deciders[0], orders, dice)
        decisions.append(Decided(len(decisions) + 2, deciders[0], orders, events))
    return Recorded(setting, opening, decisions, rules.winners(state))


def play(rules: Ruleset[Any], state: Any, seat: int, orders: str, dice: Dice) -> list[Event]:
    events = _happen(state, rules.judge(state, seat, orders, dice).events)
    return events if rules.winners(state) else events + _happen(state, rules.proceed(state, dice))


def _happen(state: Any, events: Sequence[Event]) -> list[Event]:
    for event in events:
        event.apply(state)
    return list(events)


def scored_lanes(rules: Ruleset[Any], state: Any, seat: int, orders: str) -> int:
    """By how many points these orders bring the seat ahead of the best of the others, by lanes."""
    events = rules.judge(state, seat, orders, Dice(0)).events
    points = [sum(each) for each in zip(*(event.points for event in events if isinstance(event, LaneScored)), strict=True)]
    return points[seat] - max(points[:seat] + points[seat + 1 :]) if points else 0


def plant(rules: Ruleset[Any], setting: Setting, seed: int) -> Planted | None:
    """Let bots play to a turn drawn by lot, and from there to the first position that fits; None if the game has none."""
    rng, dice, events = random.Random(seed), Dice(seed), list[Event]()
    state = begin(rules, setting, Dice(seed))
    events += rules.start(setting, Dice(seed))
    first = rng.randrange(4, 16)
    while deciders := rules.deciders(state):
        seat, best = deciders[0], bot(rules, "greedy")(state.copy(), deciders[0], dice)
        if state.turn >= first and (orders := _blunder(rules, state, seat, best, rng)):
            then = state.copy()
            return Planted(rules, setting, events, state, Decided(2, seat, orders, play(rules, then, seat, orders, dice)), seed)
        events += play(rules, state, seat, best, dice)
    return None


def _blunder(rules: Ruleset[Any], state: Any, seat: int, best: str, rng: random.Random) -> str:
    """A whole turn that leaves to the next player what could have been scored; empty if there is none."""
    if state.chosen or state.hand or scored_lanes(rules, state, seat, best) < WORTH or not _is_open(rules, state, seat):
        return ""
    turns = [_random_turn(rules, state, seat, rng) for _ in range(ATTEMPTS)]
    given = {orders: _given_away(rules, state, seat, orders) for orders in turns if orders}
    worst = max(given, key=lambda orders: given[orders], default="")
    return worst if worst and given[worst] >= WORTH else ""


def _is_open(rules: Ruleset[Any], state: Any, seat: int) -> bool:
    """Whether the player may still win or lose, by a few games played to the end."""
    trials = [TrialGame(rules, foresight_of(rules), state, Dice(number), SLIPS) for number in range(PLAYED_OUT)]
    for each in trials:
        each.play_until(END)
    return OPEN[0] < sum(each.chances()[seat] for each in trials) / PLAYED_OUT < OPEN[1]


def _random_turn(rules: Ruleset[Any], state: Any, seat: int, rng: random.Random) -> str:
    """A turn of steps at random, without draws; empty if it does not end so."""
    then, taken = state.copy(), list[Any]()
    assert rules.fast
    for _ in range(STEPS):
        steps = [step for step in rules.fast.steps(then) if not isinstance(step, (Draw, DrawAndSee))]
        if not steps:
            return ""
        taken.append(rng.choice(steps))
        rules.fast.play(then, (taken[-1],), Dice(0))
        if rules.deciders(then) != (seat,):
            return str(rules.notate(tuple(taken)))
    return ""


def _given_away(rules: Ruleset[Any], state: Any, seat: int, orders: str) -> int:
    """By how many points the next player can then score more than others, if this turn scores nothing; 0 if it does."""
    if rules.judge(state, seat, orders, Dice(0)).refusal or scored_lanes(rules, state, seat, orders) > 0:
        return 0
    then = state.copy()
    play(rules, then, seat, orders, Dice(0))
    following = rules.deciders(then)
    return scored_lanes(rules, then, following[0], bot(rules, "greedy")(then.copy(), following[0], Dice(0))) if following else 0


@click.command()
@click.argument("blunders", type=int, default=100)
@proof.seeded
@click.option("--playouts", default=MOST, show_default=True, help="Of every position; the service's budget allows so many for most games.")
def blunders(blunders: int, seed: int, to_prove: bool, playouts: int) -> None:
    """Plant so many blunders in Portobello with 2 to 4 players, and fail if fewer than 95 of 100 are found."""
    rules = ruleset("portobello")
    planted = found = number = 0
    with click.progressbar(length=blunders, label="blunders") as bar:
        while planted < blunders:
            setting = Setting(COLOURS[: 2 + number % 3], rules.boards()[0])
            case = plant(rules, setting, seed + number)
            number += 1
            if case is None:
                continue
            planted, found = planted + 1, found + bool(case.look(playouts).lost)
            bar.update(1)
    told = f"found {found} of {planted} planted blunders with {playouts} playouts of every position"
    click.echo(f"{told}, seed {seed}")
    if to_prove:
        proof.write("make blunders", [f"* {rules.name}: {told}"], seed)
    raise SystemExit(100 * found < 95 * planted)


if __name__ == "__main__":
    blunders()
