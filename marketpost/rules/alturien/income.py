"""What customers pay, once a turn."""

from marketpost.rules.alturien.events import CustomerBought
from marketpost.rules.alturien.state import ALL_CUSTOMERS, THIEF, VALUES, State
from marketpost.rules.alturien.table import Table

SUPREMACY = 2


def sale(state: State, kind: str, site: str) -> int:
    """What this customer pays at this shop."""
    owner = state.owners[site]
    value = VALUES[kind] + ("ship" in state.cards[owner])
    houses = state.houses[site] + ("post" in state.cards[owner])
    return value * houses + SUPREMACY * (state.supremacy.get(state.board.group_of[site]) == owner)


def take_income(table: Table) -> None:
    """First the customer just moved, whoever owns the shop; then those that stand at grey shops of the active player."""
    state = table.state
    if state.moved >= 0 and state.kinds[state.moved] != THIEF and state.spaces[state.moved] in state.owners:
        _buy(table, state.moved)
    for figure in range(ALL_CUSTOMERS):
        if figure != state.moved and _at_own_grey_shop(state, figure):
            _buy(table, figure)


def _at_own_grey_shop(state: State, figure: int) -> bool:
    space = state.spaces[figure]
    return state.owners.get(space) == state.active and space in state.board.grey


def _buy(table: Table, figure: int) -> None:
    state = table.state
    site = state.spaces[figure]
    table.happen(CustomerBought(figure, site, state.owners[site], sale(state, state.kinds[figure], site)))
