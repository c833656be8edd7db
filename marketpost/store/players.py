"""Players, tokens and sign-in codes. Personal data is stored here and not in logs, so that it can be erased."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from redis import RedisError

from marketpost.store.player_scripts import CHANGE, REGISTER, RELEASE, TOUCH, USE_CODE
from marketpost.store.redis_client import RedisClient

CODE_LIVES = 15 * 60
USED_CODE_LIVES = 60
TOKEN_LIVES = 400 * 24 * 3600
MOST_NETWORKS = 10
LEAVING = "leaving"
AT_ONCE = 1000


class MailPreference(StrEnum):
    """How a player wants to be notified. The values are stored."""

    EVERY = "every"
    """Every letter."""
    DIGEST = "digest"
    """One letter a day."""
    WEBHOOK = "webhook"
    """Webhook calls instead of letters, as long as they work."""
    NONE = "none"


class LetterLength(StrEnum):
    """Whether letters explain the game and how orders are written. The values are stored."""

    AUTO = "auto"
    """The first letters of each ruleset do."""
    FULL = "full"
    SHORT = "short"


class Player(msgspec.Struct, omit_defaults=True):
    """A player's profile and preferences."""

    id: str
    email: str
    """The main address, which letters go to; empty for a guest."""
    name: str
    language: str = "en"
    timezone: str = "UTC"
    confirmed: bool = False
    created: int = 0
    mail: MailPreference = MailPreference.EVERY
    """For all games; `Players.preference` is for one game."""
    digest_hour: int = 7
    invited: bool = False
    """Another player entered the address; its owner has not registered yet."""
    bounces: int = 0
    """Letters in a row that bounced."""
    muted: list[str] = []
    """Players whose messages and proposals are not mailed to this one."""
    blocked: list[str] = []
    """Players who are never seated with this one, and whose messages are not shown to this one."""
    vacations: list[tuple[date, date]] = []
    """First and last day of each, in the player's timezone; at most one is not over."""
    vacations_before: list[tuple[date, date]] = []
    """The vacations before the last change."""
    vacation_changed: int = 0
    """Moment of the last change; deadlines that ran then are computed again."""
    json: bool = False
    """Whether letters that ask for a decision attach it as JSON too."""
    suspended: int = 0
    """When the operator suspended them; 0 if they are not."""
    replay: bool = False
    """Whether the letter at the end of a game attaches the game as a page to step through."""
    addresses: list[str] = []
    """Further addresses that the player has confirmed: they may write and sign in from them."""
    claims: list[str] = []
    """Addresses that are being claimed or given up; after a crash the claim may be there or not, and an erasure releases it."""
    letters: LetterLength = LetterLength.AUTO
    learnt: list[str] = []
    """Rulesets that letters need not explain any more."""
    feed: str = ""
    """Mark from which the secret URLs of the feeds are derived; empty if they are off. A new mark makes the old URLs invalid."""

    def owns(self, address: str) -> bool:
        """Whether this is one of the player's confirmed addresses."""
        return bool(address) and address.casefold() in (each.casefold() for each in (self.email, *self.addresses))

    @property
    def every_address(self) -> list[str]:
        """All addresses that may be claimed for this player; none for a guest."""
        return [each for each in (self.email, *self.addresses, *self.claims) if each]

    @property
    def silenced(self) -> set[str]:
        """Players whose proposals and messages are not sent to this one."""
        return {*self.muted, *self.blocked}


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


_player = msgspec.json.Decoder(Player)
_token = msgspec.json.Decoder(Token)


