"""Give views the services of this process, and the player who sends the request."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from flask import Flask, current_app, g, request

from api.http.guest_gate import GuestGate
from api.http.mcp_process import McpProcess
from api.http.wakeups import Wakeups
from marketpost.mail.link_keys import is_link_key
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log import commit as change
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset
from marketpost.store.callers import Caller
from marketpost.store.changes import Stored
from marketpost.store.credentials import Token
from marketpost.store.idempotent_responses import StoredResponses
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from workers.queue import WorkQueue

NAME = "marketpost"
Draw = Callable[[str, int], bytes]
"""Draws an SVG as a PNG of this width."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The services that requests of this process use."""

    settings: Settings
    work_queue: WorkQueue
    ports: Ports
    patient: Ports
    """Ports on connections that may wait longer, for event streams."""
    answers: StoredResponses
    mailer: Mailer
    streams: BoundedSemaphore
    """Places for streams of single games."""
    account_places: BoundedSemaphore
    """Places for streams of accounts."""
    wakeups: Wakeups
    gate: GuestGate
    mcp: McpProcess
    """The process of the tools for agents."""
    guest_ports: Ports
    """Ports that put the moves of guests behind those of people."""
    draw: Draw


def inside(app: Flask | None = None) -> Inside:
    """Return the services of this process."""
    found: Inside = (app or current_app).extensions[NAME]
    return found


def mailer() -> Mailer:
    """Return the mailer."""
    return inside().mailer


def ports() -> Ports:
    """Return the stores and the clock."""
    return inside().guest_ports if g.get("guest") else inside().ports


def token() -> Token:
    """Return the token of this request; refused if it has none."""
    found: Token | None = g.token
    if found is None:
        raise Refused("token-missing")
    return found


def reader() -> str:
    """Return the id of the player who sends the request."""
    return token().player


def me() -> Player:
    """Return the player who sends the request."""
    player = ports().players.find(reader())
    if player is None:
        raise Refused("token-unknown")
    return player


def is_admin() -> bool:
    """Whether the token has the scope `admin`."""
    found: Token | None = g.token
    return found is not None and "admin" in found.scopes


def onlooker() -> str | None:
    """Return the id of the player who sends the request; `None` for a reader who has only a link."""
    found: Token | None = g.token
    return found.player if found else None


def seen_game(id: str, key: str = "", what: LinkKind = LinkKind.LOOK) -> Game:
    """Return a game that the reader may see or that the key of a link opens; a private game is 404 for strangers."""
    game, player = ports().game(id, _read_before(id)), onlooker()
    seen = game and (is_admin() or (player is not None and game.may_see(player)) or (bool(key) and is_link_key(mailer(), game, key, what)))
    if game is None or not seen:
        raise absent(id, player)
    speak(game.rules)
    return game


def _read_before(id: str) -> list[Stored] | None:
    """Return the news of the game that were read with the token, the first time that they are asked for."""
    caller: Caller = g.caller
    if caller.news is None or (request.view_args or {}).get("game") != id:
        return None
    news, g.caller = caller.news, caller._replace(news=None)
    return news


def absent(game: str, player: str | None) -> Refused:
    """Return the refusal for a game that is not there; only signed-in readers are told that it is archived."""
    return change.absent(ports(), game) if player else Refused("no-such-game")


def own_seat(game: Game) -> int:
    """Return the reader's seat; refused if they have none."""
    seat = game.seat_of(reader())
    if seat is None:
        raise Refused("not-your-game")
    return seat


def speak(rules: Ruleset[Any]) -> None:
    """Use the words of this ruleset for problems of this request."""
    g.words = rules.words
