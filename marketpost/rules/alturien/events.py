"""The events of a game, in the past tense. `apply` asks nothing, rolls nothing and never fails, so a log replays for ever."""

from typing import Any

import msgspec

from marketpost.rules.alturien.board import load_board
from marketpost.rules.alturien.options import Options
from marketpost.rules.alturien.state import ALL_CUSTOMERS, HOUSES, MONEY, NOBODY, THIEF, Debt, Phase, State


class BaseEvent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event, written as a short array: its name, then its fields."""


class GameStarted(BaseEvent, tag="started", frozen=True, array_like=True, gc=False):
    """The game was opened with these colours, this board and these options."""

    colours: tuple[str, ...]
    board: str | dict[str, Any]
    """The name of a board of ours, or a whole board typed in by hand."""
    options: Options

    def apply(self, state: State) -> None:
        players = len(self.colours)
        state.colours, state.options = self.colours, self.options
        state.board = load_board(self.board)
        state.phase = Phase.CUSTOMERS
        state.money = [MONEY] * players
        state.prestige = [0] * players
        state.cards = [()] * players
        state.stock = [HOUSES] * players


class CustomerPlaced(BaseEvent, tag="customer", frozen=True, array_like=True, gc=False):
    """A customer was placed in the set-up, by its player or by chance."""

    seat: int
    kind: str
    space: str
    facing: str
    dealt: bool = False
    """By chance, in the player's place."""

    def apply(self, state: State) -> None:
        state.kinds.append(self.kind)
        state.spaces.append(self.space)
        state.facings.append(self.facing)
        state.drawn += self.dealt
        if len(state.kinds) == ALL_CUSTOMERS:
            state.phase = Phase.SHOPS


class ShopPlaced(BaseEvent, tag="shop", frozen=True, array_like=True, gc=False):
    """One of the first shops was placed in the set-up, by its player or by chance."""

    seat: int
    site: str
    dealt: bool = False

    def apply(self, state: State) -> None:
        state.owners[self.site] = self.seat
        state.houses[self.site] = 1
        state.stock[self.seat] -= 1
        state.drawn += self.dealt


class SupremacyChanged(BaseEvent, tag="supremacy", frozen=True, array_like=True, gc=False):
    """The supremacy card of a product group went to a player or back to the table."""

    group: str
    seat: int
    """Who holds the card now; -1 if it lies on the table."""

    def apply(self, state: State) -> None:
        if self.seat == NOBODY:
            state.supremacy.pop(self.group, None)
        else:
            state.supremacy[self.group] = self.seat


class TurnBegan(BaseEvent, tag="turn", frozen=True, array_like=True, gc=False):
    """A player's turn began."""

    seat: int

    def apply(self, state: State) -> None:
        state.turn += 1
        state.active = self.seat
        state.phase = Phase.ROLL
        state.dice = ()
        state.moved = state.facer = NOBODY
        state.stuck = False


class Rolled(BaseEvent, tag="rolled", frozen=True, array_like=True, gc=False):
    """The active player's dice were rolled."""

    seat: int
    dice: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.dice = self.dice
        state.phase = Phase.MOVE
        state.drawn += len(self.dice)


class FigureMoved(BaseEvent, tag="moved", frozen=True, array_like=True, gc=False):
    """A customer or the thief was moved."""

    seat: int
    figure: int
    space: str
    facing: str
    again: bool
    """The thief, moved first in a turn, brings a second roll."""

    def apply(self, state: State) -> None:
        state.spaces[self.figure] = self.space
        state.facings[self.figure] = self.facing
        state.moved = self.figure
        state.dice = ()
        state.phase = Phase.ROLL if self.again else Phase.INVEST


class MoveSkipped(BaseEvent, tag="stuck", frozen=True, array_like=True, gc=False):
    """No figure could move with this roll."""

    seat: int

    def apply(self, state: State) -> None:
        state.phase = Phase.INVEST
        state.stuck = True
        state.moved = NOBODY


class DebtArose(BaseEvent, tag="debt", frozen=True, array_like=True, gc=False):
    """The thief robbed a shop; its owner owes money."""

    seat: int
    to: int
    """The mover, or -1 where the bank is paid."""
    amount: int

    def apply(self, state: State) -> None:
        state.debt = Debt(self.seat, self.to, self.amount)


class HouseSold(BaseEvent, tag="house-sold", frozen=True, array_like=True, gc=False):
    """A robbed player sold a house to pay a debt."""

    seat: int
    site: str
    price: int
    by_itself: bool
    """Nothing else could be sold."""

    def apply(self, state: State) -> None:
        _take_house(state, self.site)
        state.stock[self.seat] += 1
        state.money[self.seat] += self.price


