"""Investments: shops, houses and cards, and what each of them needs."""

from marketpost.rules.alturien.allowed import find_site
from marketpost.rules.alturien.events import CardBought, HouseMoved, Passed, ShopBought, ShopDeveloped
from marketpost.rules.alturien.movement import find_space
from marketpost.rules.alturien.options import Expansion
from marketpost.rules.alturien.orders import Buy, BuyCard, Develop, Investment, MoveHouse, Pass
from marketpost.rules.alturien.prices import HOUSE_MOVE, house_price, may_give_up_house
from marketpost.rules.alturien.state import PRESTIGE_PRICE, PRICES, State
from marketpost.rules.alturien.supremacy import look_again
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.refusal import Illegal

MOST_CARDS = 2


def invest(trial: Trial, step: Investment) -> None:
    """Carry out one investment, or refuse it."""
    match step:
        case Buy(site):
            _buy(trial, site)
        case Develop(site):
            _develop(trial, site)
        case MoveHouse(site, to):
            _move_house(trial, site, to)
        case BuyCard("prestige"):
            _buy_prestige(trial)
        case BuyCard(card):
            _buy_card(trial, card)
        case Pass():
            trial.happen(Passed(trial.state.active))


def _check_house(state: State) -> None:
    if not state.stock[state.active]:
        raise Illegal("no-houses-left")


def _check_money(state: State, cost: int) -> None:
    if state.money[state.active] < cost:
        raise Illegal("cannot-pay", cost=cost, money=state.money[state.active])


def _buy(trial: Trial, name: str) -> None:
    state = trial.state
    site = find_site(state, name)
    cost = house_price(state, site, 1)
    _check_house(state)
    _check_money(state, cost)
    trial.happen(ShopBought(state.active, site, cost))
    look_again(trial, [state.board.group_of[site]])


def _check_own_shop(state: State, site: str) -> None:
    if state.owners.get(site) != state.active:
        raise Illegal("not-your-shop", site=site, sites=state.shops(state.active))


def _develop(trial: Trial, name: str) -> None:
    state = trial.state
    site = find_space(state.board, name)
    _check_own_shop(state, site)
    cost = house_price(state, site, state.houses[site] + 1)
    _check_house(state)
    _check_money(state, cost)
    trial.happen(ShopDeveloped(state.active, site, cost))
    look_again(trial, [state.board.group_of[site]])


def _move_house(trial: Trial, start: str, end: str) -> None:
    state = trial.state
    site, to = find_space(state.board, start), find_space(state.board, end)
    _check_own_shop(state, site)
    _check_own_shop(state, to)
    if site == to:
        raise Illegal("not-your-shop", why="itself", site=site, sites=[shop for shop in state.shops(state.active) if shop != site])
    if not may_give_up_house(state, site):
        raise Illegal("four-shops-at-least", site=site)
    _check_money(state, HOUSE_MOVE)
    trial.happen(HouseMoved(state.active, site, to, HOUSE_MOVE))
    look_again(trial, dict.fromkeys((state.board.group_of[site], state.board.group_of[to])))


def _buy_prestige(trial: Trial) -> None:
    state = trial.state
    if not state.prestige_left:
        raise Illegal("no-cards-left", card="prestige")
    _check_money(state, PRESTIGE_PRICE)
    trial.happen(CardBought(state.active, "prestige", PRESTIGE_PRICE))


def _buy_card(trial: Trial, card: str) -> None:
    state = trial.state
    held = state.cards[state.active]
    if state.options.expansion == Expansion.OFF:
        raise Illegal("expansion-off", card=card)
    if card in held:
        raise Illegal("card-already-owned", card=card)
    if len(held) >= MOST_CARDS:
        raise Illegal("two-cards-at-most", cards=held)
    if not state.cards_left(card):
        raise Illegal("no-cards-left", card=card)
    _check_money(state, PRICES[card])
    trial.happen(CardBought(state.active, card, PRICES[card]))
