"""Registering, one's own profile, and being forgotten."""

from typing import Any

from flask import Response, current_app

from api.answers import NotificationPage, PlayerAnswer, RegisteredAnswer
from api.auth import OPEN
from api.blueprint import Calls
from api.dump import moment
from api.inside import inside, me, office, ports, reader
from api.keys import AGAIN
from api.limits import count_code
from api.pages import page
from api.schemas import ChangedPlayer, NewPlayer, Page
from mail.codes import send_code
from play.people import check_profile, forget, register
from store.people import Player
from store.post import Mail

players = Calls("players", __name__, url_prefix="/v1/players", description="People with an address")
MOST_MAILS = 1000
"""Older ones are not looked for."""


@players.call("POST", "", access=OPEN, body=NewPlayer, gives={201: RegisteredAnswer}, keys=AGAIN)
def register_player(body: dict[str, Any]) -> dict[str, Any]:
    """Register

    A mail with a code confirms the address. The answer is the same for an address that is registered already.
    """
    check_profile(body["language"], body["timezone"])
    count_code(current_app, body["email"])
    register(ports(), **body)
    send_code(office(), body["email"])
    return body


@players.call("GET", "/me", access="read", gives={200: PlayerAnswer})
def show_me() -> dict[str, Any]:
    """My profile"""
    return _profile(me())


@players.call("PATCH", "/me", access="play", body=ChangedPlayer, gives={200: PlayerAnswer}, keys=AGAIN)
def change_me(body: dict[str, Any]) -> dict[str, Any]:
    """Change my name, language, timezone or how much mail I get"""
    player = me()
    check_profile(body.get("language", player.language), body.get("timezone", player.timezone))
    for name, value in body.items():
        setattr(player, name, value)
    ports().people.save(player)
    return _profile(player)


@players.call("DELETE", "/me", access="play", gives={204: None}, keys=AGAIN)
def forget_me() -> Response:
    """Be forgotten

    Name, address and tokens are gone. Every game stays whole, under a pseudonym.
    """
    forget(ports(), reader())
    return Response(status=204)


@players.call("GET", "/me/notifications", access="read", query=Page, gives={200: NotificationPage})
def list_notifications(query: dict[str, Any]) -> dict[str, Any]:
    """What was written to me, when, and what became of it, newest first"""
    mails = sorted(inside().office.post.of(reader(), most=MOST_MAILS), key=_newest_first)
    found = page(mails, _newest_first, query)
    found["items"] = [_mail(mail) for mail in found["items"]]
    return found


def _newest_first(mail: Mail) -> tuple[float, str]:
    return -mail.at, mail.id


def _mail(mail: Mail) -> dict[str, Any]:
    return {
        "id": mail.id,
        "letter": mail.letter,
        "game": mail.game,
        "version": mail.version,
        "at": moment(mail.at),
        "status": mail.status,
        "reason": mail.reason,
        "done": moment(mail.done) if mail.done else None,
    }


def _profile(player: Player) -> dict[str, Any]:
    return {
        "id": player.id,
        "email": player.email,
        "name": player.name,
        "language": player.language,
        "timezone": player.timezone,
        "mail": player.mail,
        "bounces": player.bounces,
        "replay": player.replay,
        "confirmed": player.confirmed,
        "created": moment(player.created),
    }
