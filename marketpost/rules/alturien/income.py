"""Pays what customers spend, once a turn."""

from marketpost.rules.alturien.events import CustomerBought
from marketpost.rules.alturien.state import ALL_CUSTOMERS, THIEF, VALUES, State
from marketpost.rules.alturien.trial import Trial

SUPREMACY = 2


def sale(state: State, kind: str, site: str) -> int:
    """Compute what this customer pays at this shop."""
    owner = state.owners[site]
    value = VALUES[kind] + ("ship" in state.cards[owner])
    houses = state.houses[site] + ("post" in state.cards[owner])
    return value * houses + SUPREMACY * (state.supremacy.get(state.board.group_of[site]) == owner)


def take_income(trial: Trial) -> None:
    """Pay for the customer just moved, whoever owns the shop, then for those at grey shops of the active player."""
    state = trial.state
    if state.moved >= 0 and state.kinds[state.moved] != THIEF and state.spaces[state.moved] in state.owners:
        _buy(trial, state.moved)
    for figure in range(ALL_CUSTOMERS):
        if figure != state.moved and _at_own_grey_shop(state, figure):
            _buy(trial, figure)


def _at_own_grey_shop(state: State, figure: int) -> bool:
    space = state.spaces[figure]
    return state.owners.get(space) == state.active and space in state.board.grey


def _buy(trial: Trial, figure: int) -> None:
    state = trial.state
    site = state.spaces[figure]
    trial.happen(CustomerBought(figure, site, state.owners[site], sale(state, state.kinds[figure], site)))
