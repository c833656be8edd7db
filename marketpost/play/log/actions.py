"""What people did at the table and what became of their time, as a game's log tells it."""

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
    """It was taken, changed or ended."""


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


class LinkKind(StrEnum):
    """What a link lets its bearer do."""

    SEAT = "seat"
    """Take a free seat."""
    LOOK = "look"


class Action(msgspec.Struct, frozen=True, array_like=True):
    """What somebody did at the table, beside the game's own events."""


class SeatPlan(msgspec.Struct, frozen=True, array_like=True):
    """Who may sit here: a player, an invited player, a bot, or whoever comes."""

    player: str | None = None
    invited: str | None = None
    bot: str | None = None


class TimeControl(msgspec.Struct, frozen=True, array_like=True):
    """How long each may think. Times in milliseconds of playing time."""

    per_decision: int
    bank: int = 0
    """Time saved is kept up to this much."""
    weekends: bool = True
    """Whether they count."""
    quiet: tuple[int, int] | None = None
    """Hours that do not count, in the player's own timezone."""
    at_zero: AtZero = AtZero.BOT_PLAYS


class SeatDeadline(msgspec.Struct, frozen=True, array_like=True):
    """From this entry on a seat has to decide by a moment; or nobody waits for it any more, and this much is saved."""

    seat: int
    by: int
    """Milliseconds since 1970, UTC; 0 when nobody waits for it."""
    bank: int
    """How much of the time was saved earlier."""


class Opened(Action, frozen=True, array_like=True, tag="opened"):
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
    """Moves up to the start of play here were told by a record; their chance is not ours."""
    clock: TimeControl | None = None
    scheme: int = 1
    """How chance comes from the secret: 1 from it alone, 2 mixed with the words that were contributed."""
    shuffled: bool = False
    """Chance seats everybody anew when the game begins."""


class Contributed(Action, frozen=True, array_like=True, tag="contributed"):
    """A seat's word for the chance of this game. Until the game begins a later one of the same seat replaces it."""

    seat: int
    word: str
    drawn: bool
    """By the server, because the player has brought none."""


class Joined(Action, frozen=True, array_like=True, tag="joined"):
    seat: int
    player: str


class Left(Action, frozen=True, array_like=True, tag="left"):
    seat: int


class Began(Action, frozen=True, array_like=True, tag="began"):
    """All seats were filled: the game's opening, and what followed from it by itself."""

    events: msgspec.Raw
    due: int = 0
    """How many of the events, the last ones, followed from the opening, such as a set-up that was dealt."""
    order: tuple[int, ...] = ()
    """For each seat the one from which its player came, where chance has seated everybody anew."""


class Moved(Action, frozen=True, array_like=True, gc=False, tag="moved"):
    seat: int
    move: str
    orders: str
    """As the player wrote them."""
    events: msgspec.Raw
    due: int = 0
    """How many of the events, the last ones, happened without anybody's decision, such as a roll."""
    told: bool = False
    """Taken from a record that was imported."""
    standing: bool = False
    """Made by the player's standing orders."""


class Resigned(Action, frozen=True, array_like=True, tag="resigned"):
    """A bot plays on in this seat."""

    seat: int
    bot: str


class Undone(Action, frozen=True, array_like=True, tag="undone"):
    """The position is again what it was after that version. Nothing is erased."""

    seat: int
    back_to: int
    agreed: bool = False
    """The others said yes to it; otherwise it was free."""


class Proposed(Action, frozen=True, array_like=True, tag="proposed"):
    """Its number is the version of its entry. Any move makes it lapse."""

    seat: int
    what: ProposalKind
    back_to: int | None = None
    """For an undo: the version whose position is wanted."""


class Agreed(Action, frozen=True, array_like=True, tag="agreed"):
    seat: int
    number: int


class Disagreed(Action, frozen=True, array_like=True, tag="disagreed"):
    """One no ends a proposal."""

    seat: int
    number: int


class Ended(Action, frozen=True, array_like=True, tag="ended"):
    """The table ended the game, not its rules."""

    how: Ending
    winners: tuple[int, ...] = ()


class Offered(Action, frozen=True, array_like=True, tag="offered"):
    """A seat is offered to somebody, who has to accept it; `None` when the offer is off."""

    seat: int
    player: str | None


class HandedOver(Action, frozen=True, array_like=True, tag="handed-over"):
    """Somebody else, or a bot, plays on in this seat."""

    seat: int
    to: SeatPlan


class Linked(Action, frozen=True, array_like=True, tag="linked"):
    """A link was made. Its key follows from the version of this entry and is not told here."""

    what: LinkKind
    player: str


class Unlinked(Action, frozen=True, array_like=True, tag="unlinked"):
    """The link made by that version opens nothing any more."""

    number: int


class Postponed(Action, frozen=True, array_like=True, tag="postponed"):
    """The seat has to decide by another moment now, for a reason that lies outside the game."""

    seat: int
    by: int
    why: PostponeReason
    counted: int
    """The moment of what was the reason: the end of the outage, the change of the vacation. It is counted once."""


class Reminded(Action, frozen=True, array_like=True, tag="reminded"):
    seat: int
    nth: int
    """1 when half of the time is left, 2 when a tenth is."""


class TimedOut(Action, frozen=True, array_like=True, tag="timed-out"):
    seat: int
    what: AtZero
    bot: str


class Returned(Action, frozen=True, array_like=True, tag="returned"):
    """A player whose seat a bot had taken plays on, from the next turn on."""

    seat: int
    player: str


class Revealed(Action, frozen=True, array_like=True, tag="revealed"):
    """The game is over: everyone can check the chance."""

    secret: str


AnyAction = (
    Opened | Contributed | Joined | Left | Began | Moved | Resigned | Undone | Proposed | Agreed | Disagreed | Ended | Offered
    | HandedOver | Linked | Unlinked | Revealed | Postponed | Reminded | TimedOut | Returned
)  # fmt: skip
Done = tuple[list[AnyAction], list[bytes]]
"""What a change writes to the log, and the notices of it."""
