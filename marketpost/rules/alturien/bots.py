"""The bot `greedy`: compares what each step gains now, and what the figures then allow the next player and itself."""

from collections.abc import Callable, Iterator
from functools import partial
from heapq import nlargest
from itertools import product
from typing import Any

from marketpost.rules.alturien.income import sale
from marketpost.rules.alturien.legal import legal_steps
from marketpost.rules.alturien.movement import Landing, landings, notate_landing
from marketpost.rules.alturien.orders import BuyCard, FaceThief, MoveHouse, Pass, PlaceCustomer, PlaceShop, Step, notate_step
from marketpost.rules.alturien.state import ALL_CUSTOMERS, NOBODY, PRESTIGE_PRICE, PRICES, THIEF, Phase, State
from marketpost.rules.alturien.steps import take
from marketpost.rules.alturien.thief import BOOTY
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.alturien.turn import prestige_goal
from marketpost.rules.chance import Chance, RecordedChance

OTHERS_GAIN = 0.6
"""How much it hurts that others gain, against gaining oneself."""
THEIR_TURN = 1.2
"""How much the best moves of the next player count."""
MY_TURN = 0.9
"""How much my own next move counts; until then others move figures away."""
TURNS_A_PRESTIGE = 3.5
"""About how many turns a player needs for a prestige card, by which the length of the game is guessed."""
AVERAGE_VALUE = 10 / 6
MOST_MOVES, FEW_MOVES = 60, 8
"""How many moves are looked at closely, by a player with time and by one in a hurry."""
SHORTLIST = 5
"""How many steps `strong` plays on."""
A_PRESTIGE, SHOPS, NEXT_TURN = 14.5, 1.5, 1.4
"""What a prestige card, what shops bring from far away and what the next turn may bring are worth, in money."""
A_LEAD = 12.5
"""So much more money than another makes one e times as likely to win."""
USE = 0.25
"""How often a customer is moved to a given shop of mine, seen from far away."""


def greedy(state: State, seat: int, chance: Chance) -> str:
    """Choose one step; what chance shows afterwards is seen before the next is chosen."""
    return notate_step(_ranked(state, seat, 1)[0])


def shortlist(state: State, seat: int, chance: Chance) -> list[str]:
    """List the most promising steps for `strong` to look at."""
    return [notate_step(step) for step in _ranked(state, seat, SHORTLIST)]


def quick(state: State, seat: int, chance: Chance) -> str:
    """Choose as `greedy` does among fewer moves."""
    return notate_step(_ranked(state, seat, 1, FEW_MOVES)[0])


def quick_steps(state: State, seat: int, chance: Chance) -> tuple[Step, ...]:
    """Choose as `quick` does; `strong` and the analysis play their trial games with it."""
    return (_ranked(state, seat, 1, FEW_MOVES)[0],)


def prospects(state: State) -> list[float]:
    """Estimate each seat's standing in money: cash, prestige, shops and the next turn. Weights were fitted to games of `greedy`."""
    return [_wealth_to_come(state, seat) / A_LEAD for seat in range(len(state.colours))]


def _wealth_to_come(state: State, seat: int) -> float:
    owned = state.money[seat] + A_PRESTIGE * state.prestige[seat] + sum(PRICES[card] for card in state.cards[seat])
    return owned + SHOPS * _far_income(state, seat) + NEXT_TURN * expected(state, seat)


def _ranked(state: State, seat: int, most: int, moves: int = MOST_MOVES) -> list[Step]:
    """Sort the steps by worth, best first."""
    if state.debt:
        return _best(state, most, lambda step: _worth_after(state, step, seat))
    if state.phase == Phase.MOVE:
        return _best_moves(state, seat, most, moves)
    return _best(state, most, partial(_WORTH[state.phase], state, seat))


def _best(state: State, most: int, worth: Callable[[Step], Any]) -> list[Step]:
    steps = (step for step in legal_steps(state) if not isinstance(step, MoveHouse))
    return nlargest(most, steps, key=worth)


