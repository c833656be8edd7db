"""Outbound letters that wait or were sent, inbound messages, and the reply tokens that say what an inbound message answers."""

import hashlib
import logging
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any

import msgspec

from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.bounce_addresses import BounceAddresses
from marketpost.store.connections import Call, run_all, run_surely
from marketpost.store.held_texts import HeldTexts, held_key
from marketpost.store.leases import Leases
from marketpost.store.open_questions import OpenQuestions
from marketpost.store.redis_client import RedisClient

REPLY_LIVES = 400 * 24 * 3600
LETTER_LIVES = 90 * 24 * 3600
"""Seconds for which a closed letter stays stored."""
NOBODY_LIVES = 24 * 3600
"""Seconds for which a message that leads to no player stays stored; a server that sends it again does so within a day."""
AT_ONCE = 1000


class LetterStatus(StrEnum):
    """What became of a letter. The values are stored."""

    WAITING = "waiting"
    SENT = "sent"
    SUPERSEDED = "superseded"
    """Another letter has the same news, or the news was outdated when the letter was due."""
    NOT_WANTED = "not-wanted"
    """The player was erased, has no working address, or does not want such letters."""
    HELD_BACK = "held-back"
    """A rate limit for letters was reached."""
    REFUSED = "refused"
    """The recipient's server refused it for good."""
    GIVEN_UP = "given-up"
    """It could not be composed, or its delivery failed for days."""


class OutboundLetter(msgspec.Struct, omit_defaults=True):
    """One letter to one player. The id follows from the occasion, so that the same occasion is enqueued once."""

    id: str
    player: str
    letter: str
    at: int
    due: int
    game: str | None = None
    version: int | None = None
    seat: int | None = None
    values: dict[str, Any] = {}
    by: str | None = None
    """The player who caused the letter, if one did."""
    status: LetterStatus = LetterStatus.WAITING
    reason: str = ""
    attempts: int = msgspec.field(default=0, name="tries")
    done: int | None = None


