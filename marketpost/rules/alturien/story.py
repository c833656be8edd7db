"""Tells in sentences what happened. Nothing on the table is hidden."""

from collections.abc import Iterable, Iterator, Sequence

from marketpost.rules.alturien.events import (
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
from marketpost.rules.alturien.state import NOBODY, THIEF, State
from marketpost.rules.alturien.thief import ALARM
from marketpost.rules.words import Words, capital


def story(state: State, events: Sequence[Event], words: Words) -> list[str]:
    """Tell a paragraph a turn, in order. `state` is the position before and is modified."""
    teller = Narrator(state, words)
    for event in events:
        teller.hear(event)
        event.apply(state)
    teller.close()
    return teller.told


class Narrator:
    """Collects sentences until the next turn begins; one player's uninterrupted acts become one sentence."""

    def __init__(self, state: State, words: Words) -> None:
        self.state, self.words = state, words
        self.told: list[str] = []
        self.sentences: list[str] = []
        self.clauses: list[str] = []
        self.seat = NOBODY
        """Who does these clauses."""
        self.spoken_of = NOBODY
        """Who did the clauses told before."""
        self.roll_told = False
        self.payment_told = False
        """With the robbery itself, where the money was there."""
        self.dealt = False

    def hear(self, event: Event) -> None:
        """Take in one event."""
        if isinstance(event, GameEnded):
            self.close()
        for seat, clause in self._clauses(event):
            self._did(seat, clause)
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

    def _did(self, seat: int, clause: str) -> None:
        if seat != self.seat:
            self._close_sentence()
        self.seat = seat
        self.clauses.append(clause)

    def _tell(self, sentence: str) -> None:
        self._close_sentence()
        self.sentences.append(sentence)

    def _close_sentence(self) -> None:
        if self.clauses:
            key = "then" if self.seat == self.spoken_of else "sentence"
            self.sentences.append(self._say(key, who=self._who(self.seat), clauses=self.words.listed(self.clauses, "and")))
            self.spoken_of = self.seat
        self.clauses, self.seat = [], NOBODY

    def close(self) -> None:
        """Turn what was collected into a paragraph."""
        self._close_sentence()
        if self.sentences:
            self.told.append(" ".join(map(capital, self.sentences)))
        self.sentences, self.spoken_of, self.roll_told = [], NOBODY, False

    # What players do, without saying who

    def _clauses(self, event: Event) -> Iterator[tuple[int, str]]:
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
        return self._say("rolled" if self.state.moved == NOBODY else "rolled-again", roll=self.words.listed(dice, "and"))

    def _move(self, move: FigureMoved) -> Iterator[tuple[int, str]]:
        """Tell a move, with its roll if that happened before the story began."""
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
        return another if self.clauses and self.clauses[-1] in (first, another) else first

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
        """Tell what could not be paid."""
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
        """Tell the set-up: what chance dealt, and who leads in which group."""
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
        return self.words.listed(parts, "and")


def money(words: Words, amount: int) -> str:
    """Write an amount of money in this language."""
    return words.say("linear.money", count=amount)


def to(state: State, words: Words, seat: int) -> str:
    """Write who is paid."""
    return words.say("story.to-bank" if seat == NOBODY else f"story.to-{state.colours[seat]}")


def house(state: State, words: Words, site: str) -> str:
    """Name a house that is sold; with the last one the shop goes."""
    return words.say("story.house" if state.houses[site] > 1 else "story.shop", site=site)