# Moving


def _best_moves(state: State, seat: int, most: int, moves: int) -> list[Step]:
    """Look closely at the moves that gain most at once."""
    promising = nlargest(moves, landings(state), key=lambda landing: _brings(state, seat, landing))
    best = nlargest(most, promising, key=lambda landing: _brings(state, seat, landing) + _leads_to(state, seat, landing))
    return [notate_landing(state, landing) for landing in best]


def _brings(state: State, seat: int, landing: Landing) -> float:
    mine, others = _gain(state, seat, landing.figure, landing.space)
    return mine - OTHERS_GAIN * others


def _leads_to(state: State, seat: int, landing: Landing) -> float:
    after = _with(state, landing)
    again = state.kinds[landing.figure] == THIEF and state.moved == NOBODY
    return (expected(after, seat) if again else 0.0) + _outlook(after, seat)


def _outlook(state: State, seat: int) -> float:
    """Estimate what the figures allow the next player, and then this one."""
    following = (state.active + 1) % len(state.colours)
    return MY_TURN * expected(state, seat) - THEIR_TURN * expected(state, following)


def _with(state: State, landing: Landing) -> State:
    """Copy the position with one figure elsewhere; good enough to evaluate, not to play on."""
    after = state.copy()
    after.spaces[landing.figure], after.facings[landing.figure] = landing.space, landing.facing
    return after


def _gain(state: State, mover: int, figure: int, space: str) -> tuple[float, float]:
    """Compute what the mover and the others gain if this figure ends there."""
    standing = sum(pay for other, pay in _grey_sales(state, mover) if other != figure)
    owner = state.owners.get(space, NOBODY)
    if owner == NOBODY:
        return standing, 0
    if state.kinds[figure] == THIEF:
        mine, others = _booty(state, mover, owner, space)
        return standing + mine, others
    pay = sale(state, state.kinds[figure], space)
    return (standing + pay, 0) if owner == mover else (standing, pay)


def _grey_sales(state: State, seat: int) -> Iterator[tuple[int, int]]:
    for figure, kind in enumerate(state.kinds[:ALL_CUSTOMERS]):
        space = state.spaces[figure]
        if space in state.board.grey and state.owners.get(space) == seat:
            yield figure, sale(state, kind, space)


def _booty(state: State, mover: int, owner: int, site: str) -> tuple[float, float]:
    if owner == state.guard:
        return 0, 0
    booty = BOOTY * state.houses[site]
    return (-booty, 0) if owner == mover else (min(booty, state.money[owner] + state.houses[site]), -booty)


def expected(state: State, seat: int) -> float:
    """Estimate what one roll of the dice brings this seat."""
    by_length = _best_by_length(state, seat)
    cart = "cart" in state.cards[seat]
    faces = [_best_of_face(state, by_length, face, cart) for face in state.board.faces]
    if "staff" not in state.cards[seat]:
        return sum(faces) / len(faces)
    return sum(max(pair) for pair in product(faces, repeat=2)) / len(faces) ** 2


def _best_of_face(state: State, by_length: dict[int, float], face: str, cart: bool) -> float:
    lengths = state.board.lengths[face]
    return max([by_length[length] for length in (*lengths, lengths[-1] + 1)[: len(lengths) + cart]])


def _best_by_length(state: State, seat: int) -> dict[int, float]:
    """For each number of steps the best gain, less what it gives to others. The thief brings a second move, counted as an average one."""
    grey, owners = dict(_grey_sales(state, seat)), state.owners
    standing = sum(grey.values())
    found = {length: [0.0] for length in range(1, state.board.reach + 1)}
    for figure, kind in enumerate(state.kinds[:ALL_CUSTOMERS]):
        left = standing - grey.get(figure, 0)
        for length, space in _reachable(state, figure):
            found[length].append(left + _pay(state, seat, kind, space) if space in owners else left)
    best = {length: max(gains) for length, gains in found.items()}
    if not state.thief_is_out or not state.facings[-1]:
        return best
    second = sum(best.values()) / len(best)
    for length, space in _reachable(state, ALL_CUSTOMERS):
        mine, others = _booty(state, seat, state.owners[space], space) if space in state.owners else (0.0, 0.0)
        best[length] = max(best[length], mine - OTHERS_GAIN * others + second)
    return best


