"""The thief: how it comes, whom it robs, how a debt is paid and who gets the city guard."""

from marketpost.rules.alturien.events import CardSold, DebtArose, DebtPaid, GuardGiven, HouseSold, ThiefEntered
from marketpost.rules.alturien.movement import find_space
from marketpost.rules.alturien.orders import Sale, SellCard, SellHouse
from marketpost.rules.alturien.prices import for_sale, house_price, sellable
from marketpost.rules.alturien.state import NOBODY, PRESTIGE_PRICE, PRICES, State
from marketpost.rules.alturien.supremacy import look_again
from marketpost.rules.alturien.table import Table
from marketpost.rules.refusal import Illegal

BOOTY = 2
ALARM = 10
"""The wealth of one player that brings the thief."""


def rob(table: Table) -> None:
    """The thief has been moved: the owner of the shop there pays, unless the city guard protects them."""
    state = table.state
    site = state.spaces[state.moved]
    owner = state.owners.get(site, NOBODY)
    if owner in (NOBODY, state.guard):
        return
    to = NOBODY if owner == state.active else state.active
    table.happen(DebtArose(owner, to, BOOTY * state.houses[site]))
    settle(table)


def settle(table: Table) -> None:
    """Pays the debt, after sales where nothing else can be chosen; waits where the robbed player has a choice."""
    debt = table.state.debt
    while debt and table.state.money[debt.seat] < debt.amount:
        sales = sellable(table.state, debt.seat)
        if len(sales) > 1:
            return
        if not sales:
            break
        sell(table, sales[0], by_itself=True)
    _pay(table)


def _pay(table: Table) -> None:
    debt = table.state.debt
    if debt is None:
        return
    table.happen(DebtPaid(debt.seat, debt.to, min(debt.amount, table.state.money[debt.seat])))
    _give_guard(table, debt.seat)


def sell(table: Table, thing: Sale, *, by_itself: bool = False) -> None:
    state = table.state
    debt = state.debt
    if debt is None:
        raise Illegal("nothing-owed")
    if isinstance(thing, SellCard):
        _sell_card(table, debt.seat, thing.card, by_itself)
    else:
        _sell_house(table, debt.seat, find_space(state.board, thing.site), by_itself)


def _sell_card(table: Table, seat: int, card: str, by_itself: bool) -> None:
    state = table.state
    held = state.prestige[seat] > 0 if card == "prestige" else card in state.cards[seat]
    if not held:
        raise Illegal("not-for-sale", card=card, **for_sale(state, seat))
    price = PRESTIGE_PRICE if card == "prestige" else PRICES[card]
    table.happen(CardSold(seat, card, price - 1, by_itself))


def _sell_house(table: Table, seat: int, site: str, by_itself: bool) -> None:
    state = table.state
    if state.owners.get(site) != seat:
        raise Illegal("not-your-shop", site=site, sites=state.shops(seat))
    if SellHouse(site) not in sellable(state, seat):
        raise Illegal("four-shops-at-least", site=site)
    table.happen(HouseSold(seat, site, house_price(state, site, state.houses[site]) - 1, by_itself))
    look_again(table, [state.board.group_of[site]])


def _give_guard(table: Table, robbed: int) -> None:
    """To the robbed player, unless nobody is richer: then to the poorest."""
    state = table.state
    richest = max(map(state.wealth, range(len(state.colours))))
    seat = robbed if state.wealth(robbed) < richest else poorest(state)
    if seat != state.guard:
        table.happen(GuardGiven(seat))


def poorest(state: State) -> int:
    """Of those tied, the one whose next turn comes first; the active player's comes last."""
    players = len(state.colours)
    return min(((state.active + ahead) % players for ahead in range(1, players + 1)), key=state.wealth)


def thief_comes(state: State) -> bool:
    return not state.thief_is_out and any(state.wealth(seat) >= ALARM for seat in range(len(state.colours)))


def enter(table: Table) -> None:
    seat = poorest(table.state)
    table.happen(ThiefEntered(seat, table.state.board.middle))
    table.happen(GuardGiven(seat))
