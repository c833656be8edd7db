"""Players, tokens and codes. Personal data lives here and nowhere else, so that it can be deleted."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from redis import RedisError

from marketpost.store.redis_client import RedisClient

CODE_LIVES = 15 * 60
USED_CODE_LIVES = 60
TOKEN_LIVES = 400 * 24 * 3600
MOST_NETWORKS = 10
LEAVING = "leaving"
AT_ONCE = 1000


class MailChoice(StrEnum):
    """How a player wants to be told."""

    EVERY = "every"
    """By every letter."""
    DIGEST = "digest"
    """By one letter a day."""
    WEBHOOK = "webhook"
    """By a webhook instead of letters, as long as it works."""
    NONE = "none"


class Player(msgspec.Struct, omit_defaults=True):
    id: str
    email: str
    """Empty for a guest."""
    name: str
    language: str = "en"
    timezone: str = "UTC"
    confirmed: bool = False
    created: int = 0
    mail: MailChoice = MailChoice.EVERY
    """A game may have a choice of its own."""
    digest_hour: int = 7
    invited: bool = False
    """Somebody else gave us the address; its owner has not spoken yet."""
    bounces: int = 0
    """How many letters in a row came back."""
    muted: list[str] = []
    """Players whose words are not mailed to this one."""
    blocked: list[str] = []
    """Players who are never seated with this one, and whose words this one is not shown."""
    vacations: list[tuple[date, date]] = []
    """From the first day to the last, in the player's timezone; at most one is not over."""
    vacations_before: list[tuple[date, date]] = []
    """As they were until the last change."""
    vacation_changed: int = 0
    """When that was; clocks that ran then are computed anew."""
    json: bool = False
    """Whether letters that ask for a decision bring it as JSON too."""
    suspended: int = 0
    """When the operator suspended them; 0 if they are not."""
    replay: bool = False
    """Whether the letter at the end of a game brings the game as a page that steps through it."""

    @property
    def unheard(self) -> set[str]:
        """Players whose wishes and words are not mailed to this one."""
        return {*self.muted, *self.blocked}


class CodeAsker(NamedTuple):
    """Whoever asks for a sign-in code, and whoever has one. A code is worth something only to the one who asked for it.

    Guesses are compared with the guesser's own codes, so that they neither find nor spoil those of others.
    """

    request: str = ""
    """Told to whoever asked, to be shown with the code: it also proves them from another network."""
    network: str = ""
    """Empty: from anywhere."""


ANYBODY = CodeAsker()
"""The operator, whose codes serve whoever has them."""


class Token(msgspec.Struct, frozen=True):
    id: str
    player: str
    scopes: tuple[str, ...]
    label: str
    created: int
    expires: int
    used: int = 0
    """The hour in which it was used last, in milliseconds; 0 if it never was."""


_player = msgspec.json.Decoder(Player)
_token = msgspec.json.Decoder(Token)

# REGISTER: claim an address for a player.
# KEYS: the address. ARGV: player. Result: the player who owns the address.
# Atomic. Race: two requests register the same address; the first owns it.
REGISTER = """
local owner = redis.call('GET', KEYS[1])
if owner then return owner end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
"""

# CHANGE: replace a player who is still as they were read.
# KEYS: the player. ARGV: as read, the new value. Result: 1, or 0 if somebody changed or erased the player: the caller reads again.
# Atomic, so that of two changes neither is lost and an erased player is not written back.
CHANGE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""

# USE_CODE: sign in with a mailed code.
# KEYS: the code of an address. ARGV: request and network of whoever has the code, hash of the secret that it is used for, seconds for
# which the same secret may use it again. Result: 1, or 0 for a code that is unknown, used, expired or was asked for by somebody else.
# Atomic, so that requests at once do not use a code twice.
USE_CODE = """
local request, network, by = unpack(redis.call('HMGET', KEYS[1], 'request', 'network', 'by'))
if not request then return 0 end
if ARGV[1] ~= '' and request ~= '' and request ~= ARGV[1] then return 0 end
if ARGV[1] == '' and network ~= '' and network ~= ARGV[2] then return 0 end
if by and by ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'by', ARGV[3])
if not by then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
return 1
"""

