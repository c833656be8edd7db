"""Judges orders: from a position and a text to what happens, or why not."""

from itertools import islice, takewhile

from rules.alturien.events import (
    CardBought,
    CustomerPlaced,
    HouseMoved,
    Passed,
    ShopBought,
    ShopDeveloped,
    ShopPlaced,
    ThiefFaced,
)
from rules.alturien.movement import find_landing, find_space, moves
from rules.alturien.orders import (
    Buy,
    BuyCard,
    Develop,
    FaceThief,
    If,
    Investment,
    Move,
    MoveHouse,
    Orders,
    Pass,
    PlaceCustomer,
    PlaceShop,
    Sale,
    SellCard,
    SellHouse,
    Step,
    Stuck,
    notate_step,
    parse,
)
from rules.alturien.prices import HOUSE_MOVE, house_price, may_give_up_house
from rules.alturien.state import (
    CUSTOMERS,
    CUSTOMERS_COME,
    FACE,
    FIRST_SHOPS,
    INVEST,
    MOVE,
    PRESTIGE_PRICE,
    PRICES,
    SHOPS_COME,
    State,
)
from rules.alturien.supremacy import look_again
from rules.alturien.table import Table
from rules.alturien.thief import sell, settle
from rules.alturien.turn import begin_next_turn, begin_play, end_turn, go_on, move, roll
from rules.chance import Chance
from rules.refusal import Illegal, Refusal, Refused, Unreadable
from rules.ruleset import Verdict

MOST_CARDS = 2
FITTING: dict[str, type | tuple[type, ...]] = {
    CUSTOMERS_COME: PlaceCustomer,
    SHOPS_COME: PlaceShop,
    MOVE: (Move, If),
    INVEST: (Buy, Develop, MoveHouse, BuyCard, Pass, Stuck),
    FACE: FaceThief,
}
"""What each moment asks for, unless a debt has to be paid first."""


def judge(state: State, seat: int, text: str, chance: Chance) -> Verdict:
    """What these orders do. A refused submission changes nothing, but what chance has shown stays."""
    if state.over:
        return Verdict([], Refusal("game-over", 1))
    if seat != state.decider:
        return Verdict([], Refusal("not-your-turn", 1, {"colour": state.colours[state.decider]}))
    try:
        orders = _read(state, text)
    except Refused as refused:
        return Verdict([], refused.refusal)
    return Submission(state, seat, orders, chance).verdict()


def _read(state: State, text: str) -> Orders:
    """The whole submission. An `if` must name a face of this board's die."""
    orders = parse(text)
    for number, step in enumerate(orders, 1):
        if isinstance(step, If) and step.face not in state.board.faces:
            raise Unreadable(number, notate_step(step))
    return orders


class Submission:
    """The steps of one player, one after the other."""

    def __init__(self, state: State, seat: int, orders: Orders, chance: Chance) -> None:
        self.table = Table(state, chance)
        self.seat = seat
        self.orders = orders
        self.number = 0
        """Which step is being played, counted from 1."""
        self.ended = False
        """Whether it has ended the player's turn."""
        self.standing = 0
        """How many events stay if a later step is refused."""
        self.standing_steps = 0

    def verdict(self) -> Verdict:
        try:
            played = self._play()
        except Illegal as refused:
            refusal = Refusal(refused.code, self.number, refused.refusal.values)
            return Verdict(self.table.events[: self.standing], refusal, self._notated(self.standing_steps) if self.standing else ())
        return Verdict(self.table.events, None, self._notated(played))

    def _notated(self, first: int) -> tuple[str, ...]:
        return tuple(map(notate_step, self.orders[first:]))

    def _play(self) -> int:
        """How many steps were played; the rest waits for a roll that none of its `if` foresaw."""
        played = 0
        while played < len(self.orders):
            self.number = played + 1
            self._roll_if_due(played)
            step = self.orders[played]
            if not isinstance(step, If):
                self._take(step)
                played += 1
                continue
            if not self._take_fitting(played):
                return played
            played += len(self._branches(played))
        return played

    def _roll_if_due(self, played: int) -> None:
        state = self.table.state
        if state.roll_due and state.decider == self.seat:
            roll(self.table)
            self.standing, self.standing_steps = len(self.table.events), played

    def _take_fitting(self, first: int) -> bool:
        """Plays the first `if` that fits the roll. Where none does, the turn waits after what has been played before."""
        state = self.table.state
        if self.table.events and not self.ended and self.seat == state.active and (state.debt or state.stuck):
            return False
        _check_moment(self, self.orders[first])
        for number, step in enumerate(self._branches(first), first + 1):
            if step.face in state.dice:
                self.number = number
                self._take(step.move)
                return True
        if not self.table.events:
            raise Illegal("must-move-first", moves=_some_moves(state))
        return False

    def _branches(self, first: int) -> list[If]:
        """The `if` orders that stand together."""
        together = takewhile(lambda step: isinstance(step, If), self.orders[first:])
        return [step for step in together if isinstance(step, If)]

    def _take(self, step: Step) -> None:
        _check_moment(self, step)
        take(self.table, step)
        if isinstance(step, Investment):
            self.ended = True


