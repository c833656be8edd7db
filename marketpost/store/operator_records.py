"""Reports about players, for the operator, and the log of what the operator did about people."""

import msgspec

from marketpost.store.redis_client import RedisClient

REPORTS, AUDIT = "reports", "audit"


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    at: int
    by: str
    """The player who reports."""
    about: str
    text: str
    game: str | None = None
    done: int = 0
    """When the operator was done with it; 0 before."""


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the operator did about a player. It holds no address and no name of a player, so that it can stay for ever."""

    at: int
    who: str
    """The account on the machine that the command ran under."""
    what: str
    player: str
    why: str = ""


_report = msgspec.json.Decoder(Report)
_act = msgspec.json.Decoder(Act)


class Reports:
    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def add(self, report: Report) -> Report:
        """The one that is kept: of several with the same id the first."""
        self.redis.hsetnx(REPORTS, report.id, msgspec.json.encode(report))
        return self.find(report.id) or report

    def find(self, id: str) -> Report | None:
        found = self.redis.hget(REPORTS, id)
        return _report.decode(found) if found else None

    def all(self) -> list[Report]:
        """Oldest first."""
        return sorted((_report.decode(data) for data in self.redis.hgetall(REPORTS).values()), key=lambda each: (each.at, each.id))

    def close(self, report: Report, at: int) -> None:
        self.redis.hset(REPORTS, report.id, msgspec.json.encode(msgspec.structs.replace(report, done=at)))

    def erase(self, player: str) -> None:
        """Delete what a player has reported. What others reported about them names only an id."""
        if theirs := [each.id for each in self.all() if each.by == player]:
            self.redis.hdel(REPORTS, *theirs)


class AuditLog:
    """Only ever appended to: no command of ours changes or removes an act."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def append(self, act: Act) -> None:
        self.redis.rpush(AUDIT, msgspec.json.encode(act))

    def read(self) -> list[Act]:
        """Oldest first."""
        return [_act.decode(data) for data in self.redis.lrange(AUDIT, 0, -1)]
