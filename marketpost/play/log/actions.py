"""Actions that a game's log records: what people did at the table, and what happened to their time."""

from enum import StrEnum
from typing import Any

import msgspec


class AtZero(StrEnum):
    """What happens when a player's time is up."""

    BOT_PLAYS = "bot-plays"
    """A bot plays this turn."""
    BOT_TAKES = "bot-takes"
    """A bot takes the seat until the player comes back."""
    OUT = "out"
    """A bot takes the seat for good."""


class PostponeReason(StrEnum):
    """Why a deadline was moved."""

    OUTAGE = "outage"
    VACATION = "vacation"
    """A vacation was taken, changed or ended."""


class ProposalKind(StrEnum):
    """What needs the yes of all players."""

    UNDO = "undo"
    DRAW = "draw"
    ABANDON = "abandon"


class Ending(StrEnum):
    """How a game ended."""

    PLAYED = "played"
    """By its rules."""
    DRAW = "draw"
    ABANDONED = "abandoned"
    """Without a result."""
    CANCELLED = "cancelled"
    """Before it began."""


class HintRule(StrEnum):
    """When players may ask the service for a hint."""

    AGAINST_BOTS = "against-bots"
    """While all other seats are built-in bots'."""
    ALLOWED = "allowed"
    OFF = "off"


class LinkKind(StrEnum):
    """What a link lets its bearer do."""

    SEAT = "seat"
    """Take a free seat."""
    LOOK = "look"


class Action(msgspec.Struct, frozen=True, array_like=True):
    """What an entry of a log records. The names of its fields are not stored, only their order."""


class SeatPlan(msgspec.Struct, frozen=True, array_like=True):
    """Who has a seat: a player, an invited player, a bot, or nobody yet."""

    player: str | None = None
    invited: str | None = None
    bot: str | None = None


class TimeControl(msgspec.Struct, frozen=True, array_like=True):
    """How long players may think. Times are milliseconds of playing time."""

    per_decision: int
    bank: int = 0
    """Most time that a player can save up."""
    weekends: bool = True
    """Whether weekends count as playing time."""
    quiet: tuple[int, int] | None = None
    """Hours that do not count, in the player's own timezone."""
    at_zero: AtZero = AtZero.BOT_PLAYS


class SeatDeadline(msgspec.Struct, frozen=True, array_like=True):
    """A seat must decide by a moment from this entry on; or the game does not wait for it, and its bank is stored."""

    seat: int
    by: int
    """Milliseconds since 1970, UTC; 0 when the game does not wait for this seat."""
    bank: int
    """Time saved up before this decision."""


class Opened(Action, frozen=True, array_like=True, tag="opened"):
    """The game was opened; the first entry of every log."""

    rules: str
    board: str | dict[str, Any]
    edition: str | None
    options: dict[str, str]
    colours: tuple[str, ...]
    seats: tuple[SeatPlan, ...]
    host: str
    public: bool
    seal: str
    """The SHA-256 of the secret that all chance will come from."""
    imported: bool = False
    """The game began as an imported record; the chance in it cannot be verified."""
    clock: TimeControl | None = None
    scheme: int = 1
    """How chance comes from the secret: 1 from it alone, 2 mixed with contributed words, 3 the same at all duplicate tables."""
    shuffled: bool = False
    """Whether chance draws the order of seats when the game begins."""
    competition: str = ""
    """Id of the competition that the game is a table of."""
    found: bool = False
    """Whether it was opened for players who searched for a game."""
    hints: HintRule = HintRule.AGAINST_BOTS


class Named(Action, frozen=True, array_like=True, tag="named"):
    """The host named the game before it began; an empty name takes its name away."""

    name: str


class Contributed(Action, frozen=True, array_like=True, tag="contributed"):
    """A seat contributed a word to the chance of this game. Until the game begins, a later word of the same seat replaces it."""

    seat: int
    word: str
    drawn: bool
    """Whether the server drew the word because the player brought none."""


class Joined(Action, frozen=True, array_like=True, tag="joined"):
    """A player took a seat."""

    seat: int
    player: str


class Left(Action, frozen=True, array_like=True, tag="left"):
    """A seat became free before the game began."""

    seat: int


class Began(Action, frozen=True, array_like=True, tag="began"):
    """All seats were filled: the opening of the game, and what followed from it by itself."""

    events: msgspec.Raw
    due: int = 0
    """Number of the last events that followed from the opening, such as a set-up that was dealt."""
    order: tuple[int, ...] = ()
    """For each seat the earlier seat of its player, where chance drew the order."""


