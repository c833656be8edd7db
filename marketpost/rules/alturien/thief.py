"""The thief: how it enters, whom it robs, how a debt is paid and who gets the city guard."""

from marketpost.rules.alturien.events import CardSold, DebtArose, DebtPaid, GuardGiven, HouseSold, ThiefEntered
from marketpost.rules.alturien.movement import find_space
from marketpost.rules.alturien.orders import Sale, SellCard, SellHouse
from marketpost.rules.alturien.prices import for_sale, house_price, sellable
from marketpost.rules.alturien.state import NOBODY, PRESTIGE_PRICE, PRICES, State
from marketpost.rules.alturien.supremacy import look_again
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.refusal import Illegal

BOOTY = 2
ALARM = 10
"""The wealth of one player that brings the thief."""


def rob(trial: Trial) -> None:
    """Let the owner of the shop where the thief ends owe money, unless the city guard protects them."""
    state = trial.state
    site = state.spaces[state.moved]
    owner = state.owners.get(site, NOBODY)
    if owner in (NOBODY, state.guard):
        return
    to = NOBODY if owner == state.active else state.active
    trial.happen(DebtArose(owner, to, BOOTY * state.houses[site]))
    settle(trial)


def settle(trial: Trial) -> None:
    """Pay the debt; sell first where there is no choice, wait where the robbed player has one."""
    debt = trial.state.debt
    while debt and trial.state.money[debt.seat] < debt.amount:
        sales = sellable(trial.state, debt.seat)
        if len(sales) > 1:
            return
        if not sales:
            break
        sell(trial, sales[0], by_itself=True)
    _pay(trial)


def _pay(trial: Trial) -> None:
    debt = trial.state.debt
    if debt is None:
        return
    trial.happen(DebtPaid(debt.seat, debt.to, min(debt.amount, trial.state.money[debt.seat])))
    _give_guard(trial, debt.seat)


def sell(trial: Trial, thing: Sale, *, by_itself: bool = False) -> None:
    """Carry out one sale of the robbed player."""
    state = trial.state
    debt = state.debt
    if debt is None:
        raise Illegal("nothing-owed")
    if isinstance(thing, SellCard):
        _sell_card(trial, debt.seat, thing.card, by_itself)
    else:
        _sell_house(trial, debt.seat, find_space(state.board, thing.site), by_itself)


def _sell_card(trial: Trial, seat: int, card: str, by_itself: bool) -> None:
    state = trial.state
    held = state.prestige[seat] > 0 if card == "prestige" else card in state.cards[seat]
    if not held:
        raise Illegal("not-for-sale", card=card, **for_sale(state, seat))
    price = PRESTIGE_PRICE if card == "prestige" else PRICES[card]
    trial.happen(CardSold(seat, card, price - 1, by_itself))


def _sell_house(trial: Trial, seat: int, site: str, by_itself: bool) -> None:
    state = trial.state
    if state.owners.get(site) != seat:
        raise Illegal("not-your-shop", site=site, sites=state.shops(seat))
    if SellHouse(site) not in sellable(state, seat):
        raise Illegal("four-shops-at-least", site=site)
    trial.happen(HouseSold(seat, site, house_price(state, site, state.houses[site]) - 1, by_itself))
    look_again(trial, [state.board.group_of[site]])


def _give_guard(trial: Trial, robbed: int) -> None:
    """Give the guard to the robbed player, or to the poorest if nobody is richer than the robbed one."""
    state = trial.state
    richest = max(map(state.wealth, range(len(state.colours))))
    seat = robbed if state.wealth(robbed) < richest else poorest(state)
    if seat != state.guard:
        trial.happen(GuardGiven(seat))


def poorest(state: State) -> int:
    """Find the poorest seat; among equals the one whose next turn comes first, the active player last."""
    players = len(state.colours)
    return min(((state.active + ahead) % players for ahead in range(1, players + 1)), key=state.wealth)


def thief_comes(state: State) -> bool:
    """Whether the thief enters now."""
    return not state.thief_is_out and any(state.wealth(seat) >= ALARM for seat in range(len(state.colours)))


def enter(trial: Trial) -> None:
    """Let the thief enter the streets."""
    seat = poorest(trial.state)
    trial.happen(ThiefEntered(seat, trial.state.board.middle))
    trial.happen(GuardGiven(seat))
