"""A game's log, its inbox of moves, and its outbox of notices. Every key of a game carries its hash tag `{…}`."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from store.connect import Client

MOST_AT_ONCE = 64

ACCEPT = """
if ARGV[3] ~= '' then
  local seen = redis.call('HGET', KEYS[3], ARGV[3])
  if seen then return seen end
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[1] .. ' ' .. ARGV[4])
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('RPUSH', KEYS[1], ARGV[1])
return ARGV[1] .. ' ' .. ARGV[4]
"""

# A move that has an outcome keeps it. Otherwise the log must be where the judge saw it; then all is written together.
COMMIT = """
local log, moves, pending, outcomes, outbox, head = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local version, move, outcome, hash, entries = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
if move ~= '' and redis.call('HEXISTS', outcomes, move) == 1 then
  redis.call('HDEL', moves, move)
  redis.call('LREM', pending, 0, move)
  return 'decided'
end
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
local found = last[1] and tonumber(string.match(last[1][1], '%d+')) or 0
if found ~= version then return 'grown' end
for number = 1, entries do
  redis.call('XADD', log, (version + number) .. '-0', 'e', ARGV[5 + number])
end
if entries > 0 then redis.call('SET', head, hash) end
for number = 6 + entries, #ARGV do
  redis.call('RPUSH', outbox, ARGV[number])
end
if move ~= '' then
  redis.call('HSET', outcomes, move, outcome)
  redis.call('HDEL', moves, move)
  redis.call('LREM', pending, 0, move)
end
return 'done'
"""

OPEN = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[4], ARGV[2])
local entries = tonumber(ARGV[3])
for number = 1, entries do
  redis.call('XADD', KEYS[1], number .. '-0', 'e', ARGV[3 + number])
end
for number = 4 + entries, #ARGV do
  redis.call('RPUSH', KEYS[3], ARGV[number])
end
return 1
"""


class Commit(Enum):
    DONE = b"done"
    DECIDED = b"decided"
    """Somebody has decided this move before us."""
    GROWN = b"grown"
    """The log has grown since we read it: read again, judge again."""


class Submission(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move as it was accepted, waiting to be judged."""

    id: str
    player: str
    seat: int
    orders: str
    at: int
    if_match: int | None = None
    via: str = ""
    """The mail it came in, if it came by mail."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One entry of a log as it lies there."""

    version: int
    data: bytes


class SameKeyOtherMove(Exception):
    """The idempotency key was used before, for something else."""


_submission = msgspec.json.Decoder(Submission)


class Games:
    def __init__(self, redis: Client) -> None:
        self.redis = redis
        self._accept = redis.register_script(ACCEPT)
        self._commit = redis.register_script(COMMIT)
        self._open = redis.register_script(OPEN)

    @staticmethod
    def key(game: str, part: str) -> str:
        return f"game:{{{game}}}:{part}"

    def open(self, game: str, secret: bytes, entries: Sequence[bytes], head: str, notices: Sequence[bytes] = ()) -> bool:
        """Begin a log; False if the game is there already."""
        keys = [self.key(game, part) for part in ("log", "secret", "outbox", "head")]
        return bool(self._open(keys=keys, args=[secret, head, len(entries), *entries, *notices]))

    def head(self, game: str) -> str:
        """The hash of the newest entry, kept beside the log so that even its last byte is guarded."""
        found: bytes | None = self.redis.get(self.key(game, "head"))
        return (found or b"").decode()

    def secret(self, game: str) -> bytes:
        return bytes(self.redis.get(self.key(game, "secret")) or b"")

    def read(self, game: str, after: int = 0, most: int | None = None) -> list[Stored]:
        found: Any = self.redis.xrange(self.key(game, "log"), min=f"{after + 1}-0", count=most)
        return [_stored(each) for each in found]

    def wait(self, game: str, after: int, milliseconds: int) -> list[Stored]:
        """New entries, as soon as there are any; none when the time is up."""
        found: Any = self.redis.xread({self.key(game, "log"): f"{after}-0"}, block=milliseconds)
        entries = found[0][1] if isinstance(found, list) and found else next(iter(found.values()))[0] if found else []
        return [_stored(each) for each in entries]

    def accept(self, game: str, submission: Submission, key: str, body: str) -> str:
        """Store a move, once for each idempotency key, and say under which id it is known."""
        keys = [self.key(game, part) for part in ("pending", "moves", "keys")]
        args = [submission.id, msgspec.json.encode(submission), key, body]
        move, _, first_body = self._accept(keys=keys, args=args).decode().partition(" ")
        if first_body != body:
            raise SameKeyOtherMove
        return str(move)

    def known(self, game: str, key: str) -> bool:
        """Whether a move was accepted under this idempotency key."""
        return bool(self.redis.hexists(self.key(game, "keys"), key))

    def pending(self, game: str) -> list[Submission]:
        """Moves that wait for a judgement, first come first."""
        ids: Any = self.redis.lrange(self.key(game, "pending"), 0, MOST_AT_ONCE - 1)
        if not ids:
            return []
        found: Any = self.redis.hmget(self.key(game, "moves"), ids)
        for move, data in zip(ids, found, strict=True):
            if data is None:  # decided between the two looks, or never whole: nothing to judge
                self.redis.lrem(self.key(game, "pending"), 0, move)
        return [_submission.decode(data) for data in found if data]

    def commit(
        self,
        game: str,
        version: int,
        entries: Sequence[bytes] = (),
        head: str = "",
        notices: Sequence[bytes] = (),
        move: str = "",
        outcome: bytes = b"",
    ) -> Commit:
        """All of it or nothing: entries after `version` with the hash of the last one, notices, and the outcome of a move."""
        keys = [self.key(game, part) for part in ("log", "moves", "pending", "outcomes", "outbox", "head")]
        return Commit(self._commit(keys=keys, args=[version, move, outcome, head, len(entries), *entries, *notices]))

    def outcome(self, game: str, move: str) -> bytes | None:
        found: bytes | None = self.redis.hget(self.key(game, "outcomes"), move)
        return found

    def submission(self, game: str, move: str) -> Submission | None:
        found: Any = self.redis.hget(self.key(game, "moves"), move)
        return _submission.decode(found) if found else None

    def outbox(self, game: str) -> list[bytes]:
        found: list[bytes] = self.redis.lrange(self.key(game, "outbox"), 0, -1)
        return found

    def delivered(self, game: str, notices: Sequence[bytes]) -> None:
        with self.redis.pipeline(transaction=False) as pipe:
            for notice in notices:
                pipe.lrem(self.key(game, "outbox"), 1, notice)
            pipe.execute()

    def has_work(self, game: str) -> bool:
        return bool(self.redis.exists(self.key(game, "pending"), self.key(game, "outbox")))

    def say(self, game: str, message: str, data: bytes, notices: Sequence[bytes] = ()) -> None:
        """Table talk, once for each id, and whom to tell of it."""
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.hsetnx(self.key(game, "said"), message, data)
            if notices:
                pipe.rpush(self.key(game, "outbox"), *notices)
            pipe.execute()

    def said(self, game: str) -> list[bytes]:
        return list(self.redis.hgetall(self.key(game, "said")).values())

    def probe(self) -> None:
        """Raises if the store does not answer or takes no writes."""
        self.redis.set("probe", 1, ex=60)

    def all_games(self) -> list[str]:
        """Every game there is, found by its log alone."""
        return sorted(key.decode().split("{")[1].split("}")[0] for key in self.redis.scan_iter("game:{*}:log", count=1000))


def _stored(entry: Any) -> Stored:
    return Stored(int(entry[0].split(b"-")[0]), entry[1][b"e"])
