"""The keys of a game: its log, pending moves, outbox and talk. All carry the hash tag `{id}`, so that one script can use them."""

import hashlib
import logging
import secrets
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from redis import ResponseError

from marketpost.store.changes import (
    Change,
    Changes,
    CommitResult,
    GameArchived,
    Invitation,
    OrdersAhead,
    PendingWork,
    SameKeyOtherMove,
    Stored,
    Submission,
)
from marketpost.store.compacted_games import CompactedGame, compress, expand
from marketpost.store.connections import Call, run_all, run_surely
from marketpost.store.game_scripts import ACCEPT, COMMIT, COMPACT, OPEN, RESTORE, SAY, SETTLE_AHEAD, WORK
from marketpost.store.idempotent_responses import ANSWER_LIVES
from marketpost.store.packed_entries import MARK, PACKED, pack, unpack
from marketpost.store.redis_client import RedisClient, RedisPipeline, StreamEntry, Value

MOST_AT_ONCE = 64
PARTS = (
    "log", "head", "secret", "compact", "archived",
    "moves", "pending", "outcomes", "outbox", "keys", "numbers", "standing", "ahead", "said", "invited",
)  # fmt: skip
"""The parts of a game, each a Redis key."""
log = logging.getLogger("marketpost.games")
_submission = msgspec.json.Decoder(Submission)
_invitation = msgspec.json.Decoder(Invitation)
_ahead = msgspec.json.Decoder(OrdersAhead)


