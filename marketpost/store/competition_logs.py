"""The keys of competitions: their logs, written by the same scripts as those of games, and the lists of them."""

from marketpost.store.game_logs import GameLogs

DUE, ALL = "competitions:due", "competitions:all"
AT_ONE_GO = 100


class CompetitionLogs(GameLogs):
    """Reads and writes the logs, secrets and outboxes of competitions, and lists them. The lists can be rebuilt from the logs."""

    PREFIX = "c-"
    """Every id of a competition begins with it, and no id of a game does."""

    @staticmethod
    def key(game: str, part: str) -> str:
        """Name the Redis key of one part of a competition."""
        return f"competition:{{{game}}}:{part}"

    def outbox(self, id: str) -> list[bytes]:
        """Read the notices of a competition that have not been delivered."""
        return list(self.redis.lrange(self.key(id, "outbox"), 0, -1))

    def list_all(self) -> list[str]:
        """List all competitions, newest first."""
        return [id.decode() for id in self.redis.zrevrangebyscore(ALL, "+inf", "-inf", start=0, num=1000)]

    def place(self, id: str, created: int, moment: int | None) -> None:
        """List a competition, with the moment at which it must be looked at; None if there is none."""
        self.redis.zadd(ALL, {id: created})
        if moment is None:
            self.redis.zrem(DUE, id)
        else:
            self.redis.zadd(DUE, {id: moment})

    def make_due(self, id: str, now: int) -> None:
        """Have a competition looked at now."""
        self.redis.zadd(DUE, {id: now})

    def due(self, now: int) -> list[str]:
        """List the competitions that must be looked at, the longest due first."""
        return [id.decode() for id in self.redis.zrangebyscore(DUE, "-inf", now, start=0, num=AT_ONE_GO)]
