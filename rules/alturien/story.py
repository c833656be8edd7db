"""What happened and what may be done, in sentences. All of it lies open on the table."""

from collections.abc import Iterable, Iterator, Sequence

from rules.alturien.events import (
    CardBought,
    CardSold,
    CustomerBought,
    CustomerPlaced,
    DebtArose,
    DebtPaid,
    Event,
    FigureMoved,
    GameEnded,
    GameStarted,
    GuardGiven,
    HouseMoved,
    HouseSold,
    LastRoundBegan,
    MoveSkipped,
    Passed,
    Rolled,
    ShopBought,
    ShopDeveloped,
    ShopPlaced,
    SupremacyChanged,
    ThiefEntered,
    ThiefFaced,
    TurnBegan,
)
from rules.alturien.judge import first_sites, start_spaces
from rules.alturien.legal import legal_steps
from rules.alturien.movement import figure_landings, lengths, moves
from rules.alturien.orders import Buy, BuyCard, Develop, MoveHouse, Sale, SellCard, Step, notate_step
from rules.alturien.prices import HOUSE_MOVE, house_price, sellable
from rules.alturien.state import (
    CUSTOMERS,
    CUSTOMERS_COME,
    FACE,
    FIRST_SHOPS,
    INVEST,
    MOVE,
    NOBODY,
    PRESTIGE_PRICE,
    PRICES,
    SHOPS_COME,
    THIEF,
    State,
)
from rules.alturien.thief import ALARM
from rules.words import Words

MOST_LISTED = 12
"""Of more free spaces only the number is told; the board shows which they are."""


def story(state: State, events: Sequence[Event], words: Words) -> list[str]:
    """A paragraph a turn, in the order in which things happened. `state` is the position before and is used up."""
    teller = Teller(state, words)
    for event in events:
        teller.hear(event)
        event.apply(state)
    teller.close()
    return teller.told


