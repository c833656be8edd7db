"""Notices of competitions: written to the outbox of a competition in the same commit as the change, delivered afterwards."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class CompetitionNews(StrEnum):
    """What a player is told."""

    INVITED = "invited"
    ROUND = "round"
    """A round begins, and the player has a table in it."""
    BYE = "bye"
    """A round begins, and the player has no table in it."""
    FORFEITED = "forfeited"
    """The player gave up a table or was out of time, and is not paired any more."""
    OVER = "over"
    CANCELLED = "cancelled"


class CompetitionNotice(msgspec.Struct, frozen=True):
    """One notice to one player."""

    id: str
    """Follows from what the notice is about, so that it becomes one letter however often it is delivered."""
    news: CompetitionNews
    competition: str
    player: str
    at: int
    round: int = 0
    by: str | None = None
    """Player who caused it."""


_notice = msgspec.json.Decoder(CompetitionNotice)


def decode_competition_notice(data: bytes) -> CompetitionNotice:
    """Parse a notice."""
    return _notice.decode(data)


def competition_notices(
    competition: str, news: CompetitionNews, players: Iterable[str], at: int, round: int = 0, by: str | None = None
) -> list[bytes]:
    """Build the notices of one kind to these players."""
    return [
        msgspec.json.encode(CompetitionNotice(f"{competition}-{news}-{round}-{player}", news, competition, player, at, round, by))
        for player in players
    ]
