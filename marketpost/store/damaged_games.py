"""The games whose log was found damaged, until they fit together again."""

from marketpost.store.redis_client import RedisClient

DAMAGED = "damaged"


class DamagedGames:
    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def add(self, game: str, version: int) -> bool:
        """Note a damaged game and where its log breaks; True for the first process that does."""
        return bool(self.redis.hsetnx(DAMAGED, game, version))

    def remove(self, game: str) -> None:
        self.redis.hdel(DAMAGED, game)

    def all(self) -> dict[str, int]:
        """By game the version at which its log breaks."""
        return {game.decode(): int(version) for game, version in self.redis.hgetall(DAMAGED).items()}
