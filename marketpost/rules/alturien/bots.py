"""The bot `greedy`: compares what each step gains now, and what the figures then allow the next player and itself."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from heapq import nlargest
from itertools import product
from typing import Any

from marketpost.rules.alturien.board import Board
from marketpost.rules.alturien.income import sale
from marketpost.rules.alturien.legal import legal_steps
from marketpost.rules.alturien.movement import Landing, landings, notate_landing
from marketpost.rules.alturien.orders import Buy, BuyCard, Develop, FaceThief, MoveHouse, Pass, PlaceCustomer, PlaceShop, Step, notate_step
from marketpost.rules.alturien.state import ALL_CUSTOMERS, NOBODY, PRESTIGE_PRICE, PRICES, THIEF, VALUES, Phase, State
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
MANY, FEW = 60, 6
"""How many moves and new shops are looked at closely, by a player with time and by one in a hurry."""
A_STAY = 3
"""How often a customer buys that stands at a grey shop, against one that may come."""
SHORTLIST, TURNS_AHEAD = 6, 2
"""How many steps `strong` plays on, and how far: to the end of the next player's turn."""
A_COIN, A_LATE_COIN = 0.05, 0.09
"""Weight of a coin of wealth in `prospects`, and how much it grows until the richest player could end the game."""
FAR_INCOME, NEXT_TURN = 0.04, (0.09, 0.18)
"""Weights of a coin that shops may bring later, and of one of a seat's next turn: if another moves first, and if it does."""
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
    return notate_step(_ranked(state, seat, 1, FEW)[0])


def quick_steps(state: State, seat: int, chance: Chance) -> tuple[Step, ...]:
    """Choose as `quick` does; `strong` and the analysis play their trial games with it."""
    return (_ranked(state, seat, 1, FEW)[0],)


def prospects(state: State) -> list[float]:
    """Estimate each seat's standing: wealth, the more the nearer the end is, the next turn and shops. Weights were fitted to `greedy`."""
    wealth = [*map(state.wealth, range(len(state.colours)))]
    a_coin = A_COIN + A_LATE_COIN * max(wealth) / (PRESTIGE_PRICE * prestige_goal(state))
    first = state.active if state.phase in (Phase.ROLL, Phase.MOVE) else (state.active + 1) % len(state.colours)
    return [
        a_coin * owned + FAR_INCOME * _far_income(state, seat) + NEXT_TURN[seat == first] * expected(state, seat)
        for seat, owned in enumerate(wealth)
    ]


def _ranked(state: State, seat: int, most: int, few: int = MANY) -> list[Step]:
    """Sort the steps by worth, best first."""
    if state.debt:
        return nlargest(most, legal_steps(state), key=_worth_after(state, seat))
    if state.phase == Phase.MOVE:
        return _best_moves(state, seat, most, few)
    if state.phase == Phase.INVEST:
        return _best_investments(state, seat, most, few)
    return nlargest(most, legal_steps(state), key=partial(_WORTH[state.phase], state, seat))


# Moving


def _best_moves(state: State, seat: int, most: int, few: int) -> list[Step]:
    """Look closely at the moves that gain most at once."""
    following = (state.active + 1) % len(state.colours)
    mine, theirs = pays(state, seat), pays(state, following)
    brings = {landing: _brings(state, seat, landing) for landing in landings(state)}

    def worth(landing: Landing) -> float:
        """Add what the figures then allow the next player, and this one afterwards; after the thief at once, too."""
        after = _with(state, landing)
        again = state.kinds[landing.figure] == THIEF and state.moved == NOBODY
        own = expected(after, seat, mine)
        return brings[landing] + ((own if again else 0.0) + (MY_TURN * own - THEIR_TURN * expected(after, following, theirs)))

    best = nlargest(most, nlargest(few, brings, key=brings.__getitem__), key=worth)
    return [notate_landing(state, landing) for landing in best]


def _brings(state: State, seat: int, landing: Landing) -> float:
    mine, others = _gain(state, seat, landing.figure, landing.space)
    return mine - OTHERS_GAIN * others


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


Pays = Mapping[str, Mapping[str, float]]
"""Coins that each kind of customer brings a seat at each shop: below 0 at another's, because it pays them."""


def pays(state: State, seat: int) -> Pays:
    """Compute what customers bring a seat at all shops. It does not depend on where they stand."""
    return {kind: {site: _pay(state, seat, kind, site) for site in state.owners} for kind in VALUES}