class Teller:
    """Gathers sentences until the next turn begins. What one player does without a break becomes one sentence."""

    def __init__(self, state: State, words: Words) -> None:
        self.state, self.words = state, words
        self.told: list[str] = []
        self.sentences: list[str] = []
        self.deeds: list[str] = []
        self.seat = NOBODY
        """Who does these deeds."""
        self.spoken_of = NOBODY
        """Who did the deeds told before."""
        self.roll_told = False
        self.payment_told = False
        """With the robbery itself, where the money was there."""
        self.dealt = False

    def hear(self, event: Event) -> None:
        if isinstance(event, GameEnded):
            self.close()
        for seat, deed in self._deeds(event):
            self._did(seat, deed)
        for sentence in self._effects(event):
            self._tell(sentence)
        match event:
            case GameStarted():
                self.close()
            case CustomerPlaced(dealt=True):
                self.dealt = True
            case TurnBegan():
                self._set_table()
                self.close()

    def _did(self, seat: int, deed: str) -> None:
        if seat != self.seat:
            self._close_sentence()
        self.seat = seat
        self.deeds.append(deed)

    def _tell(self, sentence: str) -> None:
        self._close_sentence()
        self.sentences.append(sentence)

    def _close_sentence(self) -> None:
        if self.deeds:
            key = "then" if self.seat == self.spoken_of else "sentence"
            self.sentences.append(self._say(key, who=self._who(self.seat), deeds=one_of(self.words, self.deeds, "and")))
            self.spoken_of = self.seat
        self.deeds, self.seat = [], NOBODY

    def close(self) -> None:
        """Whatever was gathered becomes a paragraph."""
        self._close_sentence()
        if self.sentences:
            self.told.append(" ".join(map(_capital, self.sentences)))
        self.sentences, self.spoken_of, self.roll_told = [], NOBODY, False

    # What players do, without saying who

    def _deeds(self, event: Event) -> Iterator[tuple[int, str]]:
        match event:
            case CustomerPlaced(seat, kind, space, facing, False):
                yield seat, self._say("put-customer", figure=self._say(f"new-{kind}"), space=space, facing=facing)
            case ShopPlaced(seat, site, False):
                yield seat, self._say("put-shop", site=site, group=self._group(site))
            case Rolled(seat, dice):
                yield seat, self._roll(dice)
            case FigureMoved():
                yield from self._move(event)
            case HouseSold(seat, site, price, by_itself):
                yield seat, self._house_sale(site, price, by_itself)
            case CardSold(seat, card, price, by_itself):
                yield seat, self._sale(self._say(f"card-{card}"), price, by_itself)
            case DebtPaid(seat, to, amount) if not self.payment_told and amount == self._owed:
                yield seat, self._say("paid", to=self._to(to), money=self._money(amount))
            case ThiefFaced(seat, facing):
                yield seat, self._say("faced", facing=facing)
            case Passed(seat):
                yield seat, self._say("passed")
            case _:
                yield from self._investment(event)

    def _investment(self, event: Event) -> Iterator[tuple[int, str]]:
        match event:
            case ShopBought(seat, site, cost):
                yield seat, self._say("shop-bought", site=site, group=self._group(site), money=self._money(cost))
            case ShopDeveloped(seat, site, cost):
                yield seat, self._say("developed", site=site, group=self._group(site), money=self._money(cost))
            case HouseMoved(seat, site, to, cost):
                yield seat, self._say("house-moved", start=site, site=to, money=self._money(cost))
            case CardBought(seat, card, cost):
                yield seat, self._say("card-bought", card=self._say(f"card-{card}"), money=self._money(cost))

    def _roll(self, dice: tuple[str, ...]) -> str:
        self.roll_told = True
        return self._say("rolled" if self.state.moved == NOBODY else "rolled-again", roll=one_of(self.words, dice, "and"))

    def _move(self, move: FigureMoved) -> Iterator[tuple[int, str]]:
        """With the roll, if that came before the story began."""
        state, space = self.state, move.space
        if not self.roll_told:
            yield move.seat, self._roll(state.dice)
        self.roll_told = False
        key = "moved-facing" if state.board.is_crossing(space) else "moved"
        figure, start = self._say(f"figure-{state.kinds[move.figure]}"), state.spaces[move.figure]
        yield move.seat, self._say(key, figure=figure, start=start, space=space, facing=move.facing)

    def _sale(self, thing: str, price: int, by_itself: bool) -> str:
        return self._say("had-to-sell" if by_itself else "sold", thing=thing, money=self._money(price))

    def _house_sale(self, site: str, price: int, by_itself: bool) -> str:
        first = self._sale(house(self.state, self.words, site), price, by_itself)
        another = self._sale(self._say("another-house", site=site), price, by_itself)
        return another if self.deeds and self.deeds[-1] in (first, another) else first

    @property
    def _owed(self) -> int:
        return self.state.debt.amount if self.state.debt else 0

    # What comes of it

    def _effects(self, event: Event) -> Iterator[str]:
        match event:
            case GameStarted(colours):
                yield self._say("started", who=colours)
            case MoveSkipped():
                yield self._say("stuck")
            case FigureMoved(_, figure, space) if self.state.kinds[figure] == THIEF and self._is_guarded(space):
                yield self._say("guarded", site=space, who=self._who(self.state.guard))
            case DebtArose():
                yield self._robbery(event)
            case DebtPaid(seat, to, amount):
                yield from self._missing(seat, to, amount)
            case GuardGiven(seat):
                yield self._say("guard", who=self._who(seat))
            case CustomerBought(figure, site, seat, amount):
                key = "income" if figure == self.state.moved else "grey-income"
                customer = self._say(f"the-{self.state.kinds[figure]}")
                yield self._say(key, site=site, figure=customer, to=self._to(seat), money=self._money(amount))
            case SupremacyChanged(group, seat) if self.state.turn:
                yield self._supremacy(group, seat)
            case LastRoundBegan(seat) if seat != len(self.state.colours) - 1:
                yield self._say("last-round")
            case ThiefEntered(_, space):
                yield self._say("entered", space=space, money=self._money(ALARM))
            case GameEnded(winners):
                yield from self._end(winners)

    def _is_guarded(self, space: str) -> bool:
        return self.state.owners.get(space) == self.state.guard != NOBODY

    def _robbery(self, debt: DebtArose) -> str:
        has = self.state.money[debt.seat]
        self.payment_told = has >= debt.amount
        key = "robbed" if self.payment_told else "robbed-short" if has else "robbed-broke"
        site = self.state.spaces[self.state.moved]
        return self._say(key, site=site, who=self._who(debt.seat), to=self._to(debt.to), money=self._money(debt.amount), has=has)

    def _missing(self, seat: int, to: int, amount: int) -> Iterator[str]:
        """What could not be paid."""
        if not amount:
            yield self._say("paid-nothing", who=self._who(seat))
        elif amount < self._owed:
            yield self._say("paid-part", who=self._who(seat), to=self._to(to), money=self._money(amount))
        self.payment_told = False

    def _supremacy(self, group: str, seat: int) -> str:
        before = self.state.supremacy.get(group, NOBODY)
        if seat == NOBODY:
            return self._say("supremacy-lost", group=group, before=self._who(before))
        if before == NOBODY:
            return self._say("supremacy", who=self._who(seat), group=group)
        return self._say("supremacy-from", who=self._who(seat), group=group, before=self._who(before))

    def _set_table(self) -> None:
        """Before the first turn: what chance has dealt, and who leads where."""
        state = self.state
        if state.turn:
            return
        if self.dealt:
            figures = zip(state.kinds, state.spaces, state.facings, strict=True)
            customers = [self._say("dealt-customer", kind=kind, space=space, facing=facing) for kind, space, facing in figures]
            shops = [
                self._say("dealt-shops", who=colour, sites=self._all(sorted(state.shops(seat))))
                for seat, colour in enumerate(state.colours)
            ]
            self._tell(self._say("dealt", customers=self._all(customers), shops=self._say("between").join(shops)))
        if cards := [self._say("supremacy-card", who=state.colours[seat], group=group) for group, seat in state.supremacy.items()]:
            self._tell(self._say("supremacies", cards=self._all(cards)))

    def _end(self, winners: tuple[int, ...]) -> Iterator[str]:
        yield self._say("won", count=len(winners), who=self._all(map(self._who, winners)), score=self._score(winners[0]))
        scores = [self._say("has", who=colour, score=self._score(seat)) for seat, colour in enumerate(self.state.colours)]
        yield self._say("final", scores=self._say("between").join(scores))

    def _score(self, seat: int) -> str:
        prestige = self.words.say("linear.prestige", count=self.state.prestige[seat])
        return self._all([prestige, self._money(self.state.money[seat])])

    # Words

    def _who(self, seat: int) -> str:
        return self._say(f"who-{self.state.colours[seat]}")

    def _to(self, seat: int) -> str:
        return to(self.state, self.words, seat)

    def _group(self, site: str) -> str:
        return self.state.board.group_of[site]

    def _money(self, amount: int) -> str:
        return money(self.words, amount)

    def _say(self, key: str, **values: object) -> str:
        return self.words.say(f"story.{key}", **values)

    def _all(self, parts: Iterable[str]) -> str:
        return one_of(self.words, parts, "and")


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def one_of(words: Words, parts: Iterable[object], last: str = "or") -> str:
    """`one, two or three`."""
    *before, final = [str(part) for part in parts] or [""]
    return f"{', '.join(before)} {words.say(f'story.{last}')} {final}" if before else final


