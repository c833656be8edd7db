"""Lists of games, all of them derived: they can be thrown away and made again from the logs."""

from collections.abc import Sequence

from marketpost.store.redis_client import RedisClient

QUIET_AFTER = 60.0
"""A game without work is taken off the list only after this long, for a move may be on its way in between."""
AGAIN_AFTER = QUIET_AFTER / 4
MOST_ANNOUNCED = 10_000
CLOCK = "index:clock"
AT_ONE_GO = 1000
SAME_MOMENT = 50
"""As many games may be made in one millisecond and still be listed one by one."""

# DROP: take a game off the list of games with work.
# KEYS: the list. ARGV: game, when its work was announced. Result: 1, or 0 if it was announced again.
# Atomic. Race: the sweeper drops a quiet game while a request announces a move; the newer announcement stays.
DROP = """
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '-1') == tonumber(ARGV[2]) then
  return redis.call('ZREM', KEYS[1], ARGV[1])
end
return 0
"""


class GameIndex:
    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._drop = redis.register_script(DROP)
        self._announced: dict[str, float] = {}

    def announce(self, game: str, now: float) -> None:
        """There is, or will be in a moment, something to do in this game. Said again only when the last time is a while ago.

        Or to come: then the clock was set back.
        """
        if abs(now - self._announced.get(game, 0.0)) < AGAIN_AFTER:
            return
        self.redis.zadd("index:work", {game: now})
        if len(self._announced) > MOST_ANNOUNCED:
            self._announced.clear()
        self._announced[game] = now

    def at_work(self) -> list[tuple[str, float]]:
        found = self.redis.zrange("index:work", 0, -1, withscores=True)
        return [(game.decode(), score) for game, score in found]

    def drop(self, game: str, announced: float) -> None:
        self._drop(keys=["index:work"], args=[game, repr(announced)])

    def place(self, game: str, lists: dict[str, float], leave: set[str]) -> None:
        """Put a game on its lists and take it off others."""
        with self.redis.pipeline(transaction=False) as pipe:
            for name, score in lists.items():
                pipe.zadd(f"index:{name}", {game: score})
            for name in leave - lists.keys():
                pipe.zrem(f"index:{name}", game)
            pipe.execute()

    def holds(self, name: str, game: str) -> bool:
        return self.redis.zscore(f"index:{name}", game) is not None

    def lists_with(self, game: str) -> set[str]:
        """The lists this game stands on."""
        return {name.removeprefix("index:") for name, games in self.contents().items() if game in games}

    def expect(self, game: str, moment: int | None) -> None:
        """When somebody's time in this game needs looking at next; never, if nobody's runs."""
        if moment is None:
            self.redis.zrem(CLOCK, game)
        else:
            self.redis.zadd(CLOCK, {game: moment})

    def expect_all(self, now: int) -> None:
        """Every game in which somebody's time runs is to be looked at, for something has changed for all."""
        waiting = self.redis.zrangebyscore(CLOCK, f"({now}", "+inf")
        if waiting:
            self.redis.zadd(CLOCK, dict.fromkeys(waiting, now), xx=True)

    def expected(self, now: int) -> list[str]:
        """Games whose moment has come, the oldest first."""
        found = self.redis.zrangebyscore(CLOCK, "-inf", now, start=0, num=AT_ONE_GO)
        return [game.decode() for game in found]

    def page(self, name: str, before: tuple[float, str] | None, most: int) -> list[tuple[float, str]]:
        """Newest first; go on with the last one, which may share its moment with others."""
        top = "+inf" if before is None else repr(before[0])
        found = self.redis.zrevrangebyscore(f"index:{name}", top, "-inf", start=0, num=most + SAME_MOMENT, withscores=True)
        placed = [(score, game.decode()) for game, score in found]
        return [each for each in placed if before is None or each < before][:most]

    def unfinished_of(self, player: str) -> list[str]:
        """Games of this player that are open or running."""
        mine = self.redis.zrange(f"index:player:{player}", 0, -1)
        over = self.redis.zmscore("index:over", mine) if mine else []
        return [game.decode() for game, moment in zip(mine, over, strict=True) if moment is None]

    def timed_games_of(self, player: str) -> list[str]:
        """Games of this player in which somebody's time runs."""
        mine = self.redis.zrange(f"index:player:{player}", 0, -1)
        moments = self.redis.zmscore(CLOCK, mine) if mine else []
        return [game.decode() for game, moment in zip(mine, moments, strict=True) if moment is not None]

    def oldest_first(self, name: str, skip: int = 0) -> list[tuple[float, str]]:
        """By their moments, and where those are the same by their names."""
        found = self.redis.zrange(f"index:{name}", skip, -1, withscores=True)
        return [(score, game.decode()) for game, score in found]

    def place_of(self, name: str, game: str) -> int | None:
        """How many stand before it."""
        return self.redis.zrank(f"index:{name}", game)

    def derived(self, names: Sequence[str]) -> list[bytes | None]:
        """What was worked out from logs and kept, to save the work."""
        with self.redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.get(f"derived:{name}")
            return list(pipe.execute())

    def keep_derived(self, name: str, data: bytes) -> None:
        self.redis.set(f"derived:{name}", data)

    def contents(self) -> dict[str, dict[str, float]]:
        """Every list but the work, to compare before and after a rebuild."""
        names = sorted(key.decode() for key in self.redis.scan_iter("index:*", count=1000) if key != b"index:work")
        return {name: {game.decode(): score for game, score in self.redis.zrange(name, 0, -1, withscores=True)} for name in names}
