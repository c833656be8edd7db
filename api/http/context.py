"""What a request may use: the ports of this process, and who is asking."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from flask import Flask, current_app, g

from marketpost.mail.link_keys import is_link_key
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log import commit as change
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset
from marketpost.store.idempotent_responses import StoredResponses
from marketpost.store.players import Player, Token
from marketpost.store.settings import Settings
from workers.queue import WorkQueue

NAME = "marketpost"
Draw = Callable[[str, int], bytes]
"""A PNG of this width from an SVG."""


@dataclass(frozen=True, slots=True)
class Inside:
    settings: Settings
    work_queue: WorkQueue
    ports: Ports
    patient: Ports
    """On connections that may wait for news of a game."""
    answers: StoredResponses
    mailer: Mailer
    streams: BoundedSemaphore
    draw: Draw


def inside(app: Flask | None = None) -> Inside:
    found: Inside = (app or current_app).extensions[NAME]
    return found


def mailer() -> Mailer:
    return inside().mailer


def ports() -> Ports:
    return inside().ports


def token() -> Token:
    """Whose request this is, where a view needs a token."""
    found: Token | None = g.token
    if found is None:
        raise Refused("token-missing")
    return found


def reader() -> str:
    return token().player


def me() -> Player:
    player = ports().players.find(reader())
    if player is None:
        raise Refused("token-unknown")
    return player


def is_admin() -> bool:
    return g.token is not None and "admin" in g.token.scopes


def onlooker() -> str | None:
    """Who is asking, where a link may have brought them here without a token."""
    return g.token.player if g.token else None


def seen_game(id: str, key: str = "", what: LinkKind = LinkKind.LOOK) -> Game:
    """The game, if there is one that this reader may see, or that the key of a link opens. To strangers a private one does not exist."""
    game, player = ports().game(id), onlooker()
    seen = game and (is_admin() or (player is not None and game.may_see(player)) or (bool(key) and is_link_key(mailer(), game, key, what)))
    if game is None or not seen:
        raise absent(id, player)
    speak(game.rules)
    return game


def absent(game: str, player: str | None) -> Refused:
    """Why there is nothing to see. Whoever is known here is told of the archive."""
    return change.absent(ports(), game) if player else Refused("no-such-game")


def own_seat(game: Game) -> int:
    seat = game.seat_of(reader())
    if seat is None:
        raise Refused("not-your-game")
    return seat


def speak(rules: Ruleset[Any]) -> None:
    """From here on problems are told in the words of this game."""
    g.words = rules.words