class ReplyContext(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a reply token stands for: the player, the game and turn, and what a yes is for."""

    player: str
    game: str | None = None
    seat: int | None = None
    turn: int | None = None
    version: int | None = None
    """Version of the game when the letter was written."""
    held: str | None = None
    """Id of the held message that waits for this player's yes."""
    asks: str | None = None
    """Id of the question that waits for this player's yes."""
    letter: str = ""
    """The kind of letter that is answered."""


class InboundMessage(msgspec.Struct, omit_defaults=True):
    """A message that came in, and how far it has been acted on."""

    id: str
    at: int
    recipients: list[str]
    status: str = "waiting"
    attempts: int = msgspec.field(default=0, name="tries")
    orders: str = ""
    also: list[str] = []
    """What its commands did, for the same answer as its orders."""
    asked: list[str] = []
    """What its commands asked to see, for the same answer as its orders."""
    settles: str | None = None
    """Id of the held message that it confirms or rejects."""
    answers: str | None = None
    """Id of the question that it says yes to."""
    verdict: AuthVerdict = AuthVerdict.NONE
    """Whether the domain of the sender's address has sent it."""
    words: str = ""
    """Digest of its text, to recognize another text under the same Message-ID."""

    @property
    def key(self) -> str:
        """Idempotency key of what this message asks; a yes has that of the held message or the question that it answers."""
        return f"question {self.answers}" if self.answers else f"mail {self.settles or self.id}"


class MessageIdUse(StrEnum):
    """How an inbound message relates to earlier ones with the same Message-ID."""

    FIRST = "first"
    COPY = "copy"
    """The same text as the first."""
    OTHER_TEXT = "other-text"


# PUT: enqueue a letter.
# KEYS: the letter, the queue of letters, the player's letters. ARGV: letter, id, when it is due, when it was written.
# Result: 1, or 0 if this id was enqueued before. Atomic, so that a notice that is delivered twice becomes one letter.
PUT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
redis.call('PERSIST', KEYS[3])
return 1
"""

# CLOSE: close a letter that was sent or given up.
# KEYS: the letter, the queue of letters, the player's letters. ARGV: letter, id, seconds for which it is still known, moment
# before which older letters leave the player's list. Result: 1, or 0 if the letter is gone.
# Atomic. Race: the player is erased, or another worker closes the letter, while this one sends it. An erased letter is not written
# again, and a closed one stays as it is.
CLOSE = """
local out, due, of = unpack(KEYS)
local row, id, lives, old = unpack(ARGV)
if redis.call('EXISTS', out) == 0 then
  redis.call('ZREM', due, id)
  return 0
end
if not redis.call('ZSCORE', due, id) then return 1 end
redis.call('SET', out, row, 'EX', lives)
redis.call('ZREM', due, id)
redis.call('EXPIRE', of, lives)
redis.call('ZREMRANGEBYSCORE', of, '-inf', old)
return 1
"""

# PUT_OFF: make a letter due again later.
# KEYS: the letter, the queue of letters. ARGV: letter as it was read, letter, id, when it is due.
# Result: 1, or 0 if the letter has changed since it was read: the caller reads it again.
# Atomic. Race: a player named in the letter is erased while a worker attempts to send it; the erased text is not written back.
PUT_OFF = """
local out, due = unpack(KEYS)
local seen, row, id, at = unpack(ARGV)
if redis.call('GET', out) ~= seen then return 0 end
if redis.call('ZSCORE', due, id) then
  redis.call('SET', out, row)
  redis.call('ZADD', due, at, id)
end
return 1
"""

# REPLACE: change a value that is still as it was read.
# KEYS: the value. ARGV: as it was read, the new one. Result: 1, or 0 if it has changed: the caller reads it again.
# Atomic, so that an erasure never overwrites what a worker has just written.
REPLACE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
"""

# RECEIVE: store a message that came in, raw, and enqueue it.
# KEYS: the message, its raw bytes, the queue of unread messages. ARGV: message, raw bytes, id, when it came. No result.
# Atomic, so that a message is never queued without its bytes. The id follows from the bytes: a mail that a server sends twice is one.
RECEIVE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[3])
"""

log = logging.getLogger("marketpost.post")
_mail = msgspec.json.Decoder(OutboundLetter)
_reply = msgspec.json.Decoder(ReplyContext)
_inbound = msgspec.json.Decoder(InboundMessage)


class MailQueue:
    """Stores letters to send, messages to read, and reply tokens."""

    def __init__(self, redis: RedisClient, replicas: int = 0) -> None:
        self.redis, self.replicas = redis, replicas
        self._put = redis.register_script(PUT)
        self._close = redis.register_script(CLOSE)
        self._put_off = redis.register_script(PUT_OFF)
        self._replace = redis.register_script(REPLACE)
        self._receive = redis.register_script(RECEIVE)
        self._leases = Leases(redis)
        self.questions = OpenQuestions(redis)
        self.bounces = BounceAddresses(redis)
        self.held = HeldTexts(redis)

    @staticmethod
    def key(*parts: str) -> str:
        """Name a key. All mail has one hash tag: letters and messages are queued for the whole service, not by game."""
        return ":".join(("{mail}", *parts))

    def put(self, mails: Sequence[OutboundLetter]) -> bool:
        """Enqueue letters; False if all of them were enqueued before."""
        calls: list[Call] = [(self._places(mail), [msgspec.json.encode(mail), mail.id, mail.due, mail.at]) for mail in mails]
        return any(run_all(self.redis, self._put, calls))

    def _places(self, mail: OutboundLetter) -> list[str]:
        return [self.key("out", mail.id), self.key("due"), self.key("of", mail.player)]

    def take(self, now: int, most: int) -> list[OutboundLetter]:
        """Lease up to `most` letters that are due.

        Fault: a backup may read letter and queue at different moments. A closed letter that is still queued after a restore is taken off.
        """
        found = self._all(self._leases.take(self.key("due"), now, most))
        if done := [mail.id for mail in found if mail.status != LetterStatus.WAITING]:
            self.redis.zrem(self.key("due"), *done)
        return [mail for mail in found if mail.status == LetterStatus.WAITING]

    def _all(self, ids: list[str]) -> list[OutboundLetter]:
        """Read letters in one request; those that are gone or cannot be decoded are left out."""
        found = self.redis.mget([self.key("out", id) for id in ids]) if ids else []
        return [mail for id, each in zip(ids, found, strict=True) if each and (mail := _readable(id, each))]

    def find(self, id: str) -> OutboundLetter | None:
        """Read a letter; None if it is unknown or too old."""
        found = self.redis.get(self.key("out", id))
        return _mail.decode(found) if found else None

    def record_attempt(self, mail: OutboundLetter) -> bool:
        """Store the result of an attempt: the letter is due again later, or closed. False if it was erased meanwhile."""
        if mail.status == LetterStatus.WAITING:
            return self._delay(mail)
        return bool(self._close(self._places(mail), [msgspec.json.encode(mail), mail.id, LETTER_LIVES, mail.at - LETTER_LIVES * 1000]))

    def discard(self, mail: OutboundLetter) -> None:
        """Delete a letter that was not sent, because another letter tells all of it."""
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.zrem(self.key("due"), mail.id)
            pipe.zrem(self.key("of", mail.player), mail.id)
            pipe.delete(self.key("out", mail.id))
            pipe.execute()

    def _delay(self, mail: OutboundLetter) -> bool:
        """Make a letter due again with the values that are stored now. Race: an erasure removes a name from the letter while a worker
        attempts to send it; the script compares what was read, and the worker reads again."""
        out, due = self.key("out", mail.id), self.key("due")
        while found := self.redis.get(out):
            row = msgspec.json.encode(msgspec.structs.replace(mail, values=_mail.decode(found).values))
            if self._put_off(keys=[out, due], args=[found, row, mail.id, mail.due]):
                return True
        self.redis.zrem(due, mail.id)
        return False

    def of(self, player: str, before: float | None = None, most: int = 50) -> list[OutboundLetter]:
        """List the letters to a player that were written before a moment, newest first."""
        return self.of_all([(player, before)], most)[0]

    def of_all(self, asked: Sequence[tuple[str, float | None]], most: int = 50) -> list[list[OutboundLetter]]:
        """List the letters to each of these players, newest first, written before the moment beside their id."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player, before in asked:
                top = "+inf" if before is None else f"({before!r}"
                pipe.zrevrangebyscore(self.key("of", player), top, "-inf", start=0, num=most)
            listed = [[id.decode() for id in ids] for ids in pipe.execute()]
        found = {mail.id: mail for mail in self._all([*dict.fromkeys(id for ids in listed for id in ids)])}
        return [[mail for id in ids if (mail := found.get(id))] for ids in listed]

    def erase(self, player: str, address: str) -> None:
        """Delete all letters to a player, and remove their address from letters, messages and questions of others."""
        for id in self.redis.zrange(self.key("of", player), 0, -1):
            self.redis.delete(self.key("out", id.decode()))
            self.redis.zrem(self.key("due"), id)
        self.redis.delete(self.key("of", player))
        theirs = re.compile(rb"(?<![\w.+-])" + re.escape(address.encode()) + rb"(?![\w-])", re.IGNORECASE)
        for pattern in (self.key("raw", "*"), held_key("*")):
            for key in self.redis.scan_iter(pattern, count=1000):
                if theirs.search(self.redis.get(key) or b""):
                    self.redis.delete(key)
        for id in self.redis.zrange(self.key("due"), 0, -1):
            self._remove_address(self.key("out", id.decode()), theirs)
        for part in ("in", "question"):
            for key in self._keys_with(theirs, self.redis.scan_iter(self.key(part, "*"), count=1000)):
                self._remove_address(key, theirs)

    def _keys_with(self, theirs: re.Pattern[bytes], keys: Iterator[bytes]) -> Iterator[bytes]:
        """Find the keys whose value has this address, reading a thousand at a time."""
        while some := list(islice(keys, AT_ONCE)):
            rows = zip(some, self.redis.mget(some), strict=True)
            yield from (key for key, row in rows if row and theirs.search(row))

    def _remove_address(self, key: str | bytes, theirs: re.Pattern[bytes]) -> None:
        """Replace an address by `?` in a stored value. Race: a worker closes or delays the letter at the same time; the script compares
        what was read, and the erasure reads again."""
        while (found := self.redis.get(key)) and theirs.search(found):
            self._replace(keys=[key], args=[found, theirs.sub(b"?", found)])

    def due(self, now: int) -> bool:
        """Whether a letter is due or a message is unread."""
        return self._leases.due(now, self.key("due"), self.key("unread")) > 0

    def bind(self, token: str, reply: ReplyContext) -> None:
        """Store what a reply token stands for. Only its hash is stored: whoever reads the store cannot answer for others."""
        self.redis.set(self.key("reply", _digest(token)), msgspec.json.encode(reply), ex=REPLY_LIVES)

    def reply(self, token: str) -> ReplyContext | None:
        """Read what a reply token stands for; None if it is unknown or expired."""
        found = self.redis.get(self.key("reply", _digest(token)))
        return _reply.decode(found) if found else None

    def receive(self, inbound: InboundMessage, raw: bytes) -> None:
        """Store a message with its raw bytes, once, and make it due at once, whatever the clocks of other machines say."""
        keys = [self.key("in", inbound.id), self.key("raw", inbound.id), self.key("unread")]
        in_seconds = inbound.at / 1000  # in the order of arrival, and before now by any clock, which counts milliseconds
        run_surely(self.redis, self._receive, keys, [msgspec.json.encode(inbound), raw, inbound.id, in_seconds], self.replicas)

    def save_progress(self, inbound: InboundMessage) -> None:
        """Store how far a message has been acted on, for the worker that reads it again if this one dies."""
        self.redis.set(self.key("in", inbound.id), msgspec.json.encode(inbound))

    def take_unread(self, now: int, most: int) -> list[str]:
        """Lease up to `most` unread messages. If the worker dies before it has finished one, another gets it when the lease ends."""
        return self._leases.take(self.key("unread"), now, most)

    def raw(self, id: str) -> bytes:
        """Read the raw bytes of a message; empty if they were deleted."""
        return self.redis.get(self.key("raw", id)) or b""

    def inbound(self, id: str) -> InboundMessage | None:
        """Read a message without its raw bytes; None if it is unknown."""
        found = self.redis.get(self.key("in", id))
        return _inbound.decode(found) if found else None

    def claim_message_id(self, message_id: str, inbound: InboundMessage, text: str, lives: int = REPLY_LIVES) -> MessageIdUse:
        """Claim a Message-ID for this message, or say how it relates to the message that has claimed it.

        Race: two workers may read two copies. `SET NX` lets one of them claim the id.
        """
        key, words = self.key("seen", _digest(message_id)), _digest(text)[:16]
        if self.redis.set(key, inbound.id, nx=True, ex=lives):
            inbound.words = words
            self.save_progress(inbound)
        if (id := (self.redis.get(key) or b"").decode()) == inbound.id:
            return MessageIdUse.FIRST
        first = self.inbound(id)
        return MessageIdUse.COPY if first is None or first.words in ("", words) else MessageIdUse.OTHER_TEXT

    def close_message(self, inbound: InboundMessage, *, held: bool = False, lives: int = REPLY_LIVES) -> None:
        """Close a message that was acted on, and delete its raw bytes; its recipients too, unless it waits for the player's yes."""
        kept = inbound if held else msgspec.structs.replace(inbound, recipients=[])
        settled = self.inbound(inbound.settles) if inbound.settles else None
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.set(self.key("in", inbound.id), msgspec.json.encode(kept), ex=lives)
            pipe.zrem(self.key("unread"), inbound.id)
            pipe.delete(self.key("raw", inbound.id))
            if inbound.settles:
                pipe.delete(held_key(inbound.settles))
            if settled:
                without = msgspec.structs.replace(settled, recipients=[])
                pipe.set(self.key("in", settled.id), msgspec.json.encode(without), ex=REPLY_LIVES)
            pipe.execute()

    def said_before(self, player: str, text: str, id: str, now: int, within: int) -> int:
        """Count the other messages with the same text from this player within this time. A message that is read again counts once."""
        key = self.key("said", player, _digest(text))
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.zremrangebyscore(key, "-inf", now - within)
            pipe.zadd(key, {id: now}, nx=True)
            pipe.pexpire(key, within)
            pipe.zrank(key, id)
            return int(pipe.execute()[-1])


def _readable(id: str, row: bytes) -> OutboundLetter | None:
    """Decode a letter. One that cannot be decoded is logged and left out, so that the others are still sent."""
    try:
        return _mail.decode(row)
    except msgspec.DecodeError:
        log.exception("letter %s cannot be decoded", id)
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