class Players:
    """Stores players, their preferences and notes, sign-in codes and tokens."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._register = redis.register_script(REGISTER)
        self._release = redis.register_script(RELEASE)
        self._change = redis.register_script(CHANGE)
        self._use_code = redis.register_script(USE_CODE)
        self._touch = redis.register_script(TOUCH)

    def player_of(self, email: str) -> str | None:
        """Find the id of the player who owns an address."""
        found = self.redis.get(_address(email))
        return found.decode() if found else None

    def at_address(self, email: str) -> Player | None:
        """Find the player who owns an address."""
        player = self.player_of(email)
        return self.find(player) if player else None

    def claim(self, email: str, player: str) -> str:
        """Claim an address for a player; returns the id of its owner, which is another's if the address was claimed before."""
        return str(self._register(keys=[_address(email)], args=[player]).decode())

    def release(self, email: str, player: str) -> None:
        """Free an address, if it is this player's."""
        self._release(keys=[_address(email)], args=[player])

    def save(self, player: Player) -> None:
        """Store a new player."""
        self.redis.set(f"player:{player.id}", msgspec.json.encode(player))

    def save_claimed(self, player: Player) -> bool:
        """Store a player who has claimed an address; False if the address is not theirs any more.

        Race: the earlier owner is erased between claiming and storing. Then the player is deleted again, and the caller claims anew.
        """
        self.save(player)
        if self.player_of(player.email) == player.id:
            return True
        self.redis.delete(f"player:{player.id}")
        return False

    def change(self, player: Player, changes: Callable[[Player], dict[str, Any]]) -> None:
        """Apply changes to a player as stored now, and copy the result into `player`.

        Race: another process changes or erases the player at the same time. The script compares what was read; it is read again after a
        change, and an erased player stays erased.
        """
        while found := self.redis.get(f"player:{player.id}"):
            known = _player.decode(found)
            newest = msgspec.structs.replace(known, **changes(known))
            if self._change(keys=[f"player:{player.id}"], args=[found, msgspec.json.encode(newest)]):
                for name, value in msgspec.structs.asdict(newest).items():
                    setattr(player, name, value)
                return

    def find(self, player: str) -> Player | None:
        """Read a player; None if there is none."""
        found = self.redis.get(f"player:{player}")
        return _player.decode(found) if found else None

    def find_all(self, players: Iterable[str]) -> dict[str, Player]:
        """Read several players in one request, by id; unknown ones are left out."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.get(f"player:{player}")
            found = [_player.decode(data) for data in pipe.execute() if data]
        return {player.id: player for player in found}

    def everybody(self) -> Iterator[Player]:
        """Iterate over all players, also guests and those who were only invited, in no order."""
        keys = self.redis.scan_iter(f"player:{'[0-9a-f]' * 16}", count=1000)
        while some := list(islice(keys, AT_ONCE)):
            yield from (_player.decode(data) for data in self.redis.mget(some) if data)

    def erase(self, player: Player) -> None:
        """Delete a player's profile, preferences and notes; a copy of the profile stays until `has_left`, to finish a broken-off erasure.

        Race: somebody registers the address while its owner is erased. The address is deleted before the profile, so a registration that
        finds no profile sees in `save_claimed` that the address is free, and claims it anew. Race: the player confirms another address
        meanwhile. The profile is deleted only as it was read, and read again otherwise; a claim that comes later finds no profile.
        """
        self.redis.sadd("erased", player.id)
        self.redis.hset(LEAVING, player.id, msgspec.json.encode(player))
        self._release_all(player)
        while found := self.redis.get(f"player:{player.id}"):
            self._release_all(newest := _player.decode(found))
            self.redis.hset(LEAVING, player.id, msgspec.json.encode(newest))
            self._release(keys=[f"player:{player.id}"], args=[found])
        parts = (f"player:{player.id}:{part}" for part in ("notices", "notes", "spoke"))
        for key in (*parts, _preferences(player.id), _networks(player.id)):
            self.redis.delete(key)

    def _release_all(self, player: Player) -> None:
        for email in player.every_address:
            self.release(email, player.id)

    def leaving(self) -> dict[str, Player]:
        """Read the players whose erasure has begun and not ended, by id."""
        return {player.decode(): _player.decode(data) for player, data in self.redis.hgetall(LEAVING).items()}

    def has_left(self, player: str) -> None:
        """Record the end of an erasure by deleting the last copy of the profile."""
        self.redis.hdel(LEAVING, player)

    def erased(self) -> set[str]:
        """List the ids of erased players: a restored backup must not bring them back."""
        return {player.decode() for player in self.redis.smembers("erased")}

    def erase_tokens(self, player: str) -> None:
        """Revoke all tokens of a player. An erasure does this last, so that a player can ask again if it is cut short."""
        for digest in self.redis.smembers(f"player:{player}:tokens"):
            self.redis.delete(f"token:{digest.decode()}")
        self.redis.delete(f"player:{player}:tokens")

    def set_notes(self, player: str, game: str, text: str) -> None:
        """Store a player's private notes about a game; an empty text deletes them."""
        if text:
            self.redis.hset(f"player:{player}:notes", game, text)
        else:
            self.redis.hdel(f"player:{player}:notes", game)

    def notes(self, player: str) -> dict[str, str]:
        """Read all private notes of a player, by game."""
        return {game.decode(): text.decode() for game, text in self.redis.hgetall(f"player:{player}:notes").items()}

    def record_talk(self, player: str, game: str) -> None:
        """Record that a player has written in a game: they may leave the table, but an export lists what they wrote."""
        self.redis.sadd(f"player:{player}:spoke", game)

    def games_talked_in(self, player: str) -> set[str]:
        """List the games in which a player has written."""
        return {game.decode() for game in self.redis.smembers(f"player:{player}:spoke")}

    def notes_on(self, player: str, game: str) -> str:
        """Read a player's private notes about a game; empty if there are none."""
        found = self.redis.hget(f"player:{player}:notes", game)
        return found.decode() if found else ""

    def set_preference(self, player: str, game: str, preference: MailPreference | None) -> None:
        """Store how a player wants to be notified of a game; None deletes the preference for this game."""
        if preference is None:
            self.redis.hdel(_preferences(player), game)
        else:
            self.redis.hset(_preferences(player), game, preference)

    def preference(self, player: str, game: str) -> MailPreference | None:
        """Read a player's preference for a game; None if there is none."""
        return self.preferences_in([(player, game)])[0]

    def preferences_in(self, asked: Iterable[tuple[str, str]]) -> list[MailPreference | None]:
        """Read the preference of each of these players for the game beside their id, in one request."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player, game in asked:
                pipe.hget(_preferences(player), game)
            return [MailPreference(preference.decode()) if preference else None for preference in pipe.execute()]

    def preferences(self, player: str) -> dict[str, MailPreference]:
        """Read all preferences of a player for single games."""
        found = self.redis.hgetall(_preferences(player))
        return {game.decode(): MailPreference(preference.decode()) for game, preference in found.items()}

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
        found = self.redis.get(f"token:{_digest(secret)}")
        return _token.decode(found) if found else None

    def touch_token(self, secret: str, token: Token, used: int) -> None:
        """Record when a token was used. A failed write is ignored: a store that takes no writes still answers its owner."""
        then = msgspec.json.encode(msgspec.structs.replace(token, used=used))
        with suppress(RedisError):
            self._touch(keys=[f"token:{_digest(secret)}"], args=[msgspec.json.encode(token), then])

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


def _preferences(player: str) -> str:
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
    """Hash request and network, so that no network address is stored."""
    return CodeAsker(*(_digest(part) if part else "" for part in asker))
