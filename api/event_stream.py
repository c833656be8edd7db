"""Stream the log of a game as server-sent events; a client that lost the connection resumes with `Last-Event-ID`."""

import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import BoundedSemaphore

from flask import Response, current_app
from redis import RedisError

from api.http.context import inside
from api.http.request_limits import who_pays
from api.http.serialize import entry
from marketpost.play.limits import Limit
from marketpost.play.log.actions import Revealed
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.changes import Stored

MEDIA_TYPE = "text/event-stream"
MOST_STREAMS = 1000
"""Streams open at once in a process: each holds a connection to Redis, which accepts ten thousand."""
LONGEST = 300.0
"""Seconds after which a stream ends and its reader reconnects, so that none is held for a reader who is gone."""
QUIET = 10.0
"""Seconds without news after which a comment keeps the connection alive."""
ANSWER_WITHIN = 2 * QUIET
"""Seconds until a read from Redis fails; longer than a stream waits for news."""
STILL = ": still here\n\n"
COME_BACK = "retry: 2000\n\n"
NUMBER = re.compile(r"[0-9]{1,9}")


def read_last(last_event_id: str | None) -> int | None:
    """Read the version in `Last-Event-ID`; refused if it is no number."""
    if last_event_id is None:
        return None
    if not NUMBER.fullmatch(last_event_id):
        raise Refused("bad-event-id")
    return int(last_event_id)


def follow(game: Game, after: int) -> Response:
    """Stream every entry of the log after this version as a JSON document."""
    dumps, rules = current_app.json.dumps, game.rules

    def serialize(stored: Stored) -> str:
        document = entry(rules, stored)
        return f"id: {stored.version}\nevent: {document['kind']}\ndata: {dumps(document)}\n\n"

    return stream(game.id, after, serialize, lambda: STILL, QUIET)


def stream(
    game: str, after: int, serialize: Callable[[Stored], str], still: Callable[[], str], every: float, *, ends: bool = True
) -> Response:
    """Stream the entries of a game: `serialize` writes one entry; `still` what is sent after so many seconds without one, if anything.

    It `ends` with the game, unless its reader waits for something that comes later.
    """
    return open_stream(_lines(inside().patient, game, after, serialize, still, every, ends), inside().streams)


def open_stream(lines: Iterator[str], places: BoundedSemaphore) -> Response:
    """Send lines as server-sent events, for as long as there is one of these places."""
    release = _hold_place(places)
    response = Response(lines, mimetype=MEDIA_TYPE)
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(release)
    return response


def _hold_place(streams: BoundedSemaphore) -> Callable[[], None]:
    """Count a stream against its reader's limit and the process's; return the function that releases both."""
    limits, id = inside().ports.limits, secrets.token_hex(8)
    with ExitStack() as held:
        for limit, actor in who_pays(Limit.STREAMS_ADDRESS, Limit.STREAMS_GUEST, Limit.STREAMS_PLAYER):
            limits.hold(limit, actor, id, LONGEST + ANSWER_WITHIN)
            held.callback(limits.release, limit, actor, id)
        if not streams.acquire(blocking=False):
            raise Refused("streams-full")
        held.callback(streams.release)
        return held.pop_all().close


def _lines(
    ports: Ports, game: str, after: int, serialize: Callable[[Stored], str], still: Callable[[], str], every: float, ends: bool
) -> Iterator[str]:
    """Yield the lines of a stream until `LONGEST` has passed, Redis fails, or the game is over if it ends with that."""
    until = time.monotonic() + LONGEST
    yield COME_BACK
    while time.monotonic() < until:
        try:
            news = ports.games.wait(game, after, int(every * 1000))
        except RedisError:
            return
        if not news and (line := still()):
            yield line
            if ends and _is_over(ports, game, after):
                return
        for stored in news:
            yield serialize(stored)
            after = stored.version
            if ends and isinstance(decode(stored.data).action, Revealed):
                return


def _is_over(ports: Ports, game: str, after: int) -> bool:
    """Whether the game is over and has no entry after this version: the stream then ends at once."""
    last = ports.games.read(game, max(after - 1, 0), 1)
    return bool(last) and isinstance(decode(last[0].data).action, Revealed)