class Moved(Action, frozen=True, array_like=True, gc=False, tag="moved"):
    """Orders were carried out."""

    seat: int
    move: str
    orders: str
    """The text that the player wrote."""
    events: msgspec.Raw
    due: int = 0
    """Number of the last events that happened without a decision, such as a roll."""
    told: bool = False
    """Whether it comes from an imported record."""
    standing: bool = False
    """Whether the player's standing orders made it."""
    ahead: bool = False
    """Whether the player's orders ahead made it."""


class Resigned(Action, frozen=True, array_like=True, tag="resigned"):
    """A player resigned; a bot plays on in the seat."""

    seat: int
    bot: str


class Undone(Action, frozen=True, array_like=True, tag="undone"):
    """The position was set back to that after an earlier version. The entries in between stay in the log."""

    seat: int
    back_to: int
    agreed: bool = False
    """Whether the others had to agree to it."""


class Proposed(Action, frozen=True, array_like=True, tag="proposed"):
    """A player proposed something that all others must agree to. Its number is the version of its entry; any move makes it lapse."""

    seat: int
    what: ProposalKind
    back_to: int | None = None
    """For an undo: the version whose position is wanted."""


class Agreed(Action, frozen=True, array_like=True, tag="agreed"):
    """A player agreed to a proposal."""

    seat: int
    number: int


class Disagreed(Action, frozen=True, array_like=True, tag="disagreed"):
    """A player disagreed with a proposal, which ends it."""

    seat: int
    number: int


class Ended(Action, frozen=True, array_like=True, tag="ended"):
    """The players ended the game before its rules did."""

    how: Ending
    winners: tuple[int, ...] = ()


class Offered(Action, frozen=True, array_like=True, tag="offered"):
    """A player offered the seat to another, who must accept it; `None` takes the offer back."""

    seat: int
    player: str | None


class HandedOver(Action, frozen=True, array_like=True, tag="handed-over"):
    """A seat went to another player or a bot, who plays on; before the game begins also to another invited player."""

    seat: int
    to: SeatPlan


class Linked(Action, frozen=True, array_like=True, tag="linked"):
    """A link was made. Its key is derived from the version of this entry and is not in the log."""

    what: LinkKind
    player: str


class Unlinked(Action, frozen=True, array_like=True, tag="unlinked"):
    """The link of that version was revoked."""

    number: int


class Postponed(Action, frozen=True, array_like=True, tag="postponed"):
    """The deadline of a seat was moved because of an outage or a vacation."""

    seat: int
    by: int
    why: PostponeReason
    counted: int
    """Moment of the reason, so that it is counted once: the end of the outage, or the change of the vacation."""


class Reminded(Action, frozen=True, array_like=True, tag="reminded"):
    """A player was reminded of a deadline."""

    seat: int
    nth: int
    """1 when half of the time is left, 2 when a tenth is."""


class TimedOut(Action, frozen=True, array_like=True, tag="timed-out"):
    """The time of a seat was up."""

    seat: int
    what: AtZero
    bot: str


class Returned(Action, frozen=True, array_like=True, tag="returned"):
    """A player came back to a seat that a bot had taken, and plays on from the next turn."""

    seat: int
    player: str


class HintAsked(Action, frozen=True, array_like=True, tag="hint-asked"):
    """A player asked for a hint in the position after an earlier version."""

    seat: int
    position: int


class Hinted(Action, frozen=True, array_like=True, tag="hinted"):
    """A player was given a hint: the orders that the bot `strong` prefers in the position after an earlier version."""

    seat: int
    position: int
    orders: str
    """Empty if the bot found none."""
    chance: int = 0
    """The chance to win with them, in thousandths."""
    other: str = ""
    """The next best orders; empty if there are none."""
    less: int = 0
    """The chance to win with those."""
    trials: int = 0
    """Trial games by which each of the two was judged; 0 if there was no time to compare them."""


class Revealed(Action, frozen=True, array_like=True, tag="revealed"):
    """The game is over and its secret public: everybody can verify the chance."""

    secret: str


AnyAction = (
    Opened | Named | Contributed | Joined | Left | Began | Moved | Resigned | Undone | Proposed | Agreed | Disagreed | Ended | Offered
    | HandedOver | Linked | Unlinked | Revealed | Postponed | Reminded | TimedOut | Returned | HintAsked | Hinted
)  # fmt: skip
Done = tuple[list[AnyAction], list[bytes]]
"""Actions to write to the log, and the notices about them."""
