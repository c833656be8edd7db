"""A position of The Market of Alturien. The fold that builds it owns it; all others work on a copy."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from marketpost.rules.alturien.board import Board, load_board
from marketpost.rules.alturien.options import Options

COLOURS = ("yellow", "green", "blue", "orange", "fuchsia", "black")
PLAYERS = range(2, 7)
CUSTOMERS = {"duke": 1, "marquis": 2, "count": 3}
VALUES = {"duke": 3, "marquis": 2, "count": 1}
THIEF = "thief"
ALL_CUSTOMERS = sum(CUSTOMERS.values())
MONEY = 6
HOUSES = 12
FIRST_SHOPS = 4
PRESTIGE_CARDS = 14
EACH_CARD = 3
PRICES = {"ship": 7, "post": 7, "cart": 5, "staff": 5}
PRESTIGE_PRICE = 12
NOBODY = -1
USUAL = Options()
CLASSIC = load_board("alturien-classic")


class Phase(StrEnum):
    """What a turn waits for, unless a debt must be paid first."""

    CUSTOMERS = "customers"
    SHOPS = "shops"
    ROLL = "roll"
    MOVE = "move"
    INVEST = "invest"
    FACE = "face"


class Debt(NamedTuple):
    """What a robbed player owes, until it is paid."""

    seat: int
    to: int
    """The mover, or nobody if the bank is paid."""
    amount: int


@dataclass(slots=True)
class State:
    """All that is on the table."""

    colours: tuple[str, ...] = ()
    options: Options = USUAL
    board: Board = CLASSIC
    turn: int = 0
    active: int = 0
    phase: Phase = Phase.CUSTOMERS
    """What the turn waits for, unless a debt has to be paid first."""
    money: list[int] = field(default_factory=list)
    prestige: list[int] = field(default_factory=list)
    cards: list[tuple[str, ...]] = field(default_factory=list)
    """Each seat's investment cards."""
    stock: list[int] = field(default_factory=list)
    """Each seat's houses that stand nowhere yet."""
    owners: dict[str, int] = field(default_factory=dict)
    houses: dict[str, int] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)
    """The figures on the streets, customers in the order they came, then the thief; `spaces` and `facings` go with them."""
    spaces: list[str] = field(default_factory=list)
    facings: list[str] = field(default_factory=list)
    supremacy: dict[str, int] = field(default_factory=dict)
    """Product group to the seat that holds its card."""
    guard: int = NOBODY
    dice: tuple[str, ...] = ()
    moved: int = NOBODY
    """The figure moved last in this turn."""
    stuck: bool = False
    """Whether the last roll let no figure move."""
    debt: Debt | None = None
    facer: int = NOBODY
    last_round: bool = False
    drawn: int = field(default=0, compare=False)
    """How many outcomes of chance this game has seen. A set-up that was dealt counts here; told by a record, the same one does not."""
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    @property
    def decider(self) -> int:
        """The seat that must decide now."""
        if self.debt:
            return self.debt.seat
        if self.phase == Phase.FACE:
            return self.facer
        if self.phase == Phase.CUSTOMERS:
            return (len(self.kinds) - 1) % len(self.colours)
        if self.phase == Phase.SHOPS:
            return len(self.owners) % len(self.colours)
        return self.active

    @property
    def roll_due(self) -> bool:
        """Whether the dice must be rolled now."""
        return self.phase == Phase.ROLL and not self.debt and not self.winners

    @property
    def prestige_left(self) -> int:
        """How many prestige cards can still be bought."""
        return PRESTIGE_CARDS - sum(self.prestige)

    @property
    def thief_is_out(self) -> bool:
        """Whether the thief has left the harbour."""
        return len(self.kinds) > ALL_CUSTOMERS

    def cards_left(self, card: str) -> int:
        """How many cards of this kind can still be bought."""
        return EACH_CARD - sum(card in cards for cards in self.cards)

    def shops(self, seat: int) -> list[str]:
        """The sites on which a seat has shops."""
        return [site for site, owner in self.owners.items() if owner == seat]

    def wealth(self, seat: int) -> int:
        """A seat's wealth: money and the prices of its cards."""
        return self.money[seat] + PRESTIGE_PRICE * self.prestige[seat] + sum(PRICES[card] for card in self.cards[seat])

    def customers_left(self, kind: str) -> int:
        """How many customers of each kind are still to be placed."""
        return CUSTOMERS[kind] - self.kinds.count(kind)

    def copy(self) -> "State":
        """Return an independent position; what never changes in a game is shared. All fields in order: `replace` is three times as slow."""
        return State(
            self.colours, self.options, self.board, self.turn, self.active, self.phase, self.money.copy(), self.prestige.copy(),
            self.cards.copy(), self.stock.copy(), self.owners.copy(), self.houses.copy(), self.kinds.copy(), self.spaces.copy(),
            self.facings.copy(), self.supremacy.copy(), self.guard, self.dice, self.moved, self.stuck, self.debt, self.facer,
            self.last_round, self.drawn, self.winners,
        )  # fmt: skip