def _check_moment(submission: Submission, step: Step) -> None:
    """What the moment asks, before the order itself is looked at."""
    state = submission.table.state
    if submission.ended and isinstance(step, Investment):
        raise Illegal("already-invested")
    if state.over:
        raise Illegal("game-over")
    if state.decider != submission.seat:
        raise Illegal("not-your-turn", colour=state.colours[state.decider])
    if isinstance(step, (Move, If, Stuck)) and _has_moved(submission) and not (isinstance(step, Stuck) and state.stuck):
        raise Illegal("already-moved")
    if isinstance(step, Sale) and not state.debt:
        raise Illegal("nothing-owed")
    if isinstance(step, PlaceCustomer) and state.phase != CUSTOMERS_COME:
        raise Illegal("customer-already-placed", why="all")
    if isinstance(step, (Investment, Stuck)) and state.phase == MOVE and not state.debt:
        raise Illegal("must-move-first", moves=_some_moves(state))
    if not isinstance(step, Sale if state.debt else FITTING[state.phase]):
        raise Illegal("not-now", why="debt" if state.debt else state.phase, moves=_some_moves(state))


def _some_moves(state: State) -> list[str]:
    """A few examples for a refusal, where a move is asked for."""
    return [notate_step(step) for step in islice(moves(state), 3)] if state.phase == MOVE else []


def _has_moved(submission: Submission) -> bool:
    state = submission.table.state
    return submission.seat == state.active and state.phase in (INVEST, FACE)


def take(table: Table, step: Step) -> None:
    """One step that fits the moment."""
    match step:
        case PlaceCustomer():
            _place_customer(table, step)
        case PlaceShop(site):
            _place_shop(table, site)
        case Move():
            move(table, find_landing(table.state, step))
        case FaceThief(facing):
            _face_thief(table, facing)
        case SellCard() | SellHouse():
            sell(table, step)
            settle(table)
            go_on(table)
        case Buy() | Develop() | MoveHouse() | BuyCard() | Pass():
            _invest(table, step)
            end_turn(table)
        case If() | Stuck():
            pass


def _place_customer(table: Table, step: PlaceCustomer, *, dealt: bool = False) -> None:
    state = table.state
    space = find_space(state.board, step.space)
    facing = find_space(state.board, step.facing) if step.facing else None
    if not state.customers_left(step.kind):
        raise Illegal("customer-already-placed", kinds=[kind for kind in CUSTOMERS if state.customers_left(kind)])
    if not is_start_space(state, space):
        raise Illegal("not-a-start-space", space=space, spaces=start_spaces(state))
    if space in state.spaces:
        raise Illegal("space-taken", space=space)
    if facing is None:
        raise Illegal("needs-facing", space=space, facings=state.board.neighbours[space])
    _check_next_to(state, space, facing)
    table.happen(CustomerPlaced(state.decider, step.kind, space, facing, dealt))


def is_start_space(state: State, space: str) -> bool:
    if state.options.customer_start == "grey":
        return space in state.board.grey
    return space not in state.board.grey and space != state.board.middle


def start_spaces(state: State) -> list[str]:
    """The free ones."""
    return [space for space in state.board.neighbours if is_start_space(state, space) and space not in state.spaces]


def _check_next_to(state: State, space: str, facing: str) -> None:
    if facing not in state.board.neighbours[space]:
        raise Illegal("route-broken", why="facing", space=space, facings=state.board.neighbours[space])


def _place_shop(table: Table, name: str, *, dealt: bool = False) -> None:
    state = table.state
    site = _find_site(state, name)
    if site not in first_sites(state):
        raise Illegal("one-grey-at-start", site=site)
    table.happen(ShopPlaced(state.decider, site, dealt))
    if len(state.owners) == FIRST_SHOPS * len(state.colours):
        begin_play(table)


