"""Lists every next step that would be accepted now."""

from collections.abc import Callable, Iterator

from marketpost.rules.alturien.allowed import first_sites, free_sites, start_spaces
from marketpost.rules.alturien.invest import MOST_CARDS
from marketpost.rules.alturien.movement import moves
from marketpost.rules.alturien.options import Expansion
from marketpost.rules.alturien.orders import Buy, BuyCard, Develop, FaceThief, MoveHouse, Pass, PlaceCustomer, PlaceShop, Step, notate_step
from marketpost.rules.alturien.prices import HOUSE_MOVE, house_price, may_give_up_house, sellable
from marketpost.rules.alturien.state import CUSTOMERS, PRESTIGE_PRICE, PRICES, Phase, State


def legal(state: State, seat: int) -> list[str]:
    """List the legal steps of this seat as orders."""
    if state.over or seat != state.decider:
        return []
    return [*map(notate_step, legal_steps(state))]


def legal_steps(state: State) -> Iterator[Step]:
    """List the legal steps as objects."""
    if state.debt:
        return iter(sellable(state, state.debt.seat))
    return _STEPS[state.phase](state) if state.phase in _STEPS else iter(())


def _customers(state: State) -> Iterator[Step]:
    for kind in CUSTOMERS:
        if state.customers_left(kind):
            yield from (PlaceCustomer(kind, space, facing) for space in start_spaces(state) for facing in state.board.neighbours[space])


def _shops(state: State) -> Iterator[Step]:
    yield from map(PlaceShop, first_sites(state))


def _facings(state: State) -> Iterator[Step]:
    yield from map(FaceThief, state.board.neighbours[state.board.middle])


def _investments(state: State) -> Iterator[Step]:
    money, shops = state.money[state.active], sorted(state.shops(state.active))
    if state.stock[state.active]:
        yield from (Buy(site) for site in free_sites(state) if house_price(state, site, 1) <= money)
        yield from (Develop(site) for site in shops if house_price(state, site, 2) <= money)
    if money >= HOUSE_MOVE:
        yield from (MoveHouse(site, to) for site in shops if may_give_up_house(state, site) for to in shops if to != site)
    if money >= PRESTIGE_PRICE and state.prestige_left:
        yield BuyCard("prestige")
    yield from map(BuyCard, _affordable_cards(state))
    yield Pass()


def _affordable_cards(state: State) -> list[str]:
    held, money = state.cards[state.active], state.money[state.active]
    if state.options.expansion == Expansion.OFF or len(held) >= MOST_CARDS:
        return []
    return [card for card, price in PRICES.items() if card not in held and price <= money and state.cards_left(card)]


_STEPS: dict[str, Callable[[State], Iterator[Step]]] = {
    Phase.CUSTOMERS: _customers,
    Phase.SHOPS: _shops,
    Phase.MOVE: moves,
    Phase.INVEST: _investments,
    Phase.FACE: _facings,
}
