"""The keys of searches for a game: those that wait, and the tables that were found for them and are not open yet."""

import msgspec

from marketpost.store.redis_client import RedisClient

WAITING, FOUND, PAST = "{searches}:waiting", "{searches}:found", "{searches}:past"
REMEMBERED = 7 * 24 * 3_600_000
"""Milliseconds for which a search that ended is remembered, so that a repeated request does not begin it again."""

# ADD: store a search.
# KEYS: waiting, found, past. ARGV: id, search, its player, how many searches and found tables the player may have.
# Result: 0, or how many they have if there is no room for another.
# Atomic. Race: two requests of one player may come at once; each counts what the other has stored. A repeated request changes nothing.
ADD = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 or redis.call('ZSCORE', KEYS[3], ARGV[1]) then return 0 end
local own = 0
for key = 1, 2 do
  for _, data in ipairs(redis.call('HVALS', KEYS[key])) do
    if string.find(data, '"' .. ARGV[3] .. '"', 1, true) then own = own + 1 end
  end
end
if own >= tonumber(ARGV[4]) then return own end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 0
"""

# TAKE: take searches off the list, and store the table that was found for them, if there is one.
# KEYS: waiting, found, past. ARGV: now, how long a search is remembered, id of the game, table or '', ids of searches. Result: 1, or 0 if
# one of them does not wait any more. Atomic. Race: two workers match the same search, or its player withdraws it; one of them takes it.
TAKE = """
local now, remembered, game, found = unpack(ARGV, 1, 4)
for number = 5, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[number]) == 0 then return 0 end
end
for number = 5, #ARGV do
  redis.call('HDEL', KEYS[1], ARGV[number])
  redis.call('ZADD', KEYS[3], now, ARGV[number])
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - remembered)
if found ~= '' then redis.call('HSET', KEYS[2], game, found) end
return 1
"""


class SearchPlan(msgspec.Struct, frozen=True, array_like=True):
    """The game that somebody searches for."""

    rules: str
    players: int
    pace: int
    """Milliseconds for each decision."""
    least: float | None = None
    """Lowest rating of the others; None for any."""
    most: float | None = None
    """Highest rating of the others; None for any."""


class Search(msgspec.Struct, frozen=True, array_like=True):
    """A player's search for a game."""

    id: str
    player: str
    plan: SearchPlan
    since: int
    """When it began. Milliseconds since 1970, UTC."""


class FoundTable(msgspec.Struct, frozen=True, array_like=True):
    """A table that was found: its game is opened next."""

    game: str
    rules: str
    pace: int
    players: tuple[str, ...]
    """Those who searched, longest first."""
    bots: int
    """Seats that nobody was found for."""


_search, _table = msgspec.json.Decoder(Search), msgspec.json.Decoder(FoundTable)


class Searches:
    """Stores searches, and the tables that were found for them until their games are open. Nothing else knows of them."""

    WORK = "s-searches"
    """What stands for all searches in the queue of games with work; no id of a game begins so."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._add, self._take = redis.register_script(ADD), redis.register_script(TAKE)

    def add(self, search: Search, room: int) -> int:
        """Store a search, once; returns 0, or how many searches and found tables the player has if there is no room for another."""
        return int(self._add(keys=[WAITING, FOUND, PAST], args=[search.id, msgspec.json.encode(search), search.player, room]))

    def waiting(self) -> list[Search]:
        """List the searches that wait, the longest first."""
        return sorted(map(_search.decode, self.redis.hvals(WAITING)), key=lambda each: (each.since, each.id))

    def withdraw(self, id: str, now: int) -> bool:
        """Take a search off the list; False if it does not wait."""
        return bool(self._take(keys=[WAITING, FOUND, PAST], args=[now, REMEMBERED, "", "", id]))

    def store_found(self, table: FoundTable, searches: list[str], now: int) -> bool:
        """Take searches off the list and store their table in one step; False if one of them does not wait any more."""
        about = now, REMEMBERED, table.game, msgspec.json.encode(table)
        return bool(self._take(keys=[WAITING, FOUND, PAST], args=[*about, *searches]))

    def found(self) -> list[FoundTable]:
        """List the tables whose games are not open yet."""
        return [_table.decode(data) for data in self.redis.hvals(FOUND)]

    def opened(self, game: str) -> None:
        """Forget a table: its game is open."""
        self.redis.hdel(FOUND, game)

    def has_work(self) -> bool:
        """Whether somebody searches, or a table was found and is not open yet."""
        return bool(self.redis.exists(WAITING, FOUND))
