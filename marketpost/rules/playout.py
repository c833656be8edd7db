"""Trial games: positions played on without writing anything down, as bots and measurements need them."""

from collections.abc import Sequence
from math import exp
from typing import Any

from marketpost.rules.chance import Chance
from marketpost.rules.ruleset import Event, FastPlay, Foresight, Ruleset, Setting

NEVER = range(0)


def begin(rules: Ruleset[Any], setting: Setting, chance: Chance) -> Any:
    """Return the first position in which somebody decides."""
    state = rules.fold(rules.start(setting, chance))
    _happen(state, rules.proceed(state, chance))
    return state


def play_at_random(rules: Ruleset[Any], state: Any, chance: Chance) -> None:
    """Play on to the end, on the position itself: every legal step is equally likely."""
    steps, play = fast_play(rules).steps, fast_play(rules).play
    while found := steps(state):
        play(state, (chance.pick(found),), chance)


def fast_play(rules: Ruleset[Any]) -> FastPlay:
    """Return a ruleset's way to play steps; where it has none, steps are orders with one step each."""
    return rules.fast or FastPlay(
        lambda state: [step for seat in rules.deciders(state)[:1] for step in rules.legal(state, seat)],
        lambda state, steps, chance: play_orders(rules, state, rules.deciders(state)[0], "; ".join(steps), chance),
    )


def play_orders(rules: Ruleset[Any], state: Any, seat: int, orders: str, chance: Chance) -> None:
    """Play orders on the position itself, and what follows without anybody's decision."""
    _happen(state, rules.judge(state, seat, orders, chance).events)
    if not rules.winners(state):
        _happen(state, rules.proceed(state, chance))


class TrialGame:
    """A copy of a position that is played on: by orders, then as everyone's quick bot plays, up to a turn."""

    __slots__ = ("chance", "foresight", "positions", "rules", "slips", "state", "steps")

    def __init__(self, rules: Ruleset[Any], foresight: Foresight, state: Any, chance: Chance, slips: range = NEVER) -> None:
        """`slips`: one decision in so many begins with a step at random, as people play."""
        self.rules, self.foresight, self.chance, self.slips = rules, foresight, chance, slips
        self.steps = foresight.quick_steps if rules.fast else None
        self.state = state.copy()
        self.positions = 0

    def give(self, seat: int, orders: str) -> None:
        """Play these orders of a seat."""
        self.positions += 1
        play_orders(self.rules, self.state, seat, orders, self.chance)

    def play_on(self) -> None:
        """Let the seat that decides play as the quick bot does."""
        if self.slips and not self.chance.pick(self.slips):
            fast = fast_play(self.rules)
            fast.play(self.state, (self.chance.pick(fast.steps(self.state)),), self.chance)
            return
        seat = self.rules.deciders(self.state)[0]
        if self.steps is None or self.rules.fast is None:
            self.give(seat, self.foresight.quick(self.state, seat, self.chance))
            return
        self.positions += 1
        self.rules.fast.play(self.state, self.steps(self.state, seat, self.chance), self.chance)

    def play_until(self, turn: int) -> None:
        """Play on until that turn begins or the game is over."""
        while self.state.turn < turn and not self.rules.winners(self.state):
            self.play_on()

    def chances(self) -> list[float]:
        """Estimate how likely each seat wins; where the game is over, its share of the win."""
        seats = range(len(self.state.colours))
        if winners := self.rules.winners(self.state):
            return [(seat in winners) / len(winners) for seat in seats]
        prospects = self.foresight.prospects(self.state)
        best = max(prospects)
        weights = [exp(each - best) for each in prospects]
        return [weight / sum(weights) for weight in weights]


def _happen(state: Any, events: Sequence[Event]) -> None:
    for event in events:
        event.apply(state)