def _reachable(state: State, figure: int) -> list[tuple[int, str]]:
    spaces = state.spaces
    return [way for way in state.board.reached(spaces[figure], state.facings[figure]) if way[1] not in spaces]


def _pay(state: State, seat: int, kind: str, space: str) -> float:
    pay = sale(state, kind, space)
    return pay if state.owners[space] == seat else -OTHERS_GAIN * pay


# Investing and selling


def _investment_worth(state: State, seat: int, step: Step) -> tuple[bool, float]:
    """Value an investment: prestige whenever it can be had, and nothing else in the last round."""
    first = step == BuyCard("prestige") or (state.last_round and step == Pass())
    return first, _worth_after(state, step, seat)


def _worth_after(state: State, step: Step, seat: int) -> float:
    """Value the player's standing after a step, without chance, which cannot be foreseen."""
    trial = Trial(state.copy(), RecordedChance([]))
    take(trial, step)
    owed = trial.state.debt.amount if trial.state.debt else 0
    return standing(trial.state, seat, _turns_left(state)) - owed


def standing(state: State, seat: int, turns: float) -> float:
    """Value money, the price of cards, and what shops earn in the given number of turns."""
    cards = sum(PRICES[card] for card in state.cards[seat]) / 4
    income = MY_TURN * expected(state, seat) + USE * _far_income(state, seat)
    return state.money[seat] + PRESTIGE_PRICE * 1.2 * state.prestige[seat] + cards + turns * income


def _turns_left(state: State) -> float:
    return 1 if state.last_round else TURNS_A_PRESTIGE * (prestige_goal(state) - max(state.prestige))


def _far_income(state: State, seat: int) -> float:
    """Value the shops wherever the figures stand; grey ones sell in every turn of their owner."""
    return sum(
        AVERAGE_VALUE * houses * (1.5 if site in state.board.grey else 1)
        for site, houses in state.houses.items()
        if state.owners[site] == seat
    ) + 2 * sum(holder == seat for holder in state.supremacy.values())


# Setting the table


def _customer_worth(state: State, seat: int, step: Step) -> bool:
    """Value a place for a customer: counts are placed first, because the duke shows the others where to build."""
    return isinstance(step, PlaceCustomer) and step.customer == "count"


def _site_worth(state: State, seat: int, step: Step) -> float:
    """Value a site by the customers that pass and by the shops already owned in its group."""
    after = state.copy()
    site = step.site if isinstance(step, PlaceShop) else ""
    after.owners[site], after.houses[site] = seat, 1
    group = state.board.group_of[site]
    friends = sum(state.owners.get(other) == seat for other in state.board.groups[group])
    rivals = sum(state.owners.get(other, seat) != seat for other in state.board.groups[group])
    return expected(after, seat) + 0.8 * friends - 0.4 * rivals + (1.0 if site in state.board.grey else 0.0)


def _safety(state: State, seat: int, step: Step) -> float:
    """Count the houses of others, less one's own, that the thief can reach."""
    facing = step.facing if isinstance(step, FaceThief) else None
    ends = {end for length in range(1, state.board.reach) for end, _ in state.board.ends(state.board.middle, facing or "", length)}
    seen = [(state.owners[end], state.houses[end]) for end in ends if end in state.owners]
    return sum(-houses if owner == seat else houses / len(state.colours) for owner, houses in seen)


_WORTH: dict[str, Callable[[State, int, Step], Any]] = {
    Phase.CUSTOMERS: _customer_worth,
    Phase.SHOPS: _site_worth,
    Phase.INVEST: _investment_worth,
    Phase.FACE: _safety,
}
