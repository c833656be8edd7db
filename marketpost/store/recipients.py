"""Reads in one request what decides how players are told of games: themselves, their preferences and their targets."""

from collections.abc import Sequence
from typing import NamedTuple

from marketpost.store.channel_targets import ChannelTarget, ChannelTargets, decode_targets
from marketpost.store.players import MailPreference, Player, decode_player, decode_preference, player_key, preferences_key
from marketpost.store.redis_client import RedisClient


class StoredRecipient(NamedTuple):
    """A player, the preference for the game that was asked for, and all targets."""

    player: Player | None
    preference: MailPreference | None
    targets: list[ChannelTarget]


def read_recipients(redis: RedisClient, asked: Sequence[tuple[str, str]]) -> list[StoredRecipient]:
    """Read each of these players, for the game beside their id."""
    with redis.pipeline(transaction=False) as pipe:
        for player, game in asked:
            pipe.get(player_key(player))
            pipe.hget(preferences_key(player), game)
            pipe.hvals(ChannelTargets.key("of", player))
        found = iter(pipe.execute())
    rows = zip(found, found, found, strict=True)
    return [
        StoredRecipient(decode_player(player), decode_preference(preference), decode_targets(targets))
        for player, preference, targets in rows
    ]