# TOUCH: replace a token that is still as it was read.
# KEYS: the token. ARGV: as read, the new value. Result: 1, or 0 if it was revoked or touched meanwhile, which is as good.
# Atomic, so that a token that is revoked in this moment is not written back. It expires when it would have.
TOUCH = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
"""


class Players:
    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._register = redis.register_script(REGISTER)
        self._change = redis.register_script(CHANGE)
        self._use_code = redis.register_script(USE_CODE)
        self._touch = redis.register_script(TOUCH)

    def player_of(self, email: str) -> str | None:
        found = self.redis.get(_address(email))
        return found.decode() if found else None

    def at_address(self, email: str) -> Player | None:
        player = self.player_of(email)
        return self.find(player) if player else None

    def claim(self, email: str, player: str) -> str:
        """The id of the player this address belongs to: `player`, unless there is one already."""
        return str(self._register(keys=[_address(email)], args=[player]).decode())

    def save(self, player: Player) -> None:
        self.redis.set(f"player:{player.id}", msgspec.json.encode(player))

    def move_in(self, player: Player) -> bool:
        """Whether the address they claimed is still theirs. If its owner was erased in this moment, so is the id that came from them."""
        self.save(player)
        if self.player_of(player.email) == player.id:
            return True
        self.redis.delete(f"player:{player.id}")
        return False

    def change(self, player: Player, changes: Callable[[Player], dict[str, Any]]) -> None:
        """What is told of the player as others have left them, be it in this moment; `player` is then as they are kept.

        Whoever was erased meanwhile stays erased.
        """
        while found := self.redis.get(f"player:{player.id}"):
            known = _player.decode(found)
            newest = msgspec.structs.replace(known, **changes(known))
            if self._change(keys=[f"player:{player.id}"], args=[found, msgspec.json.encode(newest)]):
                for name, value in msgspec.structs.asdict(newest).items():
                    setattr(player, name, value)
                return

    def find(self, player: str) -> Player | None:
        found = self.redis.get(f"player:{player}")
        return _player.decode(found) if found else None

    def find_all(self, players: Iterable[str]) -> dict[str, Player]:
        """Those of these players who are there."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.get(f"player:{player}")
            found = [_player.decode(data) for data in pipe.execute() if data]
        return {player.id: player for player in found}

    def everybody(self) -> Iterator[Player]:
        """Everyone, guests and people who were only invited too, in no order."""
        keys = self.redis.scan_iter(f"player:{'[0-9a-f]' * 16}", count=1000)
        while some := list(islice(keys, AT_ONCE)):
            yield from (_player.decode(data) for data in self.redis.mget(some) if data)

    def erase(self, player: Player) -> None:
        """Nobody finds them any more; games know only the id. Who it was is known aside until `has_left`.

        The address goes before its owner: whoever finds no owner at an address can then tell that it is free.
        """
        self.redis.sadd("erased", player.id)
        self.redis.hset(LEAVING, player.id, msgspec.json.encode(player))
        parts = (f"player:{player.id}:{part}" for part in ("notices", "notes", "spoke"))
        for key in (_address(player.email), f"player:{player.id}", *parts, _choices(player.id), _networks(player.id)):
            self.redis.delete(key)

    def leaving(self) -> dict[str, Player]:
        """Those who are being erased, or were not erased to the end."""
        return {player.decode(): _player.decode(data) for player, data in self.redis.hgetall(LEAVING).items()}

    def has_left(self, player: str) -> None:
        """Nothing personal stays."""
        self.redis.hdel(LEAVING, player)

    def erased(self) -> set[str]:
        """Ids of those who asked to be erased: an older backup must not bring them back."""
        return {player.decode() for player in self.redis.smembers("erased")}

    def erase_tokens(self, player: str) -> None:
        """Last, so that whoever was not erased in one go can ask again."""
        for digest in self.redis.smembers(f"player:{player}:tokens"):
            self.redis.delete(f"token:{digest.decode()}")
        self.redis.delete(f"player:{player}:tokens")

    def note(self, player: str, game: str, text: str) -> None:
        """What the player keeps for themselves about a game; an empty text takes it away."""
        if text:
            self.redis.hset(f"player:{player}:notes", game, text)
        else:
            self.redis.hdel(f"player:{player}:notes", game)

    def notes(self, player: str) -> dict[str, str]:
        """All of them, by game."""
        return {game.decode(): text.decode() for game, text in self.redis.hgetall(f"player:{player}:notes").items()}

    def speaks_in(self, player: str, game: str) -> None:
        """Remember in which games somebody has said something: they may leave the table, and what they said stays theirs."""
        self.redis.sadd(f"player:{player}:spoke", game)

    def spoke_in(self, player: str) -> set[str]:
        return {game.decode() for game in self.redis.smembers(f"player:{player}:spoke")}

    def noted(self, player: str, game: str) -> str:
        found = self.redis.hget(f"player:{player}:notes", game)
        return found.decode() if found else ""

    def choose(self, player: str, game: str, choice: MailChoice | None) -> None:
        """How this player wants to hear of this game; `None`: as of all others."""
        if choice is None:
            self.redis.hdel(_choices(player), game)
        else:
            self.redis.hset(_choices(player), game, choice)

    def choice(self, player: str, game: str) -> MailChoice | None:
        return self.choices_in([(player, game)])[0]

    def choices_in(self, asked: Iterable[tuple[str, str]]) -> list[MailChoice | None]:
        """The choice of each of these players for the game beside their id."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player, game in asked:
                pipe.hget(_choices(player), game)
            return [MailChoice(choice.decode()) if choice else None for choice in pipe.execute()]

    def choices(self, player: str) -> dict[str, MailChoice]:
        found = self.redis.hgetall(_choices(player))
        return {game.decode(): MailChoice(choice.decode()) for game, choice in found.items()}

    def keep_code(self, email: str, code: str, asker: CodeAsker = ANYBODY) -> None:
        """Beside the codes that others have asked for: those stay good."""
        key = _code(email, code)
        with self.redis.pipeline(transaction=True) as pipe:  # whoever dies half-way must not leave a code that never ends
            pipe.hset(key, mapping=_hashed(asker)._asdict())
            pipe.expire(key, CODE_LIVES)
            pipe.execute()

    def use_code(self, email: str, code: str, secret: str, asker: CodeAsker = ANYBODY) -> bool:
        """For the token with this secret, and no other."""
        return bool(self._use_code(keys=[_code(email, code)], args=[*_hashed(asker), _digest(secret), USED_CODE_LIVES]))

    def note_sign_in(self, player: str, network: str, at: int) -> None:
        """Where the player signed in, by a pseudonym; the newest few are kept."""
        key = _networks(player)
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.zadd(key, {network: at})
            pipe.zremrangebyrank(key, 0, -MOST_NETWORKS - 1)
            pipe.expire(key, TOKEN_LIVES)
            pipe.execute()

    def has_signed_in(self, player: str, network: str) -> bool:
        return self.redis.zscore(_networks(player), network) is not None

    def keep_token(self, secret: str, token: Token) -> Token | None:
        """The one that is kept: of several with the same secret the first; None if that one was revoked."""
        digest = _digest(secret)
        self.redis.sadd(f"player:{token.player}:tokens", digest)  # first: a token that nobody is known to have is never erased
        self.redis.set(f"token:{digest}", msgspec.json.encode(token), ex=TOKEN_LIVES, nx=True)
        return self.token(secret)

    def token(self, secret: str) -> Token | None:
        found = self.redis.get(f"token:{_digest(secret)}")
        return _token.decode(found) if found else None

    def touch_token(self, secret: str, token: Token, used: int) -> None:
        """Remember when a token was used. A store that takes no writes just now still lets its owner in."""
        then = msgspec.json.encode(msgspec.structs.replace(token, used=used))
        with suppress(RedisError):
            self._touch(keys=[f"token:{_digest(secret)}"], args=[msgspec.json.encode(token), then])

    def tokens_of(self, player: str) -> list[Token]:
        """Those that were not revoked and have not expired, oldest first."""
        return sorted(self._tokens(player).values(), key=lambda token: (token.created, token.id))

    def _tokens(self, player: str) -> dict[str, Token]:
        digests = [digest.decode() for digest in self.redis.smembers(f"player:{player}:tokens")]
        found = self.redis.mget([f"token:{digest}" for digest in digests]) if digests else []
        return {digest: _token.decode(data) for digest, data in zip(digests, found, strict=True) if data}

    def revoke_token(self, player: str, id: str) -> bool:
        """Whether the player had a token with this id."""
        found = [digest for digest, token in self._tokens(player).items() if token.id == id]
        for digest in found:
            self._revoke(player, digest)
        return bool(found)

    def drop_token(self, secret: str, player: str) -> None:
        self._revoke(player, _digest(secret))

    def _revoke(self, player: str, digest: str) -> None:
        """An empty token stays for as long as the code that it was made for could make it again."""
        self.redis.set(f"token:{digest}", b"", ex=CODE_LIVES)
        self.redis.srem(f"player:{player}:tokens", digest)


def _choices(player: str) -> str:
    return f"player:{player}:choices"


def _networks(player: str) -> str:
    return f"player:{player}:networks"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _address(email: str) -> str:
    return f"address:{_digest(email.casefold())}"


def _code(email: str, code: str) -> str:
    return f"code:{_digest(f'{email.casefold()} {code}')}"


def _hashed(asker: CodeAsker) -> CodeAsker:
    """No address of a network is stored."""
    return CodeAsker(*(_digest(part) if part else "" for part in asker))
