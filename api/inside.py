"""What a request may use: the ports of this process, and who is asking."""

from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from flask import Flask, current_app, g

from mail.post import Office
from play.game import Game
from play.ports import Ports
from rules.refusal import Refused
from rules.ruleset import Ruleset
from store.answers import Answers
from store.people import Player, Token
from store.settings import Settings
from workers.wiring import Kicks

NAME = "marketpost"


@dataclass(frozen=True, slots=True)
class Inside:
    settings: Settings
    kicks: Kicks
    ports: Ports
    patient: Ports
    """On connections that may wait for news of a game."""
    answers: Answers
    office: Office
    streams: BoundedSemaphore


def inside(app: Flask | None = None) -> Inside:
    found: Inside = (app or current_app).extensions[NAME]
    return found


def office() -> Office:
    return inside().office


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
    player = ports().people.find(reader())
    if player is None:
        raise Refused("token-unknown")
    return player


def is_admin() -> bool:
    return g.token is not None and "admin" in g.token.scopes


def seen_game(id: str) -> Game:
    """The game, if there is one that this reader may see. To strangers a private one does not exist."""
    game = ports().game(id)
    if game is None and ports().games.archived(id):
        raise Refused("archived")
    if game is None or not (game.may_see(reader()) or is_admin()):
        raise Refused("no-such-game")
    speak(game.rules)
    return game


def own_seat(game: Game) -> int:
    seat = game.seat_of(reader())
    if seat is None:
        raise Refused("not-your-game")
    return seat


def speak(rules: Ruleset[Any]) -> None:
    """From here on problems are told in the words of this game."""
    g.words = rules.words