class GameLogs:
    """Reads and writes the logs, moves, notices, talk and invitations of games."""

    def __init__(self, redis: RedisClient, replicas: int = 0) -> None:
        self.redis, self.replicas = redis, replicas
        self._accept = redis.register_script(ACCEPT)
        self._commit = redis.register_script(COMMIT)
        self._open = redis.register_script(OPEN)
        self._compact = redis.register_script(COMPACT)
        self._say = redis.register_script(SAY)
        self._restore = redis.register_script(RESTORE)
        self._work = redis.register_script(WORK)
        self._settle_ahead = redis.register_script(SETTLE_AHEAD)

    @staticmethod
    def key(game: str, part: str) -> str:
        """Name the Redis key of one part of a game; `PARTS` lists the parts."""
        return f"game:{{{game}}}:{part}"

    def open(self, game: str, secret: bytes, entries: Sequence[bytes], head: str, notices: Sequence[bytes] = ()) -> bool:
        """Begin a log with its secret and first notices; False if the game exists or is archived."""
        keys = [self.key(game, part) for part in ("log", "secret", "outbox", "head", "compact", "archived")]
        return bool(run_surely(self.redis, self._open, keys, [secret, head, len(entries), *self._packed(entries), *notices], self.replicas))

    @cached_property
    def packs(self) -> bool:
        """Whether entries and outcomes are packed in this store; one that release 1.0 began has no mark and can be read by it."""
        return self.redis.get(MARK) == PACKED

    def _packed(self, entries: Sequence[bytes]) -> Sequence[bytes]:
        return [*map(pack, entries)] if self.packs else entries

    def head(self, game: str) -> str:
        """Read the hash of the newest entry. It is stored apart from the log, so that a change of the last entry is noticed too."""
        found = self.redis.get(self.key(game, "head"))
        return (found or b"").decode()

    def secret(self, game: str) -> bytes:
        """Read the secret that the chance of a game comes from; empty if there is none."""
        return self.redis.get(self.key(game, "secret")) or b""

    def secrets(self, games: Sequence[str]) -> dict[str, bytes]:
        """Read the secrets of several games in one request; games whose secret cannot be read are left out."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.get(self.key(game, "secret"))
            found = zip(games, pipe.execute(raise_on_error=False), strict=True)
        return {game: secret for game, secret in found if isinstance(secret, bytes)}

    def read(self, game: str, after: int = 0, most: int | None = None) -> list[Stored]:
        """Read the entries after a version, compacted or not.

        Race: the sweeper compacts the game, or a worker restores it, between two reads. The log is read again if the blob is not there
        either.
        """
        return self.newer(game, after, most) or self._read_compacted(game, after, most) or self.newer(game, after, most)

    def newer(self, game: str, after: int, most: int | None = None) -> list[Stored]:
        """Read the entries after a version from a log that is not compacted: what a reader who knows the game up to there needs."""
        try:
            found = self.redis.xrange(self.key(game, "log"), min=f"{after + 1}-0", count=most)
        except ResponseError as error:
            return _unreadable(error, after)
        return [as_stored(each) for each in found]

    def newer_all(self, known: Mapping[str, int]) -> dict[str, list[Stored]]:
        """Read the new entries of several games in one request, each after the version beside its id."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game, after in known.items():
                pipe.xrange(self.key(game, "log"), min=f"{after + 1}-0")
            found = zip(known.items(), pipe.execute(raise_on_error=False), strict=True)
        return {
            game: _unreadable(entries, after) if isinstance(entries, Exception) else [as_stored(each) for each in entries]
            for (game, after), entries in found
        }

    def _read_compacted(self, game: str, after: int, most: int | None) -> list[Stored]:
        found = self.compacted(game)
        entries = found.entries if found else ()
        return [Stored(number, data) for number, data in enumerate(entries, 1) if number > after][:most]

    def compacted(self, game: str) -> CompactedGame | None:
        """Read a compacted game; None if it is not compacted."""
        found = self.redis.get(self.key(game, "compact"))
        return expand(found) if found else None

    def compact(self, game: str, version: int, finished: CompactedGame, outcomes: int) -> bool:
        """Replace a log of this version by one compressed blob; False if moves or notices wait, or it would not expand to the same bytes.

        Race: a worker decides a move after `outcomes`, the number of stored outcomes, was counted. The script compares the number and
        changes nothing if it differs. Idempotency keys stay for as long as the API promises.
        """
        if (blob := compress(finished)) is None:
            return False
        parts = ("log", "compact", "outcomes", "keys", "moves", "standing", "numbers", "pending", "outbox", "ahead")
        return bool(self._compact(keys=[self.key(game, part) for part in parts], args=[version, blob, outcomes, ANSWER_LIVES]))

    def restore(self, game: str) -> None:
        """Expand a compacted game into a log that can grow.

        Race: two workers restore the same game. The script compares the blob, so the second changes nothing.
        """
        blob: bytes | None = self.redis.get(self.key(game, "compact"))
        if blob is None:
            return
        found = expand(blob)
        outcomes = [each for pair in found.outcomes.items() for each in pair]
        keys = [self.key(game, part) for part in ("log", "compact", "outcomes", "keys")]
        self._restore(keys=keys, args=[blob, len(found.entries), *self._packed(found.entries), *outcomes])

    def wait(self, game: str, after: int, milliseconds: int) -> list[Stored]:
        """Wait for entries after a version, at most so many milliseconds; of a compacted game they are there at once."""
        return self.growth(game, after, milliseconds) or self._read_compacted(game, after, None)

    def growth(self, game: str, after: int, milliseconds: int) -> list[Stored]:
        """Wait for a log to grow beyond a version, at most so many milliseconds; empty when the time is up."""
        return _grown(self.redis.xread({self.key(game, "log"): f"{after}-0"}, block=milliseconds))

    def growth_and_move(
        self, game: str, after: int, milliseconds: int, move: str
    ) -> tuple[list[Stored], tuple[Submission | None, bytes | None]]:
        """Wait as `growth` does, then read a move as `move` does, in one request: the server answers the rest of it after the wait."""
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.xread({self.key(game, "log"): f"{after}-0"}, block=milliseconds)
            self._ask_for_move(pipe, game, move)
            grown, waiting, outcome = pipe.execute()
        return _grown(grown), _move(waiting, outcome)

    def accept(self, game: str, submission: Submission, key: str, body: str) -> str:
        """Store a move, once for each idempotency key, and return its id."""
        keys = [self.key(game, part) for part in ("pending", "moves", "keys", "compact", "numbers", "log")]
        args: list[Value] = [submission.id, msgspec.json.encode(submission), body, secrets.token_hex(8), *([_name(key)] if key else [])]
        while (accepted := run_surely(self.redis, self._accept, keys, args, self.replicas)) == b"compact":
            self.restore(game)
        if accepted == b"away":
            raise GameArchived
        move, _, first_body = accepted.decode().partition(" ")
        if body != first_body:
            raise SameKeyOtherMove
        return str(move)

    def known(self, game: str, key: str) -> bool:
        """Whether a move was accepted under this idempotency key."""
        return self.redis.hexists(self.key(game, "keys"), _name(key))

    def work(self, known: Mapping[str, int]) -> dict[str, PendingWork]:
        """Read the pending moves and notices of several games with the entries after these versions. Games without work are left out."""
        parts = ("pending", "moves", "outbox", "log")
        calls: list[Call] = [([self.key(game, part) for part in parts], [MOST_AT_ONCE - 1, f"{after}-0"]) for game, after in known.items()]
        found = {game: self._waiting(game, *each) for game, each in zip(known, run_all(self.redis, self._work, calls), strict=True)}
        return {game: waiting for game, waiting in found.items() if waiting.submissions or waiting.notices}

    def _waiting(self, game: str, ids: list[bytes], found: list[bytes | None], notices: list[bytes], news: list[Any]) -> PendingWork:
        for move, data in zip(ids, found, strict=True):
            if data is None:  # an id without a move: nothing to judge
                self.redis.lrem(self.key(game, "pending"), 0, move)
        entries = [Stored(int(id.partition(b"-")[0]), unpack(fields[1])) for id, fields in news]
        return PendingWork(_readable(game, found), notices, entries)

    def pending(self, game: str) -> list[Submission]:
        """Read the moves of a game that wait to be judged, oldest first, at most `MOST_AT_ONCE`."""
        ids = self.redis.lrange(self.key(game, "pending"), 0, MOST_AT_ONCE - 1)
        found = self.redis.hmget(self.key(game, "moves"), ids) if ids else []
        return _readable(game, found)

    def commit(
        self,
        game: str,
        version: int,
        entries: Sequence[bytes] = (),
        head: str = "",
        notices: Sequence[bytes] = (),
        move: str = "",
        outcome: bytes = b"",
        before: str = "",
    ) -> CommitResult:
        """Append entries, notices and the outcome of a move after `version`, all of them or none."""
        return self.commit_all([Changes(game, version, [Change(entries, head, notices, move, outcome)], before)])[0][0]

    def commit_all(self, games: Sequence[Changes]) -> list[list[CommitResult]]:
        """Append the changes of several games in one request, so that the disk is waited for once.

        Returns for each game the results of its changes, up to the first that was not written.
        """
        parts = ("log", "moves", "pending", "outcomes", "outbox", "head", "compact")
        calls = [([self.key(each.game, part) for part in parts], self._as_arguments(each)) for each in games]
        became = run_all(self.redis, self._commit, calls, self.replicas)
        return [self._became(each, found) for each, found in zip(games, became, strict=True)]

    def _became(self, changes: Changes, found: list[bytes]) -> list[CommitResult]:
        if found == [b"compact"]:
            self.restore(changes.game)
            return self.commit_all([changes])[0]
        return [CommitResult(each) for each in found]

    def _as_arguments(self, changes: Changes) -> list[Value]:
        """List the arguments of the script COMMIT: the numbers of entries and notices stand before them."""
        args: list[Value] = [changes.version, changes.before]
        for each in changes.changes:
            entries = self._packed(each.entries)
            args += (each.move, each.outcome, each.head, len(entries), len(each.notices), *entries, *each.notices)
        return args

    def outcome(self, game: str, move: str) -> bytes | None:
        """Read the encoded outcome of a move; None if it is undecided or unknown."""
        return self.redis.hget(self.key(game, "outcomes"), move)

    def outcomes(self, game: str) -> dict[str, bytes]:
        """Read all stored outcomes of a game, by the ids of their moves."""
        return {move.decode(): data for move, data in self.redis.hgetall(self.key(game, "outcomes")).items()}

    def with_move(self, games: Sequence[str], move: str) -> list[str]:
        """List those of these games in which this move waits, or has an outcome that is stored, in one request."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.hexists(self.key(game, "moves"), move)
                pipe.hexists(self.key(game, "outcomes"), move)
            found = pipe.execute()
        return [game for game, waits, decided in zip(games, found[::2], found[1::2], strict=True) if waits or decided]

    def move(self, game: str, move: str) -> tuple[Submission | None, bytes | None]:
        """Read a move if it waits to be judged, and its encoded outcome if it was, in one request.

        Race: a worker may decide the move in between. What waits is read first, so that a move is found before or after.
        """
        with self.redis.pipeline(transaction=False) as pipe:
            self._ask_for_move(pipe, game, move)
            return _move(*pipe.execute())

    def _ask_for_move(self, pipe: RedisPipeline, game: str, move: str) -> None:
        pipe.hget(self.key(game, "moves"), move)
        pipe.hget(self.key(game, "outcomes"), move)

    def delivered(self, told: Mapping[str, Sequence[bytes]]) -> None:
        """Remove delivered notices from the outboxes of their games."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game, notices in told.items():
                for notice in notices:
                    pipe.lrem(self.key(game, "outbox"), 1, notice)
            pipe.execute()

    def has_work(self, game: str) -> bool:
        """Whether moves or notices wait in a game."""
        return bool(self.redis.exists(self.key(game, "pending"), self.key(game, "outbox")))

    def say(self, game: str, message: str, data: bytes, notices: Sequence[bytes] = ()) -> None:
        """Store a message of the table talk with its notices, once for each id. Raises `GameArchived`."""
        keys = [self.key(game, part) for part in ("said", "outbox", "log", "compact")]
        if not self._say(keys=keys, args=[message, data, *notices]):
            raise GameArchived

    def said(self, game: str) -> list[bytes]:
        """Read the encoded messages of a game's table talk, in no order."""
        return list(self.redis.hgetall(self.key(game, "said")).values())

    def delete_messages(self, game: str, messages: Sequence[str]) -> None:
        """Delete messages of the table talk by their ids."""
        self.redis.hdel(self.key(game, "said"), *messages)

    def games_with_talk(self) -> list[str]:
        """List the games that have table talk."""
        return [_game_of(key) for key in self.redis.scan_iter(self.key("*", "said"), count=1000)]

    def store_invitation(self, game: str, reference: str, invitation: Invitation) -> None:
        """Store an invitation. Do this before the log refers to it: a reference without an invitation invites nobody."""
        self.redis.hset(self.key(game, "invited"), reference, msgspec.json.encode(invitation))

    def drop_invitations(self, game: str, references: Sequence[str]) -> None:
        """Delete invitations by their references."""
        self.redis.hdel(self.key(game, "invited"), *references)

    def invitations(self, game: str) -> dict[str, Invitation]:
        """Read the invitations of a game, by their references."""
        found: Any = self.redis.hgetall(self.key(game, "invited"))
        return {reference.decode(): _invitation.decode(data) for reference, data in found.items()}

    def delete(self, game: str) -> None:
        """Delete all keys of a game."""
        self.redis.delete(*(self.key(game, part) for part in PARTS))

    def clear_archived(self, game: str) -> None:
        """Delete the mark that says in which archive a game is."""
        self.redis.delete(self.key(game, "archived"))

    def archived(self, game: str) -> str:
        """Read the name of the archive that a game is in; empty if it is in none."""
        found = self.redis.get(self.key(game, "archived"))
        return (found or b"").decode()

    def set_standing_orders(self, game: str, player: str, orders: str) -> None:
        """Store a player's standing orders in place of earlier ones. The log does not record them, only the moves they make."""
        self.redis.hset(self.key(game, "standing"), player, orders)

    def standing_orders(self, game: str, player: str) -> str:
        """Read a player's standing orders in a game; empty if there are none."""
        found = self.redis.hget(self.key(game, "standing"), player)
        return (found or b"").decode()

    def delete_standing_orders(self, game: str, player: str) -> None:
        """Delete a player's standing orders."""
        self.redis.hdel(self.key(game, "standing"), player)

    def set_orders_ahead(self, game: str, player: str, orders: OrdersAhead) -> None:
        """Store a player's orders ahead in place of earlier ones. The log does not record them, only the move they make."""
        self.redis.hset(self.key(game, "ahead"), player, msgspec.json.encode(orders))

    def orders_ahead(self, game: str, player: str) -> OrdersAhead | None:
        """Read a player's orders ahead in a game."""
        found = self.redis.hget(self.key(game, "ahead"), player)
        return _ahead.decode(found) if found else None

    def all_orders_ahead(self, games: Sequence[str]) -> dict[str, dict[str, OrdersAhead]]:
        """Read the orders ahead of several games in one request, by player; games without any are left out."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.hgetall(self.key(game, "ahead"))
            found = zip(games, pipe.execute(), strict=True)
        return {game: {player.decode(): _ahead.decode(data) for player, data in rows.items()} for game, rows in found if rows}

    def delete_orders_ahead(self, game: str, player: str) -> bool:
        """Delete a player's orders ahead; False if there were none, because they were played or dropped before."""
        return bool(self.redis.hdel(self.key(game, "ahead"), player))

    def settle_orders_ahead(
        self, game: str, player: str, orders: OrdersAhead, version: int, move: Submission | None, answered: bytes = b"", told: bytes = b""
    ) -> bool:
        """Use up or drop orders ahead, with the move they make or the notice that tells why not; False if they or the log have changed.

        Race: the player may take them back or write others meanwhile; the script SETTLE_AHEAD says who counts.
        """
        keys = [self.key(game, part) for part in ("ahead", "pending", "moves", "numbers", "outbox", "log")]
        data = msgspec.json.encode(move) if move else b""
        args: list[Value] = [player, msgspec.json.encode(orders), version, data, secrets.token_hex(8), answered, told]
        return bool(run_surely(self.redis, self._settle_ahead, keys, args, self.replicas))

    def probe(self) -> None:
        """Write a test value. Raises if the store does not answer or takes no writes."""
        self.redis.set("probe", 1, ex=60)

    def unfinished(self) -> set[str]:
        """List the games with pending moves or notices by scanning their keys, without the index."""
        lists = self.redis.scan_iter(self.key("*", "*"), count=1000, _type="list")
        return {_game_of(key) for key in lists}

    def all_games(self) -> list[str]:
        """List every game by scanning for logs and blobs, without the index."""
        found = (key for part in ("log", "compact") for key in self.redis.scan_iter(self.key("*", part), count=1000))
        return sorted({_game_of(key) for key in found})


