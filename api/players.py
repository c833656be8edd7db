"""REST calls that register a player, show and change the own profile, and erase it."""

from typing import Any

import msgspec
from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside, mailer, me, ports, reader
from api.http.idempotency import OnRepeat
from api.http.pagination import page
from api.http.people_schemas import NotificationPage, PlayerResponse, RegisteredResponse
from api.http.query_schemas import PageQuery
from api.http.request_limits import client
from api.http.request_schemas import ChangedPlayer, NewPlayer
from api.http.serialize import moment
from marketpost.mail.outbound.sign_in_codes import change_main_address, register_by_code
from marketpost.play.clock.vacation import day_of, days_left, end_vacation, planned, take_vacation, vacation_of
from marketpost.play.people.erasure import erase
from marketpost.play.people.preferences import complained_at, undo_complaint
from marketpost.play.people.registration import check_profile
from marketpost.rules.refusal import Refused
from marketpost.store import erasure_list as erased
from marketpost.store.credentials import CodeAsker
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player

players = Calls("players", __name__, url_prefix="/v1/players", description="People with an address")
MOST_MAILS = 1000
"""At most so many of the newest letters are listed."""


@players.call("POST", "", access=Permission.OPEN, body=NewPlayer, gives={201: RegisteredResponse}, on_repeat=OnRepeat.AGAIN)
def register_player(body: dict[str, Any]) -> dict[str, Any]:
    """Register

    A mail with a code confirms the address. The response is the same for an address that is registered already.
    """
    register_by_code(mailer(), CodeAsker(network=client()), **body)
    return body


@players.call("GET", "/me", access=Permission.READ, gives={200: PlayerResponse})
def show_me() -> dict[str, Any]:
    """Show my profile"""
    return profile(me())


@players.call("PATCH", "/me", access=Permission.PLAY, body=ChangedPlayer, gives={200: PlayerResponse}, on_repeat=OnRepeat.AGAIN)
def change_me(body: dict[str, Any]) -> dict[str, Any]:
    """Change my main address (one that I have confirmed), name, language, timezone, vacation, or notification preferences"""
    return profile(change(me(), body))


def change(player: Player, body: dict[str, Any]) -> Player:
    """Apply all changes to the profile, or none if one of them is refused."""
    check_profile(body.get("language", player.language), body.get("timezone", player.timezone))
    changes = {name: value for name, value in body.items() if name not in ("vacation", "email")}
    if "email" in body and not player.owns(body["email"]):
        raise Refused("no-such-address")
    if body.get("vacation"):
        planned(ports(), msgspec.structs.replace(player, **changes), **body["vacation"])
    if "email" in body:
        change_main_address(mailer(), player, body["email"])
    ports().players.change(player, lambda known: changes)
    if body.get("vacation"):
        take_vacation(ports(), player, **body["vacation"])
    elif "vacation" in body:
        end_vacation(ports(), player)
    return player


@players.call("DELETE", "/me", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def erase_me() -> Response:
    """Erase my data

    Name, address and tokens are deleted. Every game stays whole, under a pseudonym; a bot plays on in those that run.
    """
    erase_player(reader())
    return Response(status=204)


def erase_player(player: str) -> None:
    """Erase a player.

    Fault: a backup made before may be restored later. The id goes to the erasure list outside the store first, and a restore erases
    everybody on that list again.
    """
    erased.note(inside().settings.data, player)
    erase(ports(), player)


@players.call("DELETE", "/me/complaint", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def undo_my_complaint() -> Response:
    """Get letters again after a complaint

    A mail provider told us that a letter was marked as spam, and letters stopped (`complaint` in the profile). Nothing happens if not.
    """
    undo_complaint(ports(), me())
    return Response(status=204)


@players.call("GET", "/me/notifications", access=Permission.READ, query=PageQuery, gives={200: NotificationPage})
def list_notifications(query: dict[str, Any]) -> dict[str, Any]:
    """List what was sent to me, newest first, each with its delivery status

    Letters of the last 90 days, and messages by other channels of the last 30.
    """
    mails = sorted(inside().mailer.deliveries.history(reader(), MOST_MAILS), key=_newest_first)
    found = page(mails, _newest_first, query)
    found["items"] = [notification(mail) for mail in found["items"]]
    return found


def _newest_first(mail: Delivery) -> tuple[float, str]:
    return -mail.at, mail.id


def notification(mail: Delivery) -> dict[str, Any]:
    """Serialize a delivery with its status."""
    return {
        "id": mail.id,
        "letter": mail.letter,
        "channel": mail.channel,
        "target": mail.target or None,
        "game": mail.game,
        "version": mail.version,
        "at": moment(mail.at),
        "status": mail.status,
        "reason": mail.reason,
        "done": moment(mail.done) if mail.done else None,
    }


def profile(player: Player) -> dict[str, Any]:
    """Serialize the player's own profile."""
    return {
        "id": player.id,
        "email": player.email,
        "owner": player.owner or None,
        "addresses": player.addresses,
        "name": player.name,
        "language": player.language,
        "timezone": player.timezone,
        "mail": player.mail,
        "digest_hour": player.digest_hour,
        "json": player.json,
        "bounces": player.bounces,
        "complaint": moment(at) if (at := complained_at(ports(), player)) else None,
        "replay": player.replay,
        "hidden": player.hidden,
        "letters": player.letters,
        "learnt": player.learnt,
        "feeds": bool(player.feed),
        "confirmed": player.confirmed,
        "muted": player.muted,
        "blocked": player.blocked,
        "created": moment(player.created),
        **_vacation(player),
    }


def _vacation(player: Player) -> dict[str, Any]:
    today = day_of(ports(), player)
    days = vacation_of(player, today)
    shown = {"from": days[0].isoformat(), "to": days[1].isoformat()} if days else None
    left = {str(year): days_left(player, year) for year in (today.year, today.year + 1)}
    return {"vacation": shown, "vacation_days_left": left}