def money(words: Words, amount: int) -> str:
    return words.say("linear.money", count=amount)


def to(state: State, words: Words, seat: int) -> str:
    """Whom something is paid to."""
    return words.say("story.to-bank" if seat == NOBODY else f"story.to-{state.colours[seat]}")


def house(state: State, words: Words, site: str) -> str:
    """A house that is sold; with the last one the shop goes."""
    return words.say("story.house" if state.houses[site] > 1 else "story.shop", site=site)


Choice = tuple[str, dict[str, object]]


def choices(state: State, seat: int, words: Words) -> list[str]:
    """What this seat may do now; nothing if it is not to decide."""
    if state.over or seat != state.decider:
        return []
    return [_capital(words.say(f"choices.{key}", **values)) for key, values in _choices(state, words)]


def _choices(state: State, words: Words) -> Iterator[Choice]:
    if state.debt:
        yield from _sales(state, words)
    elif state.phase == CUSTOMERS_COME:
        yield from _customers(state, words)
    elif state.phase == SHOPS_COME:
        yield from _first_shops(state, words)
    elif state.phase == MOVE:
        yield from _moves(state, words)
    elif state.phase == INVEST:
        yield from _investments(state, words)
    elif state.phase == FACE:
        middle = state.board.middle
        yield "face", {"space": middle, "facings": one_of(words, state.board.neighbours[middle])}
    else:
        yield "roll-due", {}


