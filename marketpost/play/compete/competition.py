"""A competition: the fold of its log."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from marketpost.play.compete.competition_actions import (
    Announced,
    CompetitionAction,
    CompetitionEnded,
    CompetitionFormat,
    CompetitionPlan,
    Entered,
    LotsRevealed,
    PlannedTable,
    RoundPaired,
    TableEnded,
    WithdrawalReason,
    Withdrawn,
)
from marketpost.play.log.entries import Tampered, chain, read_chain
from marketpost.store.changes import Stored

ID_DIGITS = 32


class CompetitionStatus(StrEnum):
    """Where a competition stands."""

    OPEN = "open"
    """Players may enter."""
    RUNNING = "running"
    OVER = "over"


class CompetitionEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of a competition's log; version, time, player and hash stand where an entry of a game has them."""

    version: int
    at: int
    by: str | None
    action: CompetitionAction
    rules: str
    before: str
    via: str = ""


_entry = msgspec.json.Decoder(CompetitionEntry)


@dataclass(slots=True)
class Round:
    """A round: its tables, and how those that are over ended."""

    number: int
    tables: tuple[PlannedTable, ...]
    byes: tuple[str, ...]
    began: int
    seal: str = ""
    """Of duplicate tables: the commitment to the secret of their chance."""
    ended: dict[int, TableEnded] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether all tables are over."""
        return len(self.ended) == len(self.tables)


@dataclass(slots=True)
class Competition:
    """A competition: the fold of its log."""

    id: str
    version: int = 0
    head: str = ""
    last: bytes = field(default=b"", repr=False)
    """The newest entry, encoded."""
    plan: CompetitionPlan = field(init=False)
    host: str = ""
    seal: str = ""
    """The commitment: the SHA-256 of the secret that lots come from."""
    secret: str | None = None
    """None until the competition is over."""
    created: int = 0
    changed: int = 0
    entrants: list[str] = field(default_factory=list)
    withdrawn: dict[str, WithdrawalReason] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    ended: CompetitionEnded | None = None
    done: set[str] = field(default_factory=set)
    """Inbound messages and idempotency keys whose actions are in the log."""

    @property
    def status(self) -> CompetitionStatus:
        """Open, running or over."""
        if self.ended:
            return CompetitionStatus.OVER
        return CompetitionStatus.RUNNING if self.rounds else CompetitionStatus.OPEN

    @property
    def takes_entries(self) -> bool:
        """Whether players may enter: before it begins, and a league also later, for its next season."""
        return self.status == CompetitionStatus.OPEN or (
            self.status == CompetitionStatus.RUNNING and self.plan.format == CompetitionFormat.LEAGUE
        )

    @property
    def active(self) -> list[str]:
        """The players who take part and have not withdrawn, in the order in which they entered."""
        return [player for player in self.entrants if player not in self.withdrawn]

    @property
    def is_duplicate(self) -> bool:
        """Whether all tables of a round have the same draws."""
        return self.plan.format == CompetitionFormat.DUPLICATE

    @property
    def is_sealed(self) -> bool:
        """Whether duplicate tables are being played, which only their own players may see."""
        return self.is_duplicate and bool(self.rounds) and not self.rounds[-1].is_over

    def table_id(self, number: int, table: int) -> str:
        """Derive the id of a table's game, so that opening it again finds the same game."""
        return hashlib.sha256(f"{self.id}|{number}|{table}".encode()).hexdigest()[:ID_DIGITS]


def follow_competition(competition: Competition, stored: Sequence[Stored]) -> Competition:
    """Fold entries that follow the competition's version into it. Raises `Tampered` or `WrittenByNewer`."""
    for entry, own_hash in read_chain(competition.id, stored, _entry.decode, competition.version, competition.head):
        competition.version, competition.head, competition.changed = entry.version, own_hash, entry.at
        _take(competition, entry.action)
        if entry.via:
            competition.done.add(entry.via)
    if stored:
        competition.last = stored[-1].data
    return competition


def _take(competition: Competition, action: CompetitionAction) -> None:
    """Apply one action; what cannot be applied was not written by us."""
    match action:
        case Announced():
            competition.plan, competition.host, competition.seal = action.plan, action.host, action.seal
            competition.created = competition.changed
        case Entered():
            competition.entrants += [action.player] if action.player not in competition.entrants else []
            competition.withdrawn.pop(action.player, None)
        case Withdrawn() if competition.rounds:
            competition.withdrawn[action.player] = action.why
        case Withdrawn():
            competition.entrants.remove(action.player)
        case RoundPaired():
            competition.rounds.append(Round(action.number, action.tables, action.byes, competition.changed, action.seal))
        case TableEnded():
            if action.round != len(competition.rounds) or action.table not in range(len(competition.rounds[-1].tables)):
                raise Tampered(competition.id, competition.version)
            competition.rounds[-1].ended[action.table] = action
        case CompetitionEnded():
            competition.ended = action
        case LotsRevealed():
            competition.secret = action.secret


def write_competition(
    competition: Competition, at: int, by: str | None, actions: Sequence[CompetitionAction], rules: str, via: str = ""
) -> tuple[list[bytes], str]:
    """Serialize entries for these actions; returns them and the hash of the last."""

    def encode(number: int, action: CompetitionAction, before: str) -> bytes:
        return msgspec.json.encode(CompetitionEntry(number, at, by, action, rules, before, via))

    return chain(competition.version, competition.head, actions, encode)
