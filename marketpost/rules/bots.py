"""Bots: they see what a seat sees and write orders like every player."""

from collections.abc import Callable
from functools import partial
from heapq import nlargest
from typing import Any, NamedTuple

from marketpost.rules.chance import Chance, Dice
from marketpost.rules.playout import TrialGame
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Bot, Foresight, Ruleset
from marketpost.rules.words import Words

OutOfTime = Callable[[], bool]
"""Whether a bot has used up the time in which it has to decide. Rules know no clock, so whoever calls a bot brings one."""
RANDOM = "random"
EASY, MEDIUM, STRONG = LEVELS = ("easy", "medium", "strong")
"""What people choose from. Every ruleset has all three."""
POSITIONS = 800
"""How many `strong` looks at before it decides; what it has begun to compare it compares to the end."""
LAST_CHOICE = 3
"""How many orders are left for the last third of them; the second third is for the better half."""


class WeighedLine(NamedTuple):
    """Orders, and how likely the seat wins with them by so many trial games."""

    orders: str
    chance: float
    trials: int


def bot(rules: Ruleset[Any], name: str, out_of_time: OutOfTime = lambda: False) -> Bot:
    """Find a bot by name: `random` and the three levels play every ruleset, the others come with theirs.

    Once it is `out_of_time`, `strong` decides by what it has found out so far; the others decide at once anyway.
    """
    if name == RANDOM:
        return lambda state, seat, chance: chance.pick(rules.legal(state, seat))
    if name == EASY:
        return partial(easy, rules)
    if name == MEDIUM:
        return bot(rules, usual_bot(rules))
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
    return [RANDOM, *rules.bots, *LEVELS]


def level_of(name: str) -> str:
    """Name the level to offer to somebody who played this bot; `medium` for one that is no level."""
    return name if name in LEVELS else MEDIUM


def bot_told(words: Words, name: str) -> str:
    """Name a bot in the language of these words."""
    return words.say(f"bots.{name}") if words.knows(f"bots.{name}") else name


def easy(rules: Ruleset[Any], state: Any, seat: int, chance: Chance) -> str:
    """Takes any of the orders that look promising at first sight, and compares none of them. A beginner has a chance against it."""
    return chance.pick(foresight_of(rules).shortlist(state, seat, chance))


def strong(
    rules: Ruleset[Any], state: Any, seat: int, chance: Chance, *, positions: int = POSITIONS, out_of_time: OutOfTime = lambda: False
) -> str:
    """Plays the orders that look best on a few times, with chance of its own, and takes those that turn out best."""
    return weigh(rules, state, seat, chance, positions=positions, out_of_time=out_of_time)[0].orders


def weigh(
    rules: Ruleset[Any], state: Any, seat: int, chance: Chance, *, positions: int = POSITIONS, out_of_time: OutOfTime = lambda: False
) -> list[WeighedLine]:
    """Compare the orders that look best by trial games, and return the last `LAST_CHOICE` of them, the best first.

    What it compares when it is out of time is not counted: some orders would have been played on for longer than others.
    """
    foresight = foresight_of(rules)
    left = list(foresight.shortlist(state, seat, chance))
    futures = chance.pick(range(1 << 32))
    turned_out = dict.fromkeys(left, 0.0)
    spent = number = counted = 0
    for enough in (positions // 3, positions * 2 // 3, positions):
        while spent < enough and len(left) > 1 and not out_of_time():
            number += 1
            # The same future for each of them, so that luck does not choose.
            ways = {orders: TrialGame(rules, foresight, state, Dice(futures, number)) for orders in left}
            hopes = {orders: _hope(way, seat, orders, positions, out_of_time) for orders, way in ways.items()}
            spent += sum(way.positions for way in ways.values())
            if not out_of_time():
                turned_out = {orders: hope + hopes.get(orders, 0.0) for orders, hope in turned_out.items()}
                counted += 1
        left = nlargest(max(LAST_CHOICE, len(left) // 2), left, key=lambda orders: turned_out[orders])
    return [WeighedLine(orders, turned_out[orders] / max(counted, 1), counted) for orders in left]


def foresight_of(rules: Ruleset[Any]) -> Foresight:
    """Return a ruleset's foresight; where it has none, try every step and play on to the end."""
    return rules.foresight or Foresight(
        shortlist=lambda state, seat, chance: rules.legal(state, seat),
        quick=bot(rules, usual_bot(rules)),
        prospects=lambda state: [0.0] * len(state.colours),
        rounds=POSITIONS,
    )


def _hope(way: TrialGame, seat: int, orders: str, most: int, out_of_time: OutOfTime) -> float:
    """Estimate how likely this seat wins if it gives these orders now."""
    last = way.state.turn + (way.foresight.turns or way.foresight.rounds * len(way.state.colours))
    way.give(seat, orders)
    while way.state.turn < last and way.positions < most and not out_of_time() and not way.rules.winners(way.state):
        way.play_on()
    return way.chances()[seat]
