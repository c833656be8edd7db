"""Values that are read from and written to a game's log, inbox and outbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import msgspec


class CommitResult(Enum):
    """Result of one change in a commit."""

    DONE = b"done"
    DECIDED = b"decided"
    """Another worker has decided this move."""
    GROWN = b"grown"
    """Another worker has appended to the log since it was read: reload the log and judge again."""


class GameArchived(Exception):
    """Raised for a write to a game that is in an archive; it must be restored first."""


class Submission(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move as it was accepted, waiting to be judged."""

    id: str
    """Empty until it is accepted."""
    player: str
    seat: int
    orders: str
    at: int
    if_match: int | None = None
    via: str = ""
    """The inbound message that brought it, or that led to the bot's or standing orders' decision."""
    standing: bool = False
    """Whether the player's standing orders made it."""
    ahead: bool = False
    """Whether the player's orders ahead made it."""

    @property
    def was_left(self) -> bool:
        """Whether it comes from orders that the player had left, and not from the player now."""
        return self.standing or self.ahead


class OrdersAhead(msgspec.Struct, frozen=True):
    """A player's orders for the next turn of a seat, as they are stored: for the first own turn after `turn`, and no other."""

    seat: int
    version: int
    """Version of the game when they were left."""
    turn: int
    """Turn of the game when they were left."""
    orders: str
    """All branches, in English."""


class Invitation(msgspec.Struct, frozen=True, array_like=True):
    """Whom a seat is reserved for or offered to. The log holds only a random reference to it, which does not identify the player."""

    PREFIX: ClassVar[str] = "i-"
    """Every reference begins with it."""
    player: str
    by_address: bool
    """Whether the player was invited by a mail address, not by an id."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One entry of a log, still encoded."""

    version: int
    data: bytes


class Change(msgspec.Struct, frozen=True):
    """What is written to a game together: entries with the hash of the last one, notices, and the outcome of a move."""

    entries: Sequence[bytes] = ()
    head: str = ""
    notices: Sequence[bytes] = ()
    move: str = ""
    outcome: bytes = b""


class Changes(msgspec.Struct, frozen=True):
    """Changes of one game, each based on the one before it, the first on this version."""

    game: str
    version: int
    changes: Sequence[Change]
    before: str = ""
    """The hash of that version's entry, to compare with the stored one; empty if unknown."""


class PendingWork(msgspec.Struct, frozen=True):
    """Moves to judge and notices to deliver in a game, and the entries that are new to the reader."""

    submissions: list[Submission]
    """Moves to judge, oldest first."""
    notices: list[bytes]
    """Encoded notices to deliver."""
    news: list[Stored]
    """The log from the last entry on that the reader knew."""


class SameKeyOtherMove(Exception):
    """Raised where an idempotency key was used before for another move."""
