"""Inbound messages, and the reply tokens that say what an inbound message answers."""

import hashlib
import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from typing import Any

import msgspec

from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.bounce_addresses import BounceAddresses
from marketpost.store.connections import run_surely
from marketpost.store.held_texts import HeldTexts, held_key
from marketpost.store.leases import Leases
from marketpost.store.message_parts import MessageParts
from marketpost.store.open_questions import OpenQuestions
from marketpost.store.redis_client import RedisClient
from marketpost.store.stored_addresses import AddressRemoval, address_pattern

REPLY_LIVES = 400 * 24 * 3600
NOBODY_LIVES = 24 * 3600
"""Seconds for which a message that leads to no player stays stored; a server that sends it again does so within a day."""
NAMED_FOR = 30 * 24 * 3600
"""Seconds for which an answer to a letter is found by its Message-ID, when its sender asks what became of it."""
AT_ONCE = 1000


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
    games: dict[str, "ReplyContext"] = {}
    """The games that a reply may name, by their labels in the letter."""
    shows_next: bool = False
    """Whether a letter about one game shows another one to decide in: orders without a label are then asked about."""


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
    settled_by: str = ""
    """Of a held message: id of the message that confirmed or rejected it."""
    answers: str | None = None
    """Id of the question that it says yes to."""
    came_back: str = ""
    """Of a bounce or a complaint: id of the letter that it is about."""
    verdict: AuthVerdict = AuthVerdict.NONE
    """Whether the domain of the sender's address has sent it."""
    too_late: bool = False
    """Whether its orders answer a letter whose turn is over."""
    other_address: bool = False
    """Whether it came from an address that is not its player's."""
    copies: list[str] = []
    """Ids of its copies, one for each of our addresses that it was sent to."""
    copy_of: str = ""
    """Id of the message that has its Message-ID already."""
    words: str = ""
    """Digest of its text, to recognize another text under the same Message-ID."""
    reply: ReplyContext | None = None
    """What it answers, if that letter names games by labels."""
    labels: list[str] = []
    """Its parts, if it has parts for several games; each is a message of its own that is never queued."""
    complete: bool = False
    """Whether all parts were acted on; their orders may still wait for a worker."""
    answer: dict[str, Any] | None = None
    """Of a part: its share of the one answer to the whole message."""
    game: str = ""
    move: str = ""
    """The move that its orders became, and its game."""
    done: int | None = None
    """When it was acted on."""

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


# RECEIVE: store a message that came in, raw, and enqueue it.
# KEYS: the message, its raw bytes, the queue of unread messages. ARGV: message, raw bytes, id, when it came. No result.
# Atomic, so that a message is never queued without its bytes. The id follows from the bytes: a mail that a server sends twice is one.
RECEIVE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[3])
"""

_reply = msgspec.json.Decoder(ReplyContext)
_inbound = msgspec.json.Decoder(InboundMessage)


class MailQueue:
    """Stores messages to read, and reply tokens."""

    def __init__(self, redis: RedisClient, replicas: int = 0) -> None:
        self.redis, self.replicas = redis, replicas
        self._receive = redis.register_script(RECEIVE)
        self._leases = Leases(redis)
        self._addresses = AddressRemoval(redis)
        self.questions = OpenQuestions(redis)
        self.bounces = BounceAddresses(redis)
        self.held = HeldTexts(redis)
        self.parts = MessageParts(redis, REPLY_LIVES)

    @staticmethod
    def key(*parts: str) -> str:
        """Name a key. All mail has one hash tag: messages are queued for the whole service, not by game."""
        return ":".join(("{mail}", *parts))

    def erase(self, address: str) -> None:
        """Delete raw messages with this address, and remove it from messages and questions."""
        theirs = address_pattern(address)
        for pattern in (self.key("raw", "*"), held_key("*")):
            for key in self.redis.scan_iter(pattern, count=1000):
                if theirs.search(self.redis.get(key) or b""):
                    self.redis.delete(key)
        for part in ("in", "question"):
            for key in self._keys_with(theirs, self.redis.scan_iter(self.key(part, "*"), count=1000)):
                self._addresses.remove(key, theirs)

    def _keys_with(self, theirs: re.Pattern[bytes], keys: Iterator[bytes]) -> Iterator[bytes]:
        """Find the keys whose value has this address, reading a thousand at a time."""
        while some := list(islice(keys, AT_ONCE)):
            rows = zip(some, self.redis.mget(some), strict=True)
            yield from (key for key, row in rows if row and theirs.search(row))

    def due(self, now: int) -> bool:
        """Whether a message is unread."""
        return self._leases.due(now, self.key("unread")) > 0

    def unread(self) -> int:
        """Count the messages that nobody has read to the end."""
        return self.redis.zcard(self.key("unread"))

    def oldest_unread(self) -> int | None:
        """Read when the message came that is taken next; None if there is none."""
        first = self.redis.zrange(self.key("unread"), 0, 0)
        try:
            inbound = self.inbound(first[0].decode()) if first else None
        except msgspec.DecodeError:
            return None  # whoever takes it sets it aside
        return inbound.at if inbound else None

    def set_aside(self, id: str) -> None:
        """Take a message off the queue that cannot be decoded; what is stored of it stays, for the operator."""
        self.redis.zrem(self.key("unread"), id)

    def bind(self, token: str, reply: ReplyContext) -> None:
        """Store what a reply token stands for. Only its hash is stored: whoever reads the store cannot answer for others."""
        self.redis.set(self.key("reply", _digest(token)), msgspec.json.encode(reply), ex=REPLY_LIVES)

    def unbind(self, token: str) -> None:
        """Delete a reply token."""
        self.redis.delete(self.key("reply", _digest(token)))

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

    def name_message(self, message_id: str, id: str, lives: int) -> None:
        """Let the operator find a message by its Message-ID; the first that has it, whatever is sent under the same one later."""
        if message_id:
            self.redis.set(self.key("named", _digest(message_id.strip("<> "))), id, nx=True, ex=lives)

    def named(self, message_id: str) -> str:
        """Find the id of the message with this Message-ID; empty if there is none."""
        return (self.redis.get(self.key("named", _digest(message_id.strip("<> ")))) or b"").decode()

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
        inbound.copy_of = id
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
                without = msgspec.structs.replace(settled, recipients=[], settled_by=inbound.id)
                pipe.set(self.key("in", settled.id), msgspec.json.encode(without), ex=REPLY_LIVES)
            pipe.execute()

    def close_part(self, part: InboundMessage) -> None:
        """Store a part of a message, which has neither raw bytes nor a place in the queue."""
        self.redis.set(self.key("in", part.id), msgspec.json.encode(part), ex=REPLY_LIVES)

    def said_before(self, player: str, text: str, id: str, now: int, within: int) -> int:
        """Count the other messages with the same text from this player within this time. A message that is read again counts once."""
        key = self.key("said", player, _digest(text))
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.zremrangebyscore(key, "-inf", now - within)
            pipe.zadd(key, {id: now}, nx=True)
            pipe.pexpire(key, within)
            pipe.zrank(key, id)
            return int(pipe.execute()[-1])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
