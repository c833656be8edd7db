"""A game's log, its inbox of moves, and its outbox of notices. Every key of a game carries its hash tag `{…}`."""

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from store.answers import ANSWER_LIVES
from store.connect import Client, run_all, run_surely
from store.entries import Change, Changes, Commit, PutAway, SameKeyOtherMove, Stored, Submission, Waiting
from store.packing import Packed, pack, unpack
from store.scripts import ACCEPT, COMMIT, OPEN, PACK, SAY, UNPACK, WORK
from store.sent import names, pack_sent, unpack_sent

MOST_AT_ONCE = 64
PARTS = (
    "log", "head", "secret", "packed", "sent", "archived",
    "moves", "pending", "outcomes", "outbox", "keys", "numbers", "standing", "said",
)  # fmt: skip
"""Every key that a game may have."""
log = logging.getLogger("marketpost.games")
_submission = msgspec.json.Decoder(Submission)


class Games:
    def __init__(self, redis: Client, replicas: int = 0) -> None:
        self.redis, self.replicas = redis, replicas
        self._accept = redis.register_script(ACCEPT)
        self._commit = redis.register_script(COMMIT)
        self._open = redis.register_script(OPEN)
        self._pack = redis.register_script(PACK)
        self._say = redis.register_script(SAY)
        self._unpack = redis.register_script(UNPACK)
        self._work = redis.register_script(WORK)

    @staticmethod
    def key(game: str, part: str) -> str:
        return f"game:{{{game}}}:{part}"

    def open(self, game: str, secret: bytes, entries: Sequence[bytes], head: str, notices: Sequence[bytes] = ()) -> bool:
        """Begin a log; False if the game is there already, or in an archive."""
        keys = [self.key(game, part) for part in ("log", "secret", "outbox", "head", "packed", "archived")]
        return bool(run_surely(self.redis, self._open, keys, [secret, head, len(entries), *entries, *notices], self.replicas))

    def head(self, game: str) -> str:
        """The hash of the newest entry, kept beside the log so that even its last byte is guarded."""
        found: bytes | None = self.redis.get(self.key(game, "head"))
        return (found or b"").decode()

    def secret(self, game: str) -> bytes:
        return bytes(self.redis.get(self.key(game, "secret")) or b"")

    def secrets(self, games: Sequence[str]) -> dict[str, bytes]:
        """Those that can be read."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.get(self.key(game, "secret"))
            found = zip(games, pipe.execute(raise_on_error=False), strict=True)
        return {game: secret for game, secret in found if isinstance(secret, bytes)}

    def read(self, game: str, after: int = 0, most: int | None = None) -> list[Stored]:
        """Entries after that version. A log is packed, or unpacked, while we look: then it is looked at again."""
        return self.newer(game, after, most) or self._read_packed(game, after, most) or self.newer(game, after, most)

    def newer(self, game: str, after: int, most: int | None = None) -> list[Stored]:
        """What a log that is not packed has more: all there is to ask for whoever knows it up to `after`."""
        found: Any = self.redis.xrange(self.key(game, "log"), min=f"{after + 1}-0", count=most)
        return [_stored(each) for each in found]

    def newer_all(self, known: Mapping[str, int]) -> dict[str, list[Stored]]:
        """The same of several games at once, each known up to the version beside it."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game, after in known.items():
                pipe.xrange(self.key(game, "log"), min=f"{after + 1}-0")
            found = pipe.execute()
        return {game: [_stored(each) for each in entries] for game, entries in zip(known, found, strict=True)}

    def _read_packed(self, game: str, after: int, most: int | None) -> list[Stored]:
        packed = self.packed(game)
        entries = packed.entries if packed else ()
        return [Stored(number, data) for number, data in enumerate(entries, 1) if number > after][:most]

    def salt(self, game: str) -> bytes:
        """From which the ids of its moves follow; not to be told, or others could guess them."""
        return bytes(self.redis.hget(self.key(game, "numbers"), "salt") or b"")

    def packed(self, game: str) -> Packed | None:
        found: bytes | None = self.redis.get(self.key(game, "packed"))
        return unpack(found) if found else None

    def pack(self, game: str, version: int, packed: Packed, keys: Mapping[str, bytes], seen: tuple[int, int]) -> bool:
        """Put a log of this version into one piece, with what shall be kept of outcomes and keys; False if something waits.

        Or if there are not as many of these as were `seen`: another may have packed it, and a move sent again unpacked it, meanwhile.
        The keys are known for as long as is promised: then nothing can be done under them that was not refused anyway.
        """
        parts = ("log", "packed", "sent", "moves", "outcomes", "keys", "standing", "numbers", "pending", "outbox")
        args = [version, pack(packed), pack_sent(keys, packed.salt), ANSWER_LIVES, *seen]
        return bool(self._pack(keys=[self.key(game, part) for part in parts], args=args))

    def unpack(self, game: str) -> None:
        """Back into a log that can grow; unless another does so meanwhile."""
        data: bytes | None = self.redis.get(self.key(game, "packed"))
        if data is None:
            return
        sent: bytes = self.redis.get(self.key(game, "sent")) or b""
        packed = unpack(data)
        known = {**packed.keys, **(unpack_sent(sent) if sent else {})}
        kept = [(place, name, value) for place, part in ((3, packed.outcomes), (4, known)) for name, value in part.items()]
        keys = [self.key(game, part) for part in ("log", "packed", "outcomes", "keys", "sent")]
        self._unpack(keys=keys, args=[data, sent, len(packed.entries), *packed.entries, *(each for one in kept for each in one)])

    def _sent(self, game: str) -> dict[str, bytes]:
        """The keys of a packed game, by their names there."""
        found: bytes | None = self.redis.get(self.key(game, "sent"))
        return unpack_sent(found) if found else {}

    def wait(self, game: str, after: int, milliseconds: int) -> list[Stored]:
        """New entries, as soon as there are any; none when the time is up."""
        found: Any = self.redis.xread({self.key(game, "log"): f"{after}-0"}, block=milliseconds)
        entries = found[0][1] if isinstance(found, list) and found else next(iter(found.values()))[0] if found else []
        return [_stored(each) for each in entries] or self._read_packed(game, after, None)

    def accept(self, game: str, submission: Submission, key: str, body: str) -> str:
        """Store a move, once for each idempotency key, and say under which id it is known."""
        keys = [self.key(game, part) for part in ("pending", "moves", "keys", "packed", "numbers", "log")]
        args = [submission.id, msgspec.json.encode(submission), body, secrets.token_hex(8), *(names(key) if key else ())]
        while (accepted := run_surely(self.redis, self._accept, keys, args, self.replicas)) == b"packed":
            self.unpack(game)
        if accepted == b"away":
            raise PutAway
        move, _, first_body = accepted.decode().partition(" ")
        if not body.startswith(first_body):
            raise SameKeyOtherMove
        return str(move)

    def known(self, game: str, key: str) -> bool:
        """Whether a move was accepted under this idempotency key."""
        if any(self.redis.hmget(self.key(game, "keys"), names(key))) or not self._sent(game).keys().isdisjoint(names(key)):
            return True
        packed = self.packed(game)
        return packed is not None and key in packed.keys

    def work(self, known: Mapping[str, int]) -> dict[str, Waiting]:
        """Games in which something waits, of those whose logs are known up to these versions."""
        parts = ("pending", "moves", "outbox", "log")
        calls = [([self.key(game, part) for part in parts], [MOST_AT_ONCE - 1, f"{after}-0"]) for game, after in known.items()]
        found = {game: self._waiting(game, *each) for game, each in zip(known, run_all(self.redis, self._work, calls), strict=True)}
        return {game: waiting for game, waiting in found.items() if waiting.submissions or waiting.notices}

    def _waiting(self, game: str, ids: list[bytes], found: list[bytes | None], notices: list[bytes], news: list[Any]) -> Waiting:
        for move, data in zip(ids, found, strict=True):
            if data is None:  # never whole: nothing to judge
                self.redis.lrem(self.key(game, "pending"), 0, move)
        entries = [Stored(int(id.partition(b"-")[0]), fields[1]) for id, fields in news]
        return Waiting(_readable(game, found), notices, entries)

    def pending(self, game: str) -> list[Submission]:
        ids: Any = self.redis.lrange(self.key(game, "pending"), 0, MOST_AT_ONCE - 1)
        found: Any = self.redis.hmget(self.key(game, "moves"), ids) if ids else []
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
        before: bytes = b"",
    ) -> Commit:
        """All of it or nothing, after `version`."""
        return self.commit_all([Changes(game, version, [Change(entries, head, notices, move, outcome)], before)])[0][0]

    def commit_all(self, games: Sequence[Changes]) -> list[list[Commit]]:
        """What became of each change of each game, up to the first that was not written. The disk is waited for once."""
        parts = ("log", "moves", "pending", "outcomes", "outbox", "head", "packed")
        calls = [([self.key(each.game, part) for part in parts], _packed_up(each)) for each in games]
        became = run_all(self.redis, self._commit, calls, self.replicas)
        return [self._became(each, found) for each, found in zip(games, became, strict=True)]

    def _became(self, changes: Changes, found: list[bytes]) -> list[Commit]:
        if found == [b"packed"]:
            self.unpack(changes.game)
            return self.commit_all([changes])[0]
        return [Commit(each) for each in found]

    def outcome(self, game: str, move: str) -> bytes | None:
        found: bytes | None = self.redis.hget(self.key(game, "outcomes"), move)
        return found

    def outcomes(self, game: str) -> dict[str, bytes]:
        return {move.decode(): data for move, data in self.redis.hgetall(self.key(game, "outcomes")).items()}

    def keys(self, game: str) -> dict[str, bytes]:
        """The idempotency keys of the game's moves."""
        return {key.decode(): move for key, move in self.redis.hgetall(self.key(game, "keys")).items()}

    def submission(self, game: str, move: str) -> Submission | None:
        found: Any = self.redis.hget(self.key(game, "moves"), move)
        return _submission.decode(found) if found else None

    def delivered(self, told: Mapping[str, Sequence[bytes]]) -> None:
        """Notices, by game."""
        with self.redis.pipeline(transaction=False) as pipe:
            for game, notices in told.items():
                for notice in notices:
                    pipe.lrem(self.key(game, "outbox"), 1, notice)
            pipe.execute()

    def has_work(self, game: str) -> bool:
        return bool(self.redis.exists(self.key(game, "pending"), self.key(game, "outbox")))

    def say(self, game: str, message: str, data: bytes, notices: Sequence[bytes] = ()) -> None:
        """Table talk, once for each id, and whom to tell of it."""
        keys = [self.key(game, part) for part in ("said", "outbox", "log", "packed")]
        if not self._say(keys=keys, args=[message, data, *notices]):
            raise PutAway

    def said(self, game: str) -> list[bytes]:
        return list(self.redis.hgetall(self.key(game, "said")).values())

    def brought_back(self, game: str) -> None:
        """It lies in no archive any more."""
        self.redis.delete(self.key(game, "archived"))

    def archived(self, game: str) -> str:
        """In which archive it lies; empty if in none."""
        found: bytes | None = self.redis.get(self.key(game, "archived"))
        return (found or b"").decode()

    def stand(self, game: str, player: str, orders: str) -> None:
        """Keep a player's standing orders, in place of earlier ones. They are intentions, no deeds: the log knows nothing of them."""
        self.redis.hset(self.key(game, "standing"), player, orders)

    def standing(self, game: str, player: str) -> str:
        found: bytes | None = self.redis.hget(self.key(game, "standing"), player)
        return (found or b"").decode()

    def stand_down(self, game: str, player: str) -> None:
        self.redis.hdel(self.key(game, "standing"), player)

    def probe(self) -> None:
        """Raises if the store does not answer or takes no writes."""
        self.redis.set("probe", 1, ex=60)

    def unfinished(self) -> set[str]:
        """Games in which something waits, found by that alone."""
        lists = self.redis.scan_iter("game:{*", count=1000, _type="list")
        return {_game_of(key) for key in lists}

    def all_games(self) -> list[str]:
        """Every game there is, found by its log alone."""
        found = (key for part in ("log", "packed") for key in self.redis.scan_iter(f"game:{{*}}:{part}", count=1000))
        return sorted({_game_of(key) for key in found})


def _readable(game: str, rows: Sequence[bytes | None]) -> list[Submission]:
    """A move that cannot be read holds up none of the others."""
    found = []
    for row in rows:
        try:
            found += [_submission.decode(row)] if row else []
        except msgspec.DecodeError:
            log.warning("game %s: a move that waits there cannot be read", game)
    return found


def _game_of(key: bytes) -> str:
    return key.decode().split("{")[1].split("}")[0]


def _packed_up(changes: Changes) -> list[Any]:
    """As the script takes them: how many entries and notices there are stands before them."""
    args: list[Any] = [changes.version, changes.before]
    for each in changes.changes:
        args += (each.move, each.outcome, each.head, len(each.entries), len(each.notices), *each.entries, *each.notices)
    return args


def _stored(entry: Any) -> Stored:
    return Stored(int(entry[0].split(b"-")[0]), entry[1][b"e"])
