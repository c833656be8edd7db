"""Players, their preferences and notes. Personal data is stored here and not in logs, so that it can be erased."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from enum import StrEnum
from itertools import chain, islice
from typing import Any

import msgspec

from marketpost.rules.words import fold
from marketpost.store.player_scripts import CHANGE, REGISTER, RELEASE
from marketpost.store.redis_client import RedisClient

LEAVING = "leaving"
NAMES = "names"
"""Sorted names of players with an address, each followed by the player's id."""
BEHIND_NAME = "\0"
BOT_ID = "robot-"
"""Beginning of the ids of bot accounts, which no person's id has: a log alone tells in which seats bots played."""
AT_ONCE = 1000


def is_bot_id(player: str) -> bool:
    """Whether this is the id of a bot account."""
    return player.startswith(BOT_ID)


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
    """The main address, which letters go to; empty for a guest and for a bot account."""
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
    hidden: bool = False
    """Whether others find the player on no list of players and on no page; those at the same table still see the name."""
    feed: str = ""
    """Mark from which the secret URLs of the feeds are derived; empty if they are off. A new mark makes the old URLs invalid."""
    owner: str = ""
    """Of a bot account: the player whom it belongs to."""

    @property
    def is_guest(self) -> bool:
        """Whether this is a person without a mail address."""
        return not self.email and not self.owner

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


_player = msgspec.json.Decoder(Player)


class Players:
    """Stores players, their preferences and notes."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._register = redis.register_script(REGISTER)
        self._release = redis.register_script(RELEASE)
        self._change = redis.register_script(CHANGE)

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
        self._name(player, None)
        self.redis.set(f"player:{player.id}", msgspec.json.encode(player))

    def _name(self, player: Player, before: Player | None) -> None:
        """List the names by which a player is found, before the player is stored: a process that dies in between leaves a name too many.

        `named` compares what it finds with the players themselves.
        """
        if player.email and (before is None or before.name != player.name):
            self.redis.zadd(NAMES, dict.fromkeys(_listed_as(player), 0.0))

    def named(self, beginning: str, most: int) -> list[Player]:
        """Find players of whose name a word begins like this, in any case and without accents, by name."""
        start = fold(" ".join(beginning.split()))
        found = self.redis.zrangebylex(NAMES, f"[{start}", f"[{start}\U0010ffff", start=0, num=most)
        listed = {each.decode().rpartition(BEHIND_NAME)[2]: each.decode() for each in found}
        known = self.find_all(listed)
        return [player for id in listed if (player := known.get(id)) and any(each.startswith(start) for each in _listed_as(player))]

    def list_names(self) -> None:
        """List the names of all players anew: what a rebuild does."""
        known = {each for player in self.everybody() if player.email for each in _listed_as(player)}
        listed = {each.decode() for each in self.redis.zrange(NAMES, 0, -1)}
        if stale := listed - known:
            self.redis.zrem(NAMES, *stale)
        if known:
            self.redis.zadd(NAMES, dict.fromkeys(known, 0.0))

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
            self._name(newest, known)
            if self._change(keys=[f"player:{player.id}"], args=[found, msgspec.json.encode(newest)]):
                for name, value in msgspec.structs.asdict(newest).items():
                    setattr(player, name, value)
                if gone := _listed_as(known) - _listed_as(newest):
                    self.redis.zrem(NAMES, *gone)
                return

    def save_bot(self, bot: Player) -> None:
        """Store a new bot account. It is put on its owner's list first: an erasure finds bots by this list."""
        self.redis.sadd(f"player:{bot.owner}:bots", bot.id)
        self.save(bot)

    def bots_of(self, owner: str) -> set[str]:
        """List the ids of a player's bot accounts; one that was being made or erased may not exist."""
        return {bot.decode() for bot in self.redis.smembers(f"player:{owner}:bots")}

    def find(self, player: str) -> Player | None:
        """Read a player; None if there is none."""
        return decode_player(self.redis.get(player_key(player)))

    def find_all(self, players: Iterable[str]) -> dict[str, Player]:
        """Read several players in one request, by id; unknown ones are left out."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.get(player_key(player))
            found = [_player.decode(data) for data in pipe.execute() if data]
        return {player.id: player for player in found}

    def everybody(self) -> Iterator[Player]:
        """Iterate over all players, also guests, those who were only invited, and bot accounts, in no order."""
        hexadecimal = "[0-9a-f]" * 16
        keys = chain.from_iterable(self.redis.scan_iter(f"player:{kind}{hexadecimal}", count=1000) for kind in ("", BOT_ID))
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
            self.redis.zrem(NAMES, *_listed_as(newest))
        self.redis.zrem(NAMES, *_listed_as(player))
        parts = (f"player:{player.id}:{part}" for part in ("notices", "notes", "spoke", "networks"))
        for key in (*parts, preferences_key(player.id)):
            self.redis.delete(key)
        if player.owner:
            self.redis.srem(f"player:{player.owner}:bots", player.id)

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
            self.redis.hdel(preferences_key(player), game)
        else:
            self.redis.hset(preferences_key(player), game, preference)

    def preference(self, player: str, game: str) -> MailPreference | None:
        """Read a player's preference for a game; None if there is none."""
        return self.preferences_in([(player, game)])[0]

    def preferences_in(self, asked: Iterable[tuple[str, str]]) -> list[MailPreference | None]:
        """Read the preference of each of these players for the game beside their id, in one request."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player, game in asked:
                pipe.hget(preferences_key(player), game)
            return [decode_preference(preference) for preference in pipe.execute()]

    def preferences(self, player: str) -> dict[str, MailPreference]:
        """Read all preferences of a player for single games."""
        found = self.redis.hgetall(preferences_key(player))
        return {game.decode(): MailPreference(preference.decode()) for game, preference in found.items()}


def player_key(player: str) -> str:
    """Name the Redis key of a player."""
    return f"player:{player}"


def decode_player(found: bytes | None) -> Player | None:
    """Decode a stored player; None if there is none."""
    return _player.decode(found) if found else None


def _listed_as(player: Player) -> set[str]:
    """Write the entries of a player on the list of names: one for each word that a name can be found by."""
    words = fold(player.name).split()
    return {f"{' '.join(words[number:])}{BEHIND_NAME}{player.id}" for number in range(max(1, len(words)))}


def decode_preference(found: bytes | None) -> MailPreference | None:
    """Decode a stored preference; None if there is none."""
    return MailPreference(found.decode()) if found else None


def preferences_key(player: str) -> str:
    """Name the Redis key of a player's preferences for single games."""
    return f"player:{player}:choices"


def _address(email: str) -> str:
    return f"address:{hashlib.sha256(email.casefold().encode()).hexdigest()}"
