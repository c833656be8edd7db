"""Sign-in codes, tokens, and the networks that players signed in from. Of secrets and codes only hashes are stored."""

import hashlib
from contextlib import suppress
from typing import NamedTuple

import msgspec
from redis import RedisError

from marketpost.store.player_scripts import TOUCH, USE_CODE
from marketpost.store.redis_client import RedisClient

CODE_LIVES = 15 * 60
USED_CODE_LIVES = 60
TOKEN_LIVES = 400 * 24 * 3600
MOST_NETWORKS = 10


class CodeAsker(NamedTuple):
    """Whoever asks for a sign-in code, or presents one. A code is accepted only from the one who asked for it.

    Guesses are compared with the guesser's own codes, so that they neither find nor use up those of others.
    """

    request: str = ""
    """Secret that was returned to the asker; shown with the code, it is accepted from any network."""
    network: str = ""
    """Network address of the asker; empty for any."""


ANYBODY = CodeAsker()
"""The operator, whose codes are valid for anybody."""


class Token(msgspec.Struct, frozen=True):
    """An API token, without its secret."""

    id: str
    player: str
    scopes: tuple[str, ...]
    label: str
    created: int
    expires: int
    used: int = 0
    """The hour in which it was used last, in milliseconds; 0 if it never was."""


_token = msgspec.json.Decoder(Token)


class Credentials:
    """Stores sign-in codes, tokens, and the networks that players signed in from."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._use_code = redis.register_script(USE_CODE)
        self._touch = redis.register_script(TOUCH)

    def store_code(self, email: str, code: str, asker: CodeAsker = ANYBODY) -> None:
        """Store a sign-in code for an address; codes that others have asked for stay valid."""
        key = _code(email, code)
        with self.redis.pipeline(transaction=True) as pipe:  # a process that dies half-way leaves no code without an expiry
            pipe.hset(key, mapping=_hashed(asker)._asdict())
            pipe.expire(key, CODE_LIVES)
            pipe.execute()

    def use_code(self, email: str, code: str, secret: str, asker: CodeAsker = ANYBODY) -> bool:
        """Use up a code for the token with this secret, which may use it again for a minute; False if it is not valid for this asker."""
        return bool(self._use_code(keys=[_code(email, code)], args=[*_hashed(asker), _digest(secret), USED_CODE_LIVES]))

    def note_sign_in(self, player: str, network: str, at: int) -> None:
        """Record the pseudonym of a network that a player signed in from; the newest `MOST_NETWORKS` are stored."""
        key = _networks(player)
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.zadd(key, {network: at})
            pipe.zremrangebyrank(key, 0, -MOST_NETWORKS - 1)
            pipe.expire(key, TOKEN_LIVES)
            pipe.execute()

    def has_signed_in(self, player: str, network: str) -> bool:
        """Whether a player has signed in from this network before."""
        return self.redis.zscore(_networks(player), network) is not None

    def store_token(self, secret: str, token: Token) -> Token | None:
        """Store a token and return the stored one: the first with this secret, or None if that one was revoked."""
        digest = _digest(secret)
        self.redis.sadd(f"player:{token.player}:tokens", digest)  # first: an erasure finds tokens by this list
        self.redis.set(f"token:{digest}", msgspec.json.encode(token), ex=TOKEN_LIVES, nx=True)
        return self.token(secret)

    def token(self, secret: str) -> Token | None:
        """Find a token by its secret."""
        return decode_token(self.redis.get(token_key(secret)))

    def touch_token(self, secret: str, token: Token, used: int) -> None:
        """Record when a token was used. A failed write is ignored: a store that takes no writes still answers its owner."""
        then = msgspec.json.encode(msgspec.structs.replace(token, used=used))
        with suppress(RedisError):
            self._touch(keys=[token_key(secret)], args=[msgspec.json.encode(token), then])

    def tokens_of(self, player: str) -> list[Token]:
        """List a player's valid tokens, oldest first."""
        return sorted(self._tokens(player).values(), key=lambda token: (token.created, token.id))

    def _tokens(self, player: str) -> dict[str, Token]:
        digests = [digest.decode() for digest in self.redis.smembers(f"player:{player}:tokens")]
        found = self.redis.mget([f"token:{digest}" for digest in digests]) if digests else []
        return {digest: _token.decode(data) for digest, data in zip(digests, found, strict=True) if data}

    def revoke_token(self, player: str, id: str) -> bool:
        """Revoke a token by its id; False if the player has none with this id."""
        found = [digest for digest, token in self._tokens(player).items() if token.id == id]
        for digest in found:
            self._revoke(player, digest)
        return bool(found)

    def drop_token(self, secret: str, player: str) -> None:
        """Revoke a token by its secret."""
        self._revoke(player, _digest(secret))

    def _revoke(self, player: str, digest: str) -> None:
        """Replace a token by an empty value, for as long as a repeated sign-in with the same code could store it again."""
        self.redis.set(f"token:{digest}", b"", ex=CODE_LIVES)
        self.redis.srem(f"player:{player}:tokens", digest)

    def erase_tokens(self, player: str) -> None:
        """Revoke all tokens of a player. An erasure does this last, so that a player can ask again if it is cut short."""
        for digest in self.redis.smembers(f"player:{player}:tokens"):
            self.redis.delete(f"token:{digest.decode()}")
        self.redis.delete(f"player:{player}:tokens")


def token_key(secret: str) -> str:
    """Name the Redis key of the token with this secret."""
    return f"token:{_digest(secret)}"


def decode_token(found: bytes | None) -> Token | None:
    """Decode a stored token; None if there is none, or it was revoked."""
    return _token.decode(found) if found else None


def _networks(player: str) -> str:
    return f"player:{player}:networks"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _code(email: str, code: str) -> str:
    return f"code:{_digest(f'{email.casefold()} {code}')}"


def _hashed(asker: CodeAsker) -> CodeAsker:
    """Hash request and network, so that no network address is stored."""
    return CodeAsker(*(_digest(part) if part else "" for part in asker))