def _find_site(state: State, name: str) -> str:
    """A site that is still free."""
    site = find_space(state.board, name)
    if site not in state.board.group_of:
        raise Illegal("no-site-there", space=site)
    if site in state.owners:
        raise Illegal("site-taken", site=site, colour=state.colours[state.owners[site]])
    return site


def first_sites(state: State) -> list[str]:
    """Where the next of the first shops may stand. Nobody is kept from a second grey one where nothing else is free."""
    free = free_sites(state)
    plain = [site for site in free if site not in state.board.grey]
    has_grey = any(site in state.board.grey for site in state.shops(state.decider))
    return plain if has_grey and plain else free


def free_sites(state: State) -> list[str]:
    return [site for site in state.board.group_of if site not in state.owners]


def _face_thief(table: Table, name: str | None) -> None:
    state = table.state
    middle = state.board.middle
    if name is None:
        raise Illegal("needs-facing", space=middle, facings=state.board.neighbours[middle])
    facing = find_space(state.board, name)
    _check_next_to(state, middle, facing)
    table.happen(ThiefFaced(state.facer, facing))
    begin_next_turn(table)


def _invest(table: Table, step: Investment) -> None:
    match step:
        case Buy(site):
            _buy(table, site)
        case Develop(site):
            _develop(table, site)
        case MoveHouse(site, to):
            _move_house(table, site, to)
        case BuyCard("prestige"):
            _buy_prestige(table)
        case BuyCard(card):
            _buy_card(table, card)
        case Pass():
            table.happen(Passed(table.state.active))


def _check_house(state: State) -> None:
    if not state.stock[state.active]:
        raise Illegal("no-houses-left")


def _check_money(state: State, cost: int) -> None:
    if state.money[state.active] < cost:
        raise Illegal("cannot-pay", cost=cost, money=state.money[state.active])


def _buy(table: Table, name: str) -> None:
    state = table.state
    site = _find_site(state, name)
    cost = house_price(state, site, 1)
    _check_house(state)
    _check_money(state, cost)
    table.happen(ShopBought(state.active, site, cost))
    look_again(table, [state.board.group_of[site]])


def _check_own_shop(state: State, site: str) -> None:
    if state.owners.get(site) != state.active:
        raise Illegal("not-your-shop", site=site, sites=state.shops(state.active))


def _develop(table: Table, name: str) -> None:
    state = table.state
    site = find_space(state.board, name)
    _check_own_shop(state, site)
    cost = house_price(state, site, state.houses[site] + 1)
    _check_house(state)
    _check_money(state, cost)
    table.happen(ShopDeveloped(state.active, site, cost))
    look_again(table, [state.board.group_of[site]])


def _move_house(table: Table, start: str, end: str) -> None:
    state = table.state
    site, to = find_space(state.board, start), find_space(state.board, end)
    _check_own_shop(state, site)
    _check_own_shop(state, to)
    if site == to:
        raise Illegal("not-your-shop", why="itself", site=site, sites=[shop for shop in state.shops(state.active) if shop != site])
    if not may_give_up_house(state, site):
        raise Illegal("four-shops-at-least", site=site)
    _check_money(state, HOUSE_MOVE)
    table.happen(HouseMoved(state.active, site, to, HOUSE_MOVE))
    look_again(table, dict.fromkeys((state.board.group_of[site], state.board.group_of[to])))


def _buy_prestige(table: Table) -> None:
    state = table.state
    if not state.prestige_left:
        raise Illegal("no-cards-left", card="prestige")
    _check_money(state, PRESTIGE_PRICE)
    table.happen(CardBought(state.active, "prestige", PRESTIGE_PRICE))


def _buy_card(table: Table, card: str) -> None:
    state = table.state
    held = state.cards[state.active]
    if state.options.expansion == "off":
        raise Illegal("expansion-off", card=card)
    if card in held:
        raise Illegal("card-already-owned", card=card)
    if len(held) >= MOST_CARDS:
        raise Illegal("two-cards-at-most", cards=held)
    if not state.cards_left(card):
        raise Illegal("no-cards-left", card=card)
    _check_money(state, PRICES[card])
    table.happen(CardBought(state.active, card, PRICES[card]))


def deal(table: Table, step: Step) -> None:
    """A step of the set-up that chance takes in a player's place."""
    if isinstance(step, PlaceCustomer):
        _place_customer(table, step, dealt=True)
    elif isinstance(step, PlaceShop):
        _place_shop(table, step.site, dealt=True)
