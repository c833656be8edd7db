"""Reports of players to the operator, and the audit log of what operators did."""

import msgspec

from marketpost.store.redis_client import RedisClient

REPORTS, AUDIT = "reports", "audit"


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player reports about another."""

    id: str
    at: int
    by: str
    """Id of the player who reports."""
    about: str
    text: str
    game: str | None = None
    done: int = 0
    """When the operator closed it; 0 while it is open."""


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an operator did. It has no name and no address, so that it need not be erased."""

    at: int
    who: str
    """User account that ran the command, or an operator's name and `(page)`."""
    what: str
    player: str
    """Whom it is about; `-` if it is about nobody."""
    why: str = ""


_report = msgspec.json.Decoder(Report)
_act = msgspec.json.Decoder(Act)


class Reports:
    """Stores reports."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def add(self, report: Report) -> Report:
        """Store a report and return the stored one: the first with this id."""
        self.redis.hsetnx(REPORTS, report.id, msgspec.json.encode(report))
        return self.find(report.id) or report

    def find(self, id: str) -> Report | None:
        """Read a report; None if there is none with this id."""
        found = self.redis.hget(REPORTS, id)
        return _report.decode(found) if found else None

    def all(self) -> list[Report]:
        """List all reports, oldest first."""
        return sorted((_report.decode(data) for data in self.redis.hgetall(REPORTS).values()), key=lambda each: (each.at, each.id))

    def close(self, report: Report, at: int) -> None:
        """Record that the operator is done with a report."""
        self.redis.hset(REPORTS, report.id, msgspec.json.encode(msgspec.structs.replace(report, done=at)))

    def erase(self, player: str) -> None:
        """Delete the reports by a player. Reports about them name only an id and stay."""
        if theirs := [each.id for each in self.all() if each.by == player]:
            self.redis.hdel(REPORTS, *theirs)


class AuditLog:
    """Stores acts of the operator. Acts are only appended, never changed or removed."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def append(self, act: Act) -> None:
        """Append an act."""
        self.redis.rpush(AUDIT, msgspec.json.encode(act))

    def read(self) -> list[Act]:
        """List all acts, oldest first."""
        return [_act.decode(data) for data in self.redis.lrange(AUDIT, 0, -1)]

    def newest(self, most: int, skip: int = 0) -> list[Act]:
        """List the newest acts, newest first, after some that are skipped."""
        return [_act.decode(data) for data in reversed(self.redis.lrange(AUDIT, -skip - most, -skip - 1))]
