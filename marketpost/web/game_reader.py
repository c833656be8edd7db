"""Find out who views a game: a player, somebody with a link from a letter or an invite link, or anybody if the game is public."""

from dataclasses import dataclass

from flask import request

from api.http.context import absent, mailer, ports
from marketpost.mail.link_keys import is_link_key
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game, GameStatus
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from marketpost.web import session
from marketpost.web.page_language import go_on_in

NOBODY = Player("", "", "")
"""Whoever looks without a session."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who views a game: a signed-in player, or somebody with a link from a letter or an invite link, who may only view it."""

    player: Player
    game: Game
    link: dict[str, str]
    """Query parameters that every link to this game carries."""

    @property
    def seat(self) -> int | None:
        """The reader's seat; `None` for somebody who only views the game."""
        return self.game.seat_of(self.player.id)

    @property
    def sees_talk(self) -> bool:
        """Whether the reader sees the talk at the table: everyone but a reader who has only an invite link, as over REST."""
        return bool(self.player.id) and not (self.link and "as" not in self.link)

    @property
    def may_play(self) -> bool:
        """Whether the reader may act in this game: signed in, with a seat, and not by a link that only shows it."""
        return not self.link and self.seat is not None

    @property
    def decides(self) -> bool:
        """Whether the game waits for the reader's decision."""
        return self.may_play and self.seat in self.game.deciders


def reader_of(id: str) -> Reader:
    """Return the reader of this request; anybody may view a public game, and a private game answers 404 to strangers."""
    game, player = ports().game(id), session.me()
    if game is None:
        raise absent(id, player.id if player else None)
    if player and game.may_see(player.id):
        return Reader(player, game, {})
    key = request.values.get("key", "")
    if _opens(game, key):
        return Reader(player or NOBODY, game, {"key": key})
    if by_letter := _by_letter(id):
        go_on_in(by_letter.language)
        return Reader(by_letter, game, {name: request.values[name] for name in ("as", "key")})
    if game.public:
        return Reader(NOBODY, game, {})
    raise absent(id, player.id if player else None)


def _opens(game: Game, key: str) -> bool:
    """Whether the key opens the game: a view link always, a seat link while the game is open; later it is told that the game has begun."""
    if key and game.status != GameStatus.OPEN and is_link_key(mailer(), game, key, LinkKind.SEAT):
        raise Refused("seat-link-late")
    return is_link_key(mailer(), game, key, LinkKind.LOOK, LinkKind.SEAT)


def _by_letter(game: str) -> Player | None:
    """Return the player whose letter the link of this request stands in, if its key is right."""
    player, key = request.values.get("as", ""), request.values.get("key", "")
    return ports().players.find(player) if mailer().is_token(key, "look", game, player) else None


def player_at(id: str) -> Reader:
    """Return the reader of this request; refused unless they have a seat in the game."""
    session.must_be_me()
    reader = reader_of(id)
    if not reader.may_play:
        raise Refused("not-your-game")
    return reader


def number_of(given: str) -> int | None:
    """Read a version or another small number from a request; None if it is none."""
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else None
