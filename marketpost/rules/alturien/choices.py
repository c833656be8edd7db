"""Describes in sentences what a seat may do now."""

from collections.abc import Iterator, Sequence

from marketpost.rules.alturien.allowed import first_sites, start_spaces
from marketpost.rules.alturien.legal import legal_steps
from marketpost.rules.alturien.movement import figure_landings, lengths, moves
from marketpost.rules.alturien.options import Expansion
from marketpost.rules.alturien.orders import Buy, BuyCard, Develop, MoveHouse, Sale, SellCard, Step, notate_step
from marketpost.rules.alturien.prices import HOUSE_MOVE, house_price, sale_brings, sellable
from marketpost.rules.alturien.state import CUSTOMERS, FIRST_SHOPS, NOBODY, PRESTIGE_PRICE, PRICES, THIEF, Phase, State
from marketpost.rules.alturien.story import house, money, to
from marketpost.rules.words import Words, capital

MOST_LISTED = 12
"""Of more free spaces only the number is told; the board shows which they are."""

Choice = tuple[str, dict[str, object]]


def choices(state: State, seat: int, words: Words) -> list[str]:
    """Describe what this seat may do now; empty if it is not to decide."""
    if state.over or seat != state.decider:
        return []
    return [capital(words.say(f"choices.{key}", **values)) for key, values in _choices(state, words)]


def _choices(state: State, words: Words) -> Iterator[Choice]:
    if state.debt:
        yield from _sales(state, words)
    elif state.phase == Phase.CUSTOMERS:
        yield from _customers(state, words)
    elif state.phase == Phase.SHOPS:
        yield from _first_shops(state, words)
    elif state.phase == Phase.MOVE:
        yield from _moves(state, words)
    elif state.phase == Phase.INVEST:
        yield from _investments(state, words)
    elif state.phase == Phase.FACE:
        middle = state.board.middle
        yield "face", {"space": middle, "facings": words.listed(state.board.neighbours[middle])}
    else:
        yield "roll-due", {}


def _sales(state: State, words: Words) -> Iterator[Choice]:
    debt = state.debt
    if debt:
        things = [_thing_for_sale(state, words, sale) for sale in sellable(state, debt.seat)]
        has = money(words, state.money[debt.seat])
        yield "debt", {"to": to(state, words, debt.to), "money": money(words, debt.amount), "has": has}
        yield "sell", {"things": words.listed(things)}


def _thing_for_sale(state: State, words: Words, sale: Sale) -> str:
    thing = words.say(f"story.card-{sale.card}") if isinstance(sale, SellCard) else house(state, words, sale.site)
    return _priced(words, thing, sale_brings(state, state.decider, sale))


def _priced(words: Words, thing: str, price: int) -> str:
    return words.say("choices.thing", thing=thing, money=money(words, price))


def _customers(state: State, words: Words) -> Iterator[Choice]:
    left = {kind: state.customers_left(kind) for kind in CUSTOMERS}
    kinds = [words.say(f"choices.left-{kind}", count=count) for kind, count in left.items() if count]
    yield "customer", {"spaces": _some(words, start_spaces(state), "spaces"), "customers": words.listed(kinds, "and")}


def _first_shops(state: State, words: Words) -> Iterator[Choice]:
    free, shops = first_sites(state), state.shops(state.decider)
    grey = [site for site in free if site in state.board.grey]
    plain = [site for site in free if site not in state.board.grey]
    yield "first-shop", {"sites": _some(words, plain or grey, "sites"), "number": len(shops) + 1, "all": FIRST_SHOPS}
    if grey and plain:
        yield "first-grey", {"sites": words.listed(sorted(grey)), "all": FIRST_SHOPS}
    elif plain and any(site in state.board.grey for site in shops):
        yield "no-more-grey", {}