def _sales(state: State, words: Words) -> Iterator[Choice]:
    debt = state.debt
    if debt:
        things = [_thing_for_sale(state, words, sale) for sale in sellable(state, debt.seat)]
        has = money(words, state.money[debt.seat])
        yield "debt", {"to": to(state, words, debt.to), "money": money(words, debt.amount), "has": has}
        yield "sell", {"things": one_of(words, things)}


def _thing_for_sale(state: State, words: Words, sale: Sale) -> str:
    if isinstance(sale, SellCard):
        thing, price = words.say(f"story.card-{sale.card}"), PRICES.get(sale.card, PRESTIGE_PRICE)
    else:
        thing, price = house(state, words, sale.site), house_price(state, sale.site, state.houses[sale.site])
    return _priced(words, thing, price - 1)


def _priced(words: Words, thing: str, price: int) -> str:
    return words.say("choices.thing", thing=thing, money=money(words, price))


def _customers(state: State, words: Words) -> Iterator[Choice]:
    left = {kind: state.customers_left(kind) for kind in CUSTOMERS}
    kinds = [words.say(f"choices.left-{kind}", count=count) for kind, count in left.items() if count]
    yield "customer", {"spaces": _some(words, start_spaces(state), "spaces"), "customers": one_of(words, kinds, "and")}


def _first_shops(state: State, words: Words) -> Iterator[Choice]:
    free, shops = first_sites(state), state.shops(state.decider)
    grey = [site for site in free if site in state.board.grey]
    plain = [site for site in free if site not in state.board.grey]
    yield "first-shop", {"sites": _some(words, plain or grey, "sites"), "number": len(shops) + 1, "all": FIRST_SHOPS}
    if grey and plain:
        yield "first-grey", {"sites": one_of(words, sorted(grey)), "all": FIRST_SHOPS}
    elif plain and any(site in state.board.grey for site in shops):
        yield "no-more-grey", {}


def _some(words: Words, names: Sequence[str], key: str) -> str:
    """All of them, or how many they are."""
    return one_of(words, sorted(names)) if len(names) <= MOST_LISTED else words.say(f"choices.{key}", count=len(names))


def _moves(state: State, words: Words) -> Iterator[Choice]:
    allowed = lengths(state)
    roll = one_of(words, state.dice, "and")
    key = "roll" if state.moved == NOBODY else "roll-again"
    yield key, {"roll": roll, "lengths": one_of(words, allowed), "count": max(allowed)}
    yield "figures", {"figures": words.say("story.between").join(_figures(state, words, allowed))}
    if facing := next((step for step in moves(state) if step.facing), None):
        yield "facing", {"example": notate_step(facing, words)}
    if shared := next((space for space in state.spaces if state.spaces.count(space) > 1), None):
        yield "shared", {"space": shared}
    if state.moved == NOBODY and _can_move_thief(state, allowed):
        yield "thief", {"order": f"{words.order('if')} {state.board.faces[-1]}: …"}
    yield "afterwards", {"money": money(words, state.money[state.active]), "prices": _prices(state, words)}


def _figures(state: State, words: Words, allowed: list[int]) -> Iterator[str]:
    """Every figure that can move, and where to."""
    for figure, kind in enumerate(state.kinds):
        if ends := sorted({end for end, _ in figure_landings(state, figure, allowed)}):
            yield words.say("choices.figure", kind=kind, start=state.spaces[figure], ends=one_of(words, ends))


def _can_move_thief(state: State, allowed: list[int]) -> bool:
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
    if state.options.expansion == "off":
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
        yield "move-house", {"sites": one_of(words, movable), "money": money(words, HOUSE_MOVE)}
    yield from _cards(state, words, steps)


def _houses(state: State, words: Words, key: str, sites: list[str], number: int) -> Iterator[Choice]:
    """Plain sites and grey ones, whose prices differ."""
    for grey in (False, True):
        if some := [site for site in sites if (site in state.board.grey) == grey]:
            cost = money(words, house_price(state, some[0], number))
            yield f"{key}-grey" if grey else key, {"sites": _some(words, some, "sites"), "money": cost}


def _cards(state: State, words: Words, steps: list[Step]) -> Iterator[Choice]:
    cards = [step.card for step in steps if isinstance(step, BuyCard)]
    if "prestige" in cards:
        yield "prestige", {"money": money(words, PRESTIGE_PRICE), "count": state.prestige_left}
    if priced := [_priced(words, words.say(f"story.card-{card}"), PRICES[card]) for card in cards if card in PRICES]:
        yield "cards", {"cards": one_of(words, priced)}
