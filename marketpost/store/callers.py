"""Reads who calls, and the game that they ask about, in one request."""

from typing import NamedTuple

from marketpost.store.changes import Stored
from marketpost.store.credentials import Token, decode_token, token_key
from marketpost.store.game_logs import GameLogs, as_stored
from marketpost.store.players import Player, decode_player, player_key
from marketpost.store.redis_client import RedisClient

MOST_KNOWN = 10_000


class Caller(NamedTuple):
    """A token, the player whose token it is, and the newest entries of a game; None for what was not asked for or is not there."""

    token: Token | None = None
    player: Player | None = None
    news: list[Stored] | None = None


class Callers:
    """Reads callers. Whose a token was is remembered, so that all of it is read in one request from the second call on."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._players: dict[str, str] = {}
        """The player of each token that was read, by the token's key."""

    def read(self, secret: str, game: str = "", after: int = 0) -> Caller:
        """Read the token with this secret and its player; for a known token also the entries of a game after a version."""
        key = token_key(secret)
        player = self._players.get(key, "")
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.get(key)
            if player:
                pipe.get(player_key(player))
            if player and game:
                pipe.xrange(GameLogs.key(game, "log"), min=f"{after + 1}-0")
            found, *others = pipe.execute()
        token = decode_token(found)
        if token is None:
            return Caller()
        if token.player != player:
            return Caller(token, self._first(key, token.player))
        return Caller(token, decode_player(others[0]), [as_stored(each) for each in others[1]] if game else None)

    def _first(self, key: str, player: str) -> Player | None:
        if len(self._players) >= MOST_KNOWN:
            self._players.clear()
        self._players[key] = player
        return decode_player(self.redis.get(player_key(player)))