def _some(words: Words, names: Sequence[str], key: str) -> str:
    """Name all of them if they are few, else how many there are."""
    return words.listed(sorted(names)) if len(names) <= MOST_LISTED else words.say(f"choices.{key}", count=len(names))


def _moves(state: State, words: Words) -> Iterator[Choice]:
    allowed = lengths(state)
    roll = words.listed(state.dice, "and")
    key = "roll" if state.moved == NOBODY else "roll-again"
    yield key, {"roll": roll, "lengths": words.listed(allowed), "count": max(allowed)}
    yield "figures", {"figures": words.say("story.between").join(_figures(state, words, allowed))}
    if facing := next((step for step in moves(state) if step.facing), None):
        yield "facing", {"example": notate_step(facing, words)}
    if shared := next((space for space in state.spaces if state.spaces.count(space) > 1), None):
        yield "shared", {"space": shared}
    if state.moved == NOBODY and _can_move_thief(state, allowed):
        yield "thief", {"order": f"{words.order('if')} {state.board.faces[-1]}: …"}
    yield "afterwards", {"money": money(words, state.money[state.active]), "prices": _prices(state, words)}


def _figures(state: State, words: Words, allowed: tuple[int, ...]) -> Iterator[str]:
    """Describe every figure that can move, and where to."""
    for figure, kind in enumerate(state.kinds):
        if ends := sorted({end for end, _ in figure_landings(state, figure, allowed)}):
            yield words.say("choices.figure", kind=kind, start=state.spaces[figure], ends=words.listed(ends))


def _can_move_thief(state: State, allowed: tuple[int, ...]) -> bool:
    return state.thief_is_out and bool(figure_landings(state, state.kinds.index(THIEF), allowed))


def _prices(state: State, words: Words) -> str:
    board = state.board
    grey, plain = min(board.grey), min(site for site in board.group_of if site not in board.grey)
    prices = words.say(
        "choices.prices",
        shop=house_price(state, plain, 1),
        grey_shop=house_price(state, grey, 1),
        house=house_price(state, plain, 2),
        grey_house=house_price(state, grey, 2),
        moving=HOUSE_MOVE,
        prestige=PRESTIGE_PRICE,
    )
    if state.options.expansion == Expansion.OFF:
        return prices
    cards = (words.say("choices.price", card=card, price=price) for card, price in PRICES.items())
    return ", ".join([prices, *cards])


def _investments(state: State, words: Words) -> Iterator[Choice]:
    steps = list(legal_steps(state))
    key = "invest" if len(steps) > 1 else "no-investment"
    yield key, {"money": money(words, state.money[state.active]), "order": words.order("pass")}
    yield from _houses(state, words, "buy", [step.site for step in steps if isinstance(step, Buy)], 1)
    yield from _houses(state, words, "develop", [step.site for step in steps if isinstance(step, Develop)], 2)
    if movable := dict.fromkeys(step.site for step in steps if isinstance(step, MoveHouse)):
        yield "move-house", {"sites": words.listed(movable), "money": money(words, HOUSE_MOVE)}
    yield from _cards(state, words, steps)


def _houses(state: State, words: Words, key: str, sites: list[str], number: int) -> Iterator[Choice]:
    """Describe plain and grey sites apart, because their prices differ."""
    for grey in (False, True):
        if some := [site for site in sites if (site in state.board.grey) == grey]:
            cost = money(words, house_price(state, some[0], number))
            yield f"{key}-grey" if grey else key, {"sites": _some(words, some, "sites"), "money": cost}


def _cards(state: State, words: Words, steps: list[Step]) -> Iterator[Choice]:
    cards = [step.card for step in steps if isinstance(step, BuyCard)]
    if "prestige" in cards:
        yield "prestige", {"money": money(words, PRESTIGE_PRICE), "count": state.prestige_left}
    if priced := [_priced(words, words.say(f"story.card-{card}"), PRICES[card]) for card in cards if card in PRICES]:
        yield "cards", {"cards": words.listed(priced)}
