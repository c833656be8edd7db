"""Prices of houses and cards, and what may be sold."""

from marketpost.rules.alturien.orders import Buy, BuyCard, Develop, MoveHouse, Sale, SellCard, SellHouse, Step
from marketpost.rules.alturien.state import FIRST_SHOPS, PRESTIGE_PRICE, PRICES, State

HOUSE_MOVE = 2
FIRST_HOUSE = {False: 3, True: 5}
"""The price of the first house on a site, which may be grey."""
FURTHER_HOUSE = {False: 2, True: 3}


def house_price(state: State, site: str, number: int) -> int:
    """Compute the price of a first or a further house on a site."""
    return (FIRST_HOUSE if number == 1 else FURTHER_HOUSE)[site in state.board.grey]


def sale_brings(state: State, seat: int, sale: Sale) -> int:
    """Compute what a sale brings now; for a site without a shop of the player, what one house there would bring."""
    if isinstance(sale, SellCard):
        return PRICES.get(sale.card, PRESTIGE_PRICE) - 1
    houses = state.houses[sale.site] if state.owners.get(sale.site) == seat else 1
    return house_price(state, sale.site, houses) - 1


def cost(state: State, step: Step) -> int:
    """Compute what a step costs the player who decides, in coins; below 0 what it brings."""
    match step:
        case Buy(site):
            return house_price(state, site, 1)
        case Develop(site):
            return house_price(state, site, 2)
        case MoveHouse():
            return HOUSE_MOVE
        case BuyCard(card):
            return PRICES.get(card, PRESTIGE_PRICE)
        case SellCard() | SellHouse():
            return -sale_brings(state, state.decider, step)
        case _:
            return 0


def sellable(state: State, seat: int) -> list[Sale]:
    """List every distinct sale that this player may make."""
    cards = [*(["prestige"] if state.prestige[seat] else []), *state.cards[seat]]
    return [*map(SellCard, cards), *(SellHouse(site) for site in sorted(state.shops(seat)) if may_give_up_house(state, site))]


def may_give_up_house(state: State, site: str) -> bool:
    """Whether a house may be sold: the last one of a shop only while the player has more than four shops."""
    return state.houses[site] > 1 or [*state.owners.values()].count(state.owners[site]) > FIRST_SHOPS


def for_sale(state: State, seat: int) -> dict[str, list[str]]:
    """List the possible sales as a refusal names them."""
    sales = sellable(state, seat)
    return {
        "cards": [sale.card for sale in sales if isinstance(sale, SellCard)],
        "sites": [sale.site for sale in sales if isinstance(sale, SellHouse)],
    }
