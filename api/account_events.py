"""REST call that streams what happens in all games of a player."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from flask import current_app
from redis import RedisError

from api.event_stream import COME_BACK, LONGEST, MEDIA_TYPE, STILL, open_stream
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside, ports, reader
from api.http.negotiation import accepted
from api.http.notification_schemas import AccountEventPage
from api.http.query_schemas import AccountEventsHeaders, AccountEventsQuery
from api.http.serialize import moment
from api.http.wakeups import Wakeups
from marketpost.play.outbox.account_events import AccountEvent, AccountEventKind, decode_event
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.account_streams import BEGINNING, StreamedEvent

account_events = Calls("account_events", __name__, url_prefix="/v1/events", description="What happens in all my games")
MOST_ACCOUNT_STREAMS = 5500
"""Streams of accounts open at once in a process, which serves 6000 connections: each holds one to its reader and none to Redis."""
HEARTBEAT = 15.0
"""Seconds without news after which a comment keeps the connection alive."""
AT_ONCE = 100
PLACE = re.compile(r"([0-9]{1,15})(?:-([0-9]{1,15}))?")
Fits = Callable[[AccountEvent], bool]


@account_events.call(
    "GET",
    "",
    access=Permission.READ,
    query=AccountEventsQuery,
    headers=AccountEventsHeaders,
    gives={200: AccountEventPage},
    also=(MEDIA_TYPE,),
    problems=(406, 503),
)
def list_account_events(query: dict[str, Any], headers: dict[str, str]) -> Any:
    """Follow what happens in all my games

    As `text/event-stream` the response stays open: my turn, every move in my games, invitations, talk, proposals, the end of a game, and
    what else letters tell. Each event refers to its `game` and `version`. A client that lost the connection goes on with `Last-Event-ID`
    and misses nothing; the first lines name the id to begin with. Of the newest 200 events each is kept for a week after the last
    connection: if older ones were asked for, there is an event `missed`, after which to look at `GET /v1/games?my_turn=true`.

    Events begin to be kept at the first call. To begin without a gap: open the stream, then look at `GET /v1/games?my_turn=true`.
    As JSON, what is kept after `after` comes in pages.
    """
    player, streams = reader(), ports().streams
    streams.follow(player)
    fits = _filter(query)
    asked = [read_place(text) for text in (headers.get("last_event_id"), query.get("after")) if text is not None]
    if accepted("application/json", MEDIA_TYPE) == MEDIA_TYPE:
        after = asked[0] if asked else streams.newest(player)
        lines = _lines(inside().ports, inside().wakeups, player, after, fits, current_app.json.dumps)
        return open_stream(lines, inside().account_places)
    return _page(streams.read(player, asked[0] if asked else BEGINNING, query["limit"]), fits, query["limit"])


def read_place(text: str) -> str:
    """Read the id of an event; refused if it is none."""
    found = PLACE.fullmatch(text)
    if not found:
        raise Refused("bad-event-id")
    return f"{int(found[1])}-{int(found[2] or 0)}"


def _filter(query: dict[str, Any]) -> Fits:
    """Return the filter that a query asks for; what was missed is always told."""
    kinds, game = set(query.get("events") or AccountEventKind), query.get("game")
    return lambda event: event.event == AccountEventKind.MISSED or (event.event in kinds and game in (None, event.game))


def _page(found: list[StreamedEvent], fits: Fits, most: int) -> dict[str, Any]:
    items = [event_shown(id, event) for id, data in found if fits(event := decode_event(data))]
    return {"items": items, "next": found[-1].id if len(found) == most else None}


def event_shown(id: str, event: AccountEvent) -> dict[str, Any]:
    """Serialize an event of an account."""
    return {
        "id": id,
        "event": event.event,
        "at": moment(event.at),
        "game": event.game,
        "version": event.version,
        "seat": event.seat,
        "message": event.message,
    }


def _lines(ports: Ports, wakeups: Wakeups, player: str, after: str, fits: Fits, dumps: Callable[..., str]) -> Iterator[str]:
    """Yield the lines of a stream until `LONGEST` has passed or Redis fails; the reader then goes on with the last id.

    Race: an event may be written between reading and waiting. The flag is cleared before the stream is read, so that it is set then.
    """
    until = time.monotonic() + LONGEST
    yield f"{COME_BACK}id: {after}\n\n"
    try:
        with wakeups.listening(player) as flag:
            if ports.streams.has_lost(player, after):
                yield _line(after, AccountEvent(AccountEventKind.MISSED, ports.clock()), dumps)
            while time.monotonic() < until:
                flag.clear()
                found = ports.streams.read(player, after, AT_ONCE)
                after = found[-1].id if found else after
                told = [(id, event) for id, data in found if fits(event := decode_event(data))]
                yield from (_line(id, event, dumps) for id, event in told)
                if found and not told:
                    yield f"id: {after}\n\n"
                while not found and not flag.wait(HEARTBEAT) and time.monotonic() < until:
                    yield STILL
    except RedisError:
        return


def _line(id: str, event: AccountEvent, dumps: Callable[..., str]) -> str:
    return f"id: {id}\nevent: {event.event}\ndata: {dumps(event_shown(id, event))}\n\n"
