"""Lists of games by player, status and due time. All are derived from the logs and can be rebuilt from them."""

from collections.abc import Mapping, Sequence

from marketpost.store.redis_client import RedisClient

QUIET_AFTER = 60.0
"""Seconds after its last announcement for which a game without work stays listed: the announced move may not be stored yet."""
AGAIN_AFTER = QUIET_AFTER / 4
MOST_ANNOUNCED = 10_000
CLOCK = "index:clock"
AT_ONE_GO = 1000
SAME_MOMENT = 50
"""So many games of the same millisecond can be listed one by one."""

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
    """Reads and writes the lists of games, and stored values that were derived from logs."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._drop = redis.register_script(DROP)
        self._announced: dict[str, float] = {}

    def announce(self, game: str, now: float) -> None:
        """Put a game on the list of games that may have work, before the work itself is stored.

        A process announces a game again only after `AGAIN_AFTER` seconds, or if its clock was set back meanwhile.
        """
        if abs(now - self._announced.get(game, 0.0)) < AGAIN_AFTER:
            return
        self.redis.zadd("index:work", {game: now})
        if len(self._announced) > MOST_ANNOUNCED:
            self._announced.clear()
        self._announced[game] = now

    def at_work(self) -> list[tuple[str, float]]:
        """List the games that may have work, with the moment of their last announcement."""
        found = self.redis.zrange("index:work", 0, -1, withscores=True)
        return [(game.decode(), score) for game, score in found]

    def drop(self, game: str, announced: float) -> None:
        """Take a game off the list of games that may have work, unless it was announced again since that moment."""
        self._drop(keys=["index:work"], args=[game, repr(announced)])

    def place(self, game: str, lists: dict[str, float], leave: set[str]) -> None:
        """Put a game on its lists and take it off the others."""
        with self.redis.pipeline(transaction=False) as pipe:
            for name, score in lists.items():
                pipe.zadd(f"index:{name}", {game: score})
            for name in leave - lists.keys():
                pipe.zrem(f"index:{name}", game)
            pipe.execute()

    def holds(self, name: str, game: str) -> bool:
        """Whether a list has this game."""
        return self.redis.zscore(f"index:{name}", game) is not None

    def lists_with(self, game: str) -> set[str]:
        """List the names of the lists that have this game."""
        return {name.removeprefix("index:") for name, games in self.contents().items() if game in games}

    def set_clock(self, game: str, moment: int | None) -> None:
        """Set the moment at which the clock of a game must be looked at next; None if nobody's time runs."""
        if moment is None:
            self.redis.zrem(CLOCK, game)
        else:
            self.redis.zadd(CLOCK, {game: moment})

    def make_clocks_due(self, now: int) -> None:
        """Make all games in which somebody's time runs due now: an outage has moved their deadlines."""
        waiting = self.redis.zrangebyscore(CLOCK, f"({now}", "+inf")
        if waiting:
            self.redis.zadd(CLOCK, dict.fromkeys(waiting, now), xx=True)

    def clocks_due(self, now: int) -> list[str]:
        """List the games whose clock is due, the longest due first, at most `AT_ONE_GO`."""
        found = self.redis.zrangebyscore(CLOCK, "-inf", now, start=0, num=AT_ONE_GO)
        return [game.decode() for game in found]

    def page(self, name: str, before: tuple[float, str] | None, most: int) -> list[tuple[float, str]]:
        """List games newest first, from the one after `before` on. Games of the same moment are ordered by id, so that none is skipped."""
        top = "+inf" if before is None else repr(before[0])
        found = self.redis.zrevrangebyscore(f"index:{name}", top, "-inf", start=0, num=most + SAME_MOMENT, withscores=True)
        placed = [(score, game.decode()) for game, score in found]
        return [each for each in placed if before is None or each < before][:most]

    def count(self, name: str) -> int:
        """Count the games on a list."""
        return self.redis.zcard(f"index:{name}")

    def unfinished_of(self, player: str) -> list[str]:
        """List the games of a player that are open or running."""
        mine = self.redis.zrange(f"index:player:{player}", 0, -1)
        over = self.redis.zmscore("index:over", mine) if mine else []
        return [game.decode() for game, moment in zip(mine, over, strict=True) if moment is None]

    def timed_games_of(self, player: str) -> list[str]:
        """List the games of a player in which somebody's time runs."""
        mine = self.redis.zrange(f"index:player:{player}", 0, -1)
        moments = self.redis.zmscore(CLOCK, mine) if mine else []
        return [game.decode() for game, moment in zip(mine, moments, strict=True) if moment is not None]

    def oldest_first(self, name: str, skip: int = 0) -> list[tuple[float, str]]:
        """List games with their scores, oldest first and by id where the scores are equal."""
        found = self.redis.zrange(f"index:{name}", skip, -1, withscores=True)
        return [(score, game.decode()) for game, score in found]

    def place_of(self, name: str, game: str) -> int | None:
        """Count the games before this one on a list; None if it is not on it."""
        return self.redis.zrank(f"index:{name}", game)

    def derived(self, names: Sequence[str]) -> list[bytes | None]:
        """Read values that were derived from logs and stored to save computing them again; None where there is none."""
        with self.redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.get(f"derived:{name}")
            return list(pipe.execute())

    def store_derived(self, name: str, data: bytes) -> None:
        """Store a value that was derived from logs."""
        self.redis.set(f"derived:{name}", data)

    def store_all_derived(self, found: Mapping[str, bytes]) -> None:
        """Store several values that were derived from logs, in one request."""
        with self.redis.pipeline(transaction=False) as pipe:
            for name, data in found.items():
                pipe.set(f"derived:{name}", data)
            pipe.execute()

    def contents(self) -> dict[str, dict[str, float]]:
        """Read all lists but that of games with work, to compare them before and after a rebuild."""
        names = sorted(key.decode() for key in self.redis.scan_iter("index:*", count=1000) if key != b"index:work")
        return {name: {game.decode(): score for game, score in self.redis.zrange(name, 0, -1, withscores=True)} for name in names}
