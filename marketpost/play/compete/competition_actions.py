"""Actions that the log of a competition records."""

from enum import StrEnum
from typing import Any

import msgspec

from marketpost.play.log.actions import Action, TimeControl


class CompetitionFormat(StrEnum):
    """Who plays whom."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody."""
    SWISS = "swiss"
    """In each round those with about as many points meet, and nobody twice if it can be avoided."""
    KNOCK_OUT = "knock-out"
    """The better half of each table goes on."""
    LEAGUE = "league"
    """In each season every division plays a round robin; the first two go up, the last two down."""
    DUPLICATE = "duplicate"
    """The same draws come at every table of a round, and each seat is compared with the same seat at the other tables."""


class WithdrawalReason(StrEnum):
    """Why a player takes no further part."""

    OWN = "own"
    FORFEIT = "forfeit"
    """The player gave up a table, or was out of time."""
    GONE = "gone"
    """The player was suspended, or their data erased."""


class CompetitionEnding(StrEnum):
    """How a competition ended."""

    PLAYED = "played"
    CANCELLED = "cancelled"
    """By the host."""
    TOO_FEW = "too-few"
    """Too few players had entered when it was to begin, or were left."""


class CompetitionPlan(msgspec.Struct, frozen=True, array_like=True):
    """What the host of a competition sets."""

    name: str
    format: CompetitionFormat
    rules: str
    seats: int
    """Seats of a table. Where the players cannot be divided so, some tables have fewer."""
    clock: TimeControl
    starts: int
    """When entries close and the first round is paired. Milliseconds since 1970, UTC."""
    board: str | dict[str, Any] | None = None
    edition: str | None = None
    options: dict[str, str] = {}
    rounds: int = 0
    """Number of rounds; 0 for as many as the format needs."""
    every: int = 0
    """Milliseconds from the beginning of a round to the earliest beginning of the next; 0 if it begins when the round is over."""


class PlannedTable(msgspec.Struct, frozen=True, array_like=True):
    """A table of a round: its players in the order of their seats, and their colours."""

    players: tuple[str, ...]
    colours: tuple[str, ...]
    division: int = 0
    """Division of a league, from 1 on."""


class Announced(Action, frozen=True, array_like=True, tag="announced"):
    """The competition was announced; the first entry of its log."""

    plan: CompetitionPlan
    host: str
    seal: str
    """The SHA-256 of the secret that the lots of the competition come from."""


class Entered(Action, frozen=True, array_like=True, tag="entered"):
    """A player entered."""

    player: str


class Withdrawn(Action, frozen=True, array_like=True, tag="withdrawn"):
    """A player takes no further part; tables that have begun go on."""

    player: str
    why: WithdrawalReason


class RoundPaired(Action, frozen=True, array_like=True, tag="paired"):
    """A round, or a season of a league, was paired.

    The ids of its games follow from the competition, the round and the number of the table.
    """

    number: int
    tables: tuple[PlannedTable, ...]
    byes: tuple[str, ...] = ()
    """Players without a table in this round; they score as if they had won."""
    seal: str = ""
    """Of duplicate tables: the SHA-256 of the secret that the chance of all tables of this round comes from."""


class TableEnded(Action, frozen=True, array_like=True, tag="table-ended"):
    """A table of the round is over."""

    round: int
    table: int
    places: tuple[int, ...]
    """Place of each seat; empty for a game without a result, in which nobody scores."""
    scores: tuple[str, ...]
    forfeits: tuple[int, ...] = ()
    """Seats whose players gave up or were out of time."""


class CompetitionEnded(Action, frozen=True, array_like=True, tag="ended"):
    """The competition is over."""

    how: CompetitionEnding


class LotsRevealed(Action, frozen=True, array_like=True, tag="revealed"):
    """The secret is public: everybody can verify the lots."""

    secret: str


CompetitionAction = Announced | Entered | Withdrawn | RoundPaired | TableEnded | CompetitionEnded | LotsRevealed