def _name(key: str) -> bytes:
    """Compute the hash that an idempotency key is stored under: short, however long the key is."""
    return hashlib.sha256(key.encode(errors="surrogatepass")).digest()[:8]


def _readable(game: str, rows: Sequence[bytes | None]) -> list[Submission]:
    """Decode moves. One that cannot be decoded is logged and left out, so that the others are still judged."""
    found = []
    for row in rows:
        try:
            found += [_submission.decode(row)] if row else []
        except msgspec.DecodeError:
            log.warning("game %(game)s: a pending move cannot be decoded", {"game": game})
    return found


def _game_of(key: bytes) -> str:
    return key.decode().split("{")[1].split("}")[0]


def _grown(found: Any) -> list[Stored]:
    """Return the entries of one log that were waited for."""
    entries = found[0][1] if isinstance(found, list) and found else next(iter(found.values()))[0] if found else []
    return [as_stored(each) for each in entries]


def _move(waiting: bytes | None, outcome: bytes | None) -> tuple[Submission | None, bytes | None]:
    return _submission.decode(waiting) if waiting else None, outcome


def as_stored(entry: StreamEntry) -> Stored:
    """Read an entry, whatever the name of its field: what is no entry of ours fits no hash."""
    return Stored(int(entry[0].split(b"-")[0]), unpack(next(iter(entry[1].values()), b"")))


def _unreadable(error: Exception, after: int) -> list[Stored]:
    """Return a first entry that fits no hash for a log that is none, so that its game alone counts as damaged; raises any other error."""
    if isinstance(error, ResponseError) and str(error).startswith("WRONGTYPE"):
        return [] if after else [Stored(1, b"")]
    raise error
