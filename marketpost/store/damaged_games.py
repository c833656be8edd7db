"""The games whose log was found damaged, until they fit together again; and those that were set back, for a day."""

from marketpost.store.redis_client import RedisClient

DAMAGED = "damaged"
SET_BACK = "set-back"
DAY = 24 * 3_600_000


class DamagedGames:
    """Stores which games are damaged, and where."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def add(self, game: str, version: int) -> bool:
        """Note a damaged game and where its log breaks; True for the first process that does."""
        return bool(self.redis.hsetnx(DAMAGED, game, version))

    def remove(self, game: str) -> None:
        """Note that a game is sound again."""
        self.redis.hdel(DAMAGED, game)

    def all(self) -> dict[str, int]:
        """List the damaged games with the version at which each log breaks."""
        return {game.decode(): int(version) for game, version in self.redis.hgetall(DAMAGED).items()}

    def add_set_back(self, game: str, now: int) -> bool:
        """Note a game whose log was found shorter than it had been; True for the first process that does."""
        self.redis.zremrangebyscore(SET_BACK, "-inf", now - DAY)
        return bool(self.redis.zadd(SET_BACK, {game: now}))

    def set_back(self, now: int) -> list[str]:
        """List the games that were found to be set back within a day."""
        return [game.decode() for game in self.redis.zrangebyscore(SET_BACK, now - DAY, "+inf")]