def pays_after(known: Pays, after: State, seat: int, step: Step) -> Pays:
    """Compute the same after a step; a new house changes one product group."""
    if not isinstance(step, Buy | Develop):
        return known if step in (Pass(), BuyCard("prestige")) else pays(after, seat)
    group = [site for site in after.board.groups[after.board.group_of[step.site]] if site in after.owners]
    return {kind: {**known[kind], **{site: _pay(after, seat, kind, site) for site in group}} for kind in VALUES}


def _pay(state: State, seat: int, kind: str, site: str) -> float:
    pay = sale(state, kind, site)
    return pay if state.owners[site] == seat else -OTHERS_GAIN * pay


def expected(state: State, seat: int, known: Pays | None = None) -> float:
    """Estimate what one roll of the dice brings this seat."""
    by_length = _best_by_length(state, seat, known or pays(state, seat))
    cart = "cart" in state.cards[seat]
    faces = [max([by_length[length] for length in _lengths(state.board, face, cart)]) for face in state.board.faces]
    if "staff" not in state.cards[seat]:
        return sum(faces) / len(faces)
    return sum(max(pair) for pair in product(faces, repeat=2)) / len(faces) ** 2


@lru_cache(maxsize=1 << 10)
def _lengths(board: Board, face: str, cart: bool) -> tuple[int, ...]:
    lengths = board.lengths[face]
    return (*lengths, lengths[-1] + 1) if cart else lengths


def _best_by_length(state: State, seat: int, known: Pays) -> list[float]:
    """For each number of steps the best gain, less what it gives to others. The thief brings a second move, counted as an average one."""
    grey, spaces, reached = dict(_grey_sales(state, seat)), state.spaces, state.board.reached
    standing = sum(grey.values())
    best = [0.0] * (state.board.reach + 1)
    for figure, kind in enumerate(state.kinds[:ALL_CUSTOMERS]):
        left, paid = standing - grey.get(figure, 0), known[kind]
        for length, space in reached(spaces[figure], state.facings[figure]):
            gain = left + paid.get(space, 0.0)
            if gain > best[length] and space not in spaces:
                best[length] = gain
    if not state.thief_is_out or not state.facings[-1]:
        return best
    second = sum(best) / (len(best) - 1)
    for length, space in reached(spaces[-1], state.facings[-1]):
        if space not in spaces:
            mine, others = _booty(state, seat, state.owners[space], space) if space in state.owners else (0.0, 0.0)
            best[length] = max(best[length], mine - OTHERS_GAIN * others + second)
    return best


# Investing and selling


def _best_investments(state: State, seat: int, most: int, few: int) -> list[Step]:
    """Compare investments, of new shops the most visited ones. Prestige whenever it can be had, and nothing else in the last round."""
    first = Pass() if state.last_round else BuyCard("prestige")
    worth = _worth_after(state, seat)
    steps = [step for step in legal_steps(state) if not isinstance(step, MoveHouse)]
    if most == 1 and first in steps:
        return [first]
    new = [step for step in steps if isinstance(step, Buy)]
    if len(new) > few:
        visits = _visits(state)
        steps = [*nlargest(few, new, key=lambda step: visits[step.site]), *(step for step in steps if not isinstance(step, Buy))]
    return nlargest(most, steps, key=lambda step: (step == first, worth(step)))


def _visits(state: State) -> Counter[str]:
    """Count the coins that customers may leave at each space next: as they stand, if it is grey, and wherever they can be moved."""
    found = Counter[str]()
    for kind, space, facing in zip(state.kinds[:ALL_CUSTOMERS], state.spaces, state.facings, strict=False):
        found[space] += A_STAY * VALUES[kind] * (space in state.board.grey)
        for _, end in state.board.reached(space, facing):
            found[end] += VALUES[kind]
    return found


def _worth_after(state: State, seat: int) -> Callable[[Step], float]:
    """Return what values the player's standing after a step, without chance, which cannot be foreseen."""
    known, turns = pays(state, seat), _turns_left(state)

    def worth(step: Step) -> float:
        trial = Trial(state.copy(), RecordedChance([]))
        take(trial, step)
        owed = trial.state.debt.amount if trial.state.debt else 0
        return _standing(trial.state, seat, turns, pays_after(known, trial.state, seat, step)) - owed

    return worth


def _standing(state: State, seat: int, turns: float, known: Pays) -> float:
    """Value money, the price of cards, and what shops earn in the given number of turns."""
    cards = sum(PRICES[card] for card in state.cards[seat]) / 4
    income = MY_TURN * expected(state, seat, known) + USE * _far_income(state, seat)
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
    Phase.FACE: _safety,
}
