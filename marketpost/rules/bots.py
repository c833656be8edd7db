"""Bots: they see what a seat sees and write orders like every player."""

from collections.abc import Callable
from functools import partial
from heapq import nlargest
from math import exp
from typing import Any

from marketpost.rules.chance import Chance, Sealed
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Bot, Foresight, Ruleset

OutOfTime = Callable[[], bool]
"""Whether a bot has used up the time in which it has to decide. Rules know no clock, so whoever calls a bot brings one."""
RANDOM = "random"
STRONG = "strong"
POSITIONS = 800
"""How many `strong` looks at before it decides; what it has begun to compare it compares to the end."""
LAST_CHOICE = 3
"""How many orders are left for the second half of them."""


def bot(rules: Ruleset[Any], name: str, out_of_time: OutOfTime = lambda: False) -> Bot:
    """Find a bot by name: `random` and `strong` play every ruleset, the others come with theirs.

    Once it is `out_of_time`, `strong` decides by what it has found out so far; the others decide at once anyway.
    """
    if name == RANDOM:
        return lambda state, seat, chance: chance.pick(rules.legal(state, seat))
    if name == STRONG:
        return partial(strong, rules, out_of_time=out_of_time)
    if name not in rules.bots:
        raise Refused("unknown-bot", bot=name, bots=bot_names(rules))
    return rules.bots[name]


def usual_bot(rules: Ruleset[Any]) -> str:
    """Name the bot that plays where nobody chose one: a good one that answers at once."""
    return next(iter(rules.bots), RANDOM)


def bot_names(rules: Ruleset[Any]) -> list[str]:
    """List the bots that play this ruleset."""
    return [RANDOM, *rules.bots, STRONG]


def strong(
    rules: Ruleset[Any], state: Any, seat: int, chance: Chance, *, positions: int = POSITIONS, out_of_time: OutOfTime = lambda: False
) -> str:
    """Plays the orders that look best on a few times, with chance of its own, and takes those that turn out best.

    What it compares when it is out of time is not counted: some orders would have been played on for longer than others.
    """
    foresight = foresight_of(rules)
    left = list(foresight.shortlist(state, seat, chance))
    futures = chance.pick(range(1 << 32)).to_bytes(4, "big")
    turned_out = dict.fromkeys(left, 0.0)
    spent = number = 0
    for enough, survivors in ((positions // 2, LAST_CHOICE), (positions, 1)):
        while spent < enough and len(left) > 1 and not out_of_time():
            number += 1
            # The same future for each of them, so that luck does not choose.
            ways = {orders: Future(rules, foresight, state, Sealed(futures, str(number))) for orders in left}
            hopes = {orders: way.after(seat, orders, positions, out_of_time) for orders, way in ways.items()}
            spent += sum(way.positions for way in ways.values())
            if not out_of_time():
                turned_out = {orders: hope + hopes.get(orders, 0.0) for orders, hope in turned_out.items()}
        left = nlargest(survivors, left, key=lambda orders: turned_out[orders])
    return left[0]


def foresight_of(rules: Ruleset[Any]) -> Foresight:
    """Return a ruleset's foresight; where it has none, try every step and play on to the end."""
    return rules.foresight or Foresight(
        shortlist=lambda state, seat, chance: rules.legal(state, seat),
        quick=bot(rules, usual_bot(rules)),
        prospects=lambda state: [0.0] * len(state.colours),
        rounds=POSITIONS,
    )


class Future:
    """One way in which a game may go on."""

    def __init__(self, rules: Ruleset[Any], foresight: Foresight, state: Any, chance: Chance) -> None:
        self.rules, self.foresight, self.chance = rules, foresight, chance
        self.state = state.copy()
        self.positions = 0

    def after(self, seat: int, orders: str, most: int, out_of_time: OutOfTime) -> float:
        """Estimate how likely this seat wins if it gives these orders now."""
        last = self.state.turn + self.foresight.rounds * len(self.state.colours)
        self._play(seat, orders)
        while self.state.turn < last and self.positions < most and not out_of_time() and not self.rules.winners(self.state):
            decider = self.rules.deciders(self.state)[0]
            self._play(decider, self.foresight.quick(self.state, decider, self.chance))
        return self._hope(seat)

    def _play(self, seat: int, orders: str) -> None:
        self.positions += 1
        self._happen(self.rules.judge(self.state, seat, orders, self.chance).events)
        if not self.rules.winners(self.state):
            self._happen(self.rules.proceed(self.state, self.chance))

    def _happen(self, events: Any) -> None:
        for event in events:
            event.apply(self.state)

    def _hope(self, seat: int) -> float:
        if winners := self.rules.winners(self.state):
            return (seat in winners) / len(winners)
        prospects = self.foresight.prospects(self.state)
        return 1 / sum(exp(min(other - prospects[seat], 50)) for other in prospects)
