"""Targets that players have added to be notified by other channels than letters."""

from collections.abc import Iterable
from urllib.parse import urlsplit

import msgspec

from marketpost.store.redis_client import RedisClient


class ChannelTarget(msgspec.Struct, omit_defaults=True):
    """A place of a player's own that is told of events. The key that signs messages is derived from the id and not stored."""

    id: str
    player: str
    url: str
    channel: str = msgspec.field(name="kind")
    created: int
    game: str | None = None
    """Only for this game; None for all of the player's games."""
    off: int | None = None
    """When it was switched off; None while it is on."""
    last_success: int | None = None
    last_error: str = ""
    last_error_at: int | None = None
    failures: int = 0
    """Failed attempts in a row."""
    failing_since: int | None = None
    again: int = 0
    """Moment of the next attempt, by its backoff."""
    session: str | None = None
    """Id of the token that it serves: it ends when that is revoked or expires. None for a target that stays."""

    def __post_init__(self) -> None:
        """Read what version 1.0 has stored: it called the channel of programs `plain`."""
        if self.channel == "plain":
            self.channel = "webhook"

    @property
    def host(self) -> str:
        """Return the host, or the channel if the URL has none; the rest of the URL may be a secret and is never shown."""
        host = urlsplit(self.url).hostname or ""
        return host if "." in host or ":" in host else self.channel

    def is_called_for(self, game: str) -> bool:
        """Whether it is switched on and meant for this game."""
        return self.off is None and self.game in (None, game)


# MAKE: register a target.
# KEYS: the player's targets. ARGV: id, target, most targets of a player. Result: 1, or 0 if the player has as many already.
# Atomic, so that requests at once cannot exceed the limit; the same id is the same target.
MAKE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""

# UPDATE: update a target after an attempt.
# KEYS: the player's targets. ARGV: id, target. No result.
# Atomic. Race: a player deletes the target while a worker uses it; a deleted one is not written again.
UPDATE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
"""

_target = msgspec.json.Decoder(ChannelTarget)


def decode_targets(found: Iterable[bytes]) -> list[ChannelTarget]:
    """Decode stored targets, oldest first."""
    return sorted(map(_target.decode, found), key=lambda each: (each.created, each.id))


class ChannelTargets:
    """Stores the targets of all players."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._make = redis.register_script(MAKE)
        self._update = redis.register_script(UPDATE)

    @staticmethod
    def key(*parts: str) -> str:
        """Name a key. All targets have one hash tag, so that one script can use several keys."""
        return ":".join(("{hooks}", *parts))

    def make(self, target: ChannelTarget, most: int) -> bool:
        """Register a target; False if the player has `most` already."""
        return bool(self._make(keys=[self.key("of", target.player)], args=[target.id, msgspec.json.encode(target), most]))

    def of(self, player: str) -> list[ChannelTarget]:
        """List a player's targets, oldest first."""
        return decode_targets(self.redis.hvals(self.key("of", player)))

    def find(self, player: str, id: str) -> ChannelTarget | None:
        """Read a target of a player; None if there is none with this id."""
        found = self.redis.hget(self.key("of", player), id)
        return _target.decode(found) if found else None

    def update(self, target: ChannelTarget) -> None:
        """Update a target, unless the player has deleted it."""
        self._update(keys=[self.key("of", target.player)], args=[target.id, msgspec.json.encode(target)])

    def delete(self, player: str, id: str) -> bool:
        """Delete a target; False if the player has none with this id."""
        return bool(self.redis.hdel(self.key("of", player), id))

    def erase(self, player: str) -> None:
        """Delete all targets of a player. Deliveries that still wait find none."""
        self.redis.delete(self.key("of", player))
