"""Lists every next step that would be accepted now."""

from collections.abc import Callable, Sequence

from marketpost.rules.alturien.allowed import first_sites, free_sites, start_spaces
from marketpost.rules.alturien.invest import MOST_CARDS
from marketpost.rules.alturien.movement import moves
from marketpost.rules.alturien.options import Expansion
from marketpost.rules.alturien.orders import Buy, BuyCard, Develop, FaceThief, MoveHouse, Pass, PlaceCustomer, PlaceShop, Step, notate_step
from marketpost.rules.alturien.prices import FIRST_HOUSE, FURTHER_HOUSE, HOUSE_MOVE, may_give_up_house, sellable
from marketpost.rules.alturien.state import CUSTOMERS, PRESTIGE_PRICE, PRICES, Phase, State


def legal(state: State, seat: int) -> list[str]:
    """List the legal steps of this seat as orders."""
    return [*map(notate_step, legal_steps(state))] if seat == state.decider else []


def legal_steps(state: State) -> Sequence[Step]:
    """List the legal steps of the seat that decides."""
    if state.winners:
        return []
    if state.debt:
        return sellable(state, state.debt.seat)
    return _STEPS[state.phase](state) if state.phase in _STEPS else []


def _customers(state: State) -> Sequence[Step]:
    places = [(space, facing) for space in start_spaces(state) for facing in state.board.neighbours[space]]
    return [PlaceCustomer(kind, *place) for kind in CUSTOMERS if state.customers_left(kind) for place in places]


def _shops(state: State) -> Sequence[Step]:
    return [PlaceShop(site) for site in first_sites(state)]


def _facings(state: State) -> Sequence[Step]:
    return [FaceThief(facing) for facing in state.board.neighbours[state.board.middle]]


def _investments(state: State) -> Sequence[Step]:
    seat, grey = state.active, state.board.grey
    money, shops = state.money[seat], sorted(state.shops(seat))
    steps: list[Step] = []
    if state.stock[seat]:
        steps += [Buy(site) for site in free_sites(state) if FIRST_HOUSE[site in grey] <= money]
        steps += [Develop(site) for site in shops if FURTHER_HOUSE[site in grey] <= money]
    if money >= HOUSE_MOVE:
        steps += [MoveHouse(site, to) for site in shops if may_give_up_house(state, site) for to in shops if to != site]
    if money >= PRESTIGE_PRICE and state.prestige_left:
        steps.append(BuyCard("prestige"))
    return [*steps, *map(BuyCard, _affordable_cards(state)), Pass()]


def _affordable_cards(state: State) -> list[str]:
    held, money = state.cards[state.active], state.money[state.active]
    if state.options.expansion == Expansion.OFF or len(held) >= MOST_CARDS:
        return []
    return [card for card, price in PRICES.items() if card not in held and price <= money and state.cards_left(card)]


_STEPS: dict[str, Callable[[State], Sequence[Step]]] = {
    Phase.CUSTOMERS: _customers,
    Phase.SHOPS: _shops,
    Phase.MOVE: moves,
    Phase.INVEST: _investments,
    Phase.FACE: _facings,
}
