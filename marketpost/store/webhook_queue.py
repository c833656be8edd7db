"""Webhooks of players, and the calls of them that wait."""

import logging
from collections.abc import Collection, Sequence
from enum import StrEnum

import msgspec

from marketpost.store.connections import Call, run_all
from marketpost.store.leases import Leases
from marketpost.store.redis_client import RedisClient

MADE_CALL_LIVES = 7 * 24 * 3600
"""Seconds for which a call that was made stays known, so that a notice that is delivered twice is one call."""


class Webhook(msgspec.Struct, omit_defaults=True):
    """A URL of a player's own that is called for events. The key that signs the calls is derived from the id and not stored."""

    id: str
    player: str
    url: str
    kind: str
    """`plain`, `discord` or `slack`."""
    created: int
    game: str | None = None
    """Only for this game; None for all of the player's games."""
    off: int | None = None
    """When it was switched off; None while it is on."""
    last_success: int | None = None
    last_error: str = ""
    last_error_at: int | None = None
    failures: int = 0
    """Failed calls in a row."""
    failing_since: int | None = None
    again: int = 0
    """Moment of the next attempt, by its backoff."""

    def is_called_for(self, game: str) -> bool:
        """Whether it is switched on and meant for this game."""
        return self.off is None and self.game in (None, game)


class CallOutcome(StrEnum):
    """Outcome of one call of a webhook."""

    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookCall(msgspec.Struct, omit_defaults=True):
    """A call of one webhook for one event. The id follows from both, so that the same call is enqueued once."""

    id: str
    hook: str
    player: str
    event: str
    at: int
    due: int
    game: str
    version: int
    seat: int
    values: dict[str, str] = {}


# MAKE: register a webhook.
# KEYS: the player's webhooks. ARGV: id, webhook, most webhooks of a player. Result: 1, or 0 if the player has as many already.
# Atomic, so that requests at once cannot exceed the limit; the same id is the same webhook.
MAKE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""

# UPDATE: update a webhook after a call.
# KEYS: the player's webhooks. ARGV: id, webhook. No result.
# Atomic. Race: a player deletes the webhook while a worker calls it; a deleted one is not written again.
UPDATE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
"""

# PUT: enqueue a call.
# KEYS: the call, the queue of calls. ARGV: call, id, when it is due. Result: 1, or 0 if this id was enqueued before.
# Atomic, so that a notice that is delivered twice becomes one call. A call that was made stays known for a week.
PUT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
return 1
"""

log = logging.getLogger("marketpost.hooks")
_hook = msgspec.json.Decoder(Webhook)
_call = msgspec.json.Decoder(WebhookCall)


class WebhookQueue:
    """Stores webhooks, and queues calls of them."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._make = redis.register_script(MAKE)
        self._update = redis.register_script(UPDATE)
        self._put = redis.register_script(PUT)
        self._leases = Leases(redis)

    @staticmethod
    def key(*parts: str) -> str:
        """Name a key. All webhooks have one hash tag, so that one script can use several keys."""
        return ":".join(("{hooks}", *parts))

    def make(self, hook: Webhook, most: int) -> bool:
        """Register a webhook; False if the player has `most` already."""
        return bool(self._make(keys=[self.key("of", hook.player)], args=[hook.id, msgspec.json.encode(hook), most]))

    def of(self, player: str) -> list[Webhook]:
        """List a player's webhooks, oldest first."""
        return self.of_all([player])[player]

    def of_all(self, players: Collection[str]) -> dict[str, list[Webhook]]:
        """List the webhooks of several players, oldest first, in one request."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.hvals(self.key("of", player))
            found = [map(_hook.decode, hooks) for hooks in pipe.execute()]
        return {player: sorted(hooks, key=lambda hook: (hook.created, hook.id)) for player, hooks in zip(players, found, strict=True)}

    def find(self, player: str, id: str) -> Webhook | None:
        """Read a webhook of a player; None if there is none with this id."""
        found = self.redis.hget(self.key("of", player), id)
        return _hook.decode(found) if found else None

    def update(self, hook: Webhook) -> None:
        """Update a webhook, unless the player has deleted it."""
        self._update(keys=[self.key("of", hook.player)], args=[hook.id, msgspec.json.encode(hook)])

    def delete(self, player: str, id: str) -> bool:
        """Delete a webhook; False if the player has none with this id."""
        return bool(self.redis.hdel(self.key("of", player), id))

    def erase(self, player: str) -> None:
        """Delete all webhooks of a player. Calls that still wait find no webhook."""
        self.redis.delete(self.key("of", player))

    def put(self, calls: Sequence[WebhookCall]) -> None:
        """Enqueue calls; those that were enqueued before are left out."""
        due = self.key("due")
        each: list[Call] = [([self.key("call", call.id), due], [msgspec.json.encode(call), call.id, call.due]) for call in calls]
        run_all(self.redis, self._put, each)

    def take(self, now: int, most: int) -> list[WebhookCall]:
        """Lease up to `most` calls that are due."""
        found = ((id, self.redis.get(self.key("call", id))) for id in self._leases.take(self.key("due"), now, most))
        return [call for id, data in found if data and (call := _readable(id, data))]

    def later(self, call: WebhookCall, due: int) -> None:
        """Make a call due again later."""
        self.redis.zadd(self.key("due"), {call.id: due}, xx=True)

    def done(self, call: WebhookCall) -> None:
        """Close a call. Its id stays known for a week, so that a notice that is delivered again does not repeat it."""
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.set(self.key("call", call.id), b"", ex=MADE_CALL_LIVES)
            pipe.zrem(self.key("due"), call.id)
            pipe.execute()

    def due(self, now: int) -> int:
        """Count the calls that are due."""
        return self._leases.due(now, self.key("due"))

    def waiting(self) -> int:
        """Count all calls that wait, due or not."""
        return self.redis.zcard(self.key("due"))


def _readable(id: str, row: bytes) -> WebhookCall | None:
    """Decode a call. One that cannot be decoded is logged and left out, so that the others are still made."""
    try:
        return _call.decode(row)
    except msgspec.DecodeError:
        log.exception("call %s cannot be decoded", id)
        return None
