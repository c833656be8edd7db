"""Standing orders: a robbed player's sales, the entering thief, the set-up."""

from itertools import combinations

from marketpost.rules.alturien.judge import FITTING
from marketpost.rules.alturien.movement import find_space
from marketpost.rules.alturien.orders import FaceThief, PlaceCustomer, PlaceShop, Sale, SellHouse, Step, notate_step
from marketpost.rules.alturien.prices import sale_brings
from marketpost.rules.alturien.standing_language import StandingOrder, StandingOrders, WhenRobbed, parse_standing
from marketpost.rules.alturien.state import NOBODY, Phase, State
from marketpost.rules.refusal import Caution, Illegal, Refused
from marketpost.rules.words import Words


def concerns(state: State, seat: int) -> bool:
    """Whether a standing order may decide now: outside the player's own turn, or in the set-up."""
    is_own_turn = seat == state.active and state.phase not in (Phase.CUSTOMERS, Phase.SHOPS)
    return not state.over and seat == state.decider and not is_own_turn


def turn_of(state: State) -> int:
    """Say whose turn it is; nobody's in the set-up and when the thief enters."""
    return state.active if state.phase in (Phase.ROLL, Phase.MOVE, Phase.INVEST) else NOBODY


def read(state: State, text: str) -> StandingOrders:
    """Parse standing orders; refused if they could never be carried out on this board."""
    orders = parse_standing(text)
    for number, order in enumerate(orders, 1):
        try:
            _check(state, order)
        except Illegal as illegal:
            raise Refused(illegal.code, number, **illegal.refusal.values) from illegal
    return orders


def _check(state: State, order: StandingOrder) -> None:
    for step in _steps(order):
        for name in _spaces(step):
            find_space(state.board, name)
    middle = state.board.middle
    if isinstance(order, FaceThief) and find_space(state.board, str(order.facing)) not in state.board.neighbours[middle]:
        raise Illegal("route-broken", why="facing", space=middle, facings=state.board.neighbours[middle])


def _spaces(step: Step) -> list[str]:
    match step:
        case SellHouse(site) | PlaceShop(site):
            return [site]
        case PlaceCustomer(_, space, facing):
            return [space, *([facing] if facing else [])]
        case FaceThief(str(facing)):
            return [facing]
        case _:
            return []


def candidates(state: State, orders: StandingOrders) -> list[str]:
    """List the standing orders that fit this moment, as they were written; the judge decides which are legal."""
    kinds = Sale if state.debt else FITTING.get(state.phase, ())
    return [notate_step(step) for order in orders for step in _steps(order) if isinstance(step, kinds)]


def cautions(state: State, seat: int, orders: StandingOrders, words: Words) -> list[Caution]:
    """Warn of a sale in vain: one that comes before another which alone would pay the debt."""
    sales = [step for order in orders for step in _steps(order) if isinstance(step, Sale)]
    brought = [sale_brings(state, seat, _as_board_writes(state, sale)) for sale in sales]
    pairs = ((first, second) for first, second in combinations(range(len(sales)), 2) if brought[first] < brought[second])
    found = next(pairs, None)
    if found is None:
        return []
    order, better = (notate_step(sales[number], words) for number in found)
    return [Caution("sells-in-vain", {"order": order, "better": better})]


def _as_board_writes(state: State, sale: Sale) -> Sale:
    return SellHouse(find_space(state.board, sale.site)) if isinstance(sale, SellHouse) else sale


def _steps(order: StandingOrder) -> tuple[Step, ...]:
    return order.sales if isinstance(order, WhenRobbed) else (order,)