class CardSold(BaseEvent, tag="card-sold", frozen=True, array_like=True, gc=False):
    """A robbed player sold a card to pay a debt."""

    seat: int
    card: str
    price: int
    by_itself: bool

    def apply(self, state: State) -> None:
        if self.card == "prestige":
            state.prestige[self.seat] -= 1
        else:
            state.cards[self.seat] = tuple(card for card in state.cards[self.seat] if card != self.card)
        state.money[self.seat] += self.price


class DebtPaid(BaseEvent, tag="debt-paid", frozen=True, array_like=True, gc=False):
    """A robbed player paid the debt, or as much of it as there was."""

    seat: int
    to: int
    amount: int
    """What was paid; what was missing is cancelled."""

    def apply(self, state: State) -> None:
        state.debt = None
        state.money[self.seat] -= self.amount
        if self.to != NOBODY:
            state.money[self.to] += self.amount


class GuardGiven(BaseEvent, tag="guard", frozen=True, array_like=True, gc=False):
    """The city guard now protects this player."""

    seat: int

    def apply(self, state: State) -> None:
        state.guard = self.seat


class CustomerBought(BaseEvent, tag="bought", frozen=True, array_like=True, gc=False):
    """A customer bought in a shop; its owner was paid."""

    figure: int
    site: str
    seat: int
    """The owner, whom the bank pays."""
    amount: int

    def apply(self, state: State) -> None:
        state.money[self.seat] += self.amount


class ShopBought(BaseEvent, tag="shop-bought", frozen=True, array_like=True, gc=False):
    """A player built the first house on a free site."""

    seat: int
    site: str
    cost: int

    def apply(self, state: State) -> None:
        state.owners[self.site] = self.seat
        state.houses[self.site] = 1
        state.stock[self.seat] -= 1
        state.money[self.seat] -= self.cost


class ShopDeveloped(BaseEvent, tag="developed", frozen=True, array_like=True, gc=False):
    """A player added a house to a shop."""

    seat: int
    site: str
    cost: int

    def apply(self, state: State) -> None:
        state.houses[self.site] += 1
        state.stock[self.seat] -= 1
        state.money[self.seat] -= self.cost


class HouseMoved(BaseEvent, tag="house-moved", frozen=True, array_like=True, gc=False):
    """A player moved a house from one own shop to another."""

    seat: int
    site: str
    to: str
    cost: int

    def apply(self, state: State) -> None:
        _take_house(state, self.site)
        state.houses[self.to] += 1
        state.money[self.seat] -= self.cost


class CardBought(BaseEvent, tag="card", frozen=True, array_like=True, gc=False):
    """A player bought a prestige, ship, post, cart or staff card."""

    seat: int
    card: str
    cost: int

    def apply(self, state: State) -> None:
        if self.card == "prestige":
            state.prestige[self.seat] += 1
        else:
            state.cards[self.seat] = (*state.cards[self.seat], self.card)
        state.money[self.seat] -= self.cost


class Passed(BaseEvent, tag="passed", frozen=True, array_like=True, gc=False):
    """A player ended the turn without an investment."""

    seat: int

    def apply(self, state: State) -> None:
        """Change nothing: a pass leaves everything as it is."""


class LastRoundBegan(BaseEvent, tag="last-round", frozen=True, array_like=True, gc=False):
    """Somebody has the prestige that decides the game, or no prestige is left; the round is played to its end."""

    seat: int

    def apply(self, state: State) -> None:
        state.last_round = True


class ThiefEntered(BaseEvent, tag="thief", frozen=True, array_like=True, gc=False):
    """The thief came out of the harbour; the poorest player decides where it faces."""

    seat: int
    """The poorest, who faces it."""
    space: str

    def apply(self, state: State) -> None:
        state.kinds.append(THIEF)
        state.spaces.append(self.space)
        state.facings.append("")
        state.facer = self.seat
        state.phase = Phase.FACE


class ThiefFaced(BaseEvent, tag="faced", frozen=True, array_like=True, gc=False):
    """The poorest player turned the thief."""

    seat: int
    facing: str

    def apply(self, state: State) -> None:
        state.facings[-1] = self.facing


class GameEnded(BaseEvent, tag="ended", frozen=True, array_like=True, gc=False):
    """The game ended with these winners."""

    winners: tuple[int, ...]

    def apply(self, state: State) -> None:
        state.winners = self.winners


def _take_house(state: State, site: str) -> None:
    if state.houses[site] > 1:
        state.houses[site] -= 1
    else:
        del state.houses[site], state.owners[site]


Event = (
    GameStarted
    | CustomerPlaced
    | ShopPlaced
    | SupremacyChanged
    | TurnBegan
    | Rolled
    | FigureMoved
    | MoveSkipped
    | DebtArose
    | HouseSold
    | CardSold
    | DebtPaid
    | GuardGiven
    | CustomerBought
    | ShopBought
    | ShopDeveloped
    | HouseMoved
    | CardBought
    | Passed
    | LastRoundBegan
    | ThiefEntered
    | ThiefFaced
    | GameEnded
)
