"""REST calls that submit orders and show their outcome. Orders are stored at once and judged by a worker."""

import logging
import re
import time
from collections.abc import Sequence
from typing import Any

from flask import Response, request

from api.games import ETAG
from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import own_seat, ports, reader, seen_game
from api.http.idempotency import OnRepeat, key
from api.http.problems import Problem
from api.http.query_schemas import MoveHeaders
from api.http.request_id import request_id
from api.http.request_limits import leave_queue
from api.http.request_schemas import Orders
from api.http.response_schemas import AcceptedResponse, MoveResponse
from api.http.serialize import move as dump_move
from api.http.serialize import refusal_of
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import Outcome, OutcomeStatus, outcome, sent_before, submit, wait_for_outcome
from marketpost.rules.refusal import Refusal, Refused
from marketpost.store.changes import Stored

moves = Calls("moves", __name__, url_prefix="/v1/games", description="Orders and their outcomes")
VERSION = re.compile(r'"([0-9]{1,9})(?:\.[0-9a-f]{16})?"', re.ASCII)
log = logging.getLogger("marketpost.api")
WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?([0-9]{1,9})\"?\s*(?=$|[,;])", re.ASCII | re.IGNORECASE)
LONGEST_WAIT = 30
FIRST_LOOK, LONGEST_PAUSE = 25, 50
"""Milliseconds between two checks for an outcome while the log does not grow, from the first to the last."""
TELLS = {"Location": "Where the outcome is.", "Preference-Applied": "`wait=…`, if the request waited for the outcome."}


@moves.call(
    "POST",
    "/<id:game>/moves",
    access=Permission.PLAY,
    body=Orders,
    headers=MoveHeaders,
    gives={202: AcceptedResponse, 200: MoveResponse},
    tells=TELLS | ETAG,
    problems=(409, 412),
    on_repeat=OnRepeat.OWN,
)
def submit_orders(body: dict[str, Any], headers: dict[str, str], game: str) -> Any:
    """Submit orders: as text in `orders`, or as data in `steps`

    A step is an object, as `step` in the `choices` of `GET …/legal`.

    The move is stored before it is accepted, and counts once however often it is sent with the same `Idempotency-Key`: the key is known
    while the game is played, and for a day after its end. With `If-Match` it is judged only on that version of the game, else 412. With
    `Prefer: wait=10` the response is the outcome: 200 applied, 422 refused, 412 stale; or 202 if it is still queued by then.
    """
    found, stores, player = seen_game(game), ports(), reader()
    own_seat(found)
    version = read_version(headers.get("if_match"))
    if version is not None and not found.is_as_after(version) and not sent_before(stores, game, player, key()):
        raise stale(found.version)
    move = submit(stores, found, player, orders_in(body, found), key(), version)
    log.info("request %(request)s: move %(move)s in game %(game)s was accepted", {"request": request_id(), "move": move, "game": game})
    seconds = read_wait(headers.get("prefer", ""))
    known, news = wait_for(found, move, seconds) if seconds else (None, [])
    told = decided(found, known, news) if known else accepted(game, move)
    if seconds:
        told.headers["Preference-Applied"] = f"wait={seconds}"
    return told


def orders_in(body: dict[str, Any], game: Game) -> str:
    """Return the orders of a request, which are a text or steps."""
    return body["orders"] if "orders" in body else game.rules.orders_of(body["steps"])


def read_version(if_match: str | None) -> int | None:
    """Read the version in `If-Match`; `None` if there is none or it is `*`."""
    if if_match is None or if_match.strip() == "*":
        return None
    found = VERSION.fullmatch(if_match.strip())
    if not found:
        raise Refused("bad-etag")
    return int(found.group(1))


def read_wait(prefer: str) -> int:
    """Return the seconds of `Prefer: wait=…`, 0 without it; unknown preferences are ignored (RFC 7240)."""
    found = WAIT.search(prefer)
    return min(int(found.group(1)), LONGEST_WAIT) if found else 0


def wait_for(game: Game, move: str, seconds: int) -> tuple[Outcome | None, list[Stored]]:
    """Wait for the outcome of a move, at most so many seconds. A new entry of the log ends each wait; a refusal writes none.

    Returns with it the newest entries of the log that were read.
    """
    leave_queue()
    until, version, pause = time.monotonic() + seconds, game.version, FIRST_LOOK
    while time.monotonic() < until:
        news, found = wait_for_outcome(ports(), game.id, move, version, pause)
        version += len(news)
        if found is None or found.status != OutcomeStatus.QUEUED:
            return found, news
        pause = LONGEST_PAUSE
    return None, []


def accepted(game: str, move: str) -> Response:
    """Build the 202 response of accepted orders; it does not depend on the outcome, so that a repeated request gets the same."""
    return answer({"id": move, "game": game, "status": OutcomeStatus.QUEUED}, 202, {"Location": _place(game, move)})


def decided(game: Game, known: Outcome, news: Sequence[Stored] = ()) -> Response:
    """Build the response for a judged move; raise the problem of a refused one."""
    if known.status == OutcomeStatus.REFUSED:
        raise refused(game, known)
    headers = {"Location": _place(game.id, known.id), "ETag": f'"{known.version}"'}
    return answer(dump_move(ports(), game, known, news), 200, headers)


def refused(game: Game, known: Outcome) -> Problem:
    """Build the problem of a refused move, with the legal steps."""
    refusal = refusal_of(known) or Refusal("cannot-be-judged")
    members: dict[str, Any] = {"move": known.id, "legal": known.legal, "legal_count": known.legal_count, "dropped": known.dropped}
    version = known.version if known.version is not None else known.values.get("version")
    if version is not None:
        members["version"] = version
    return Problem(refusal, headers={"Location": _place(game.id, known.id)}, members=members)


def stale(version: int) -> Problem:
    """Build the problem for orders that were written for another version."""
    return Problem(Refusal("stale-version", 0, {"version": version}), headers={"ETag": f'"{version}"'}, members={"version": version})


def _place(game: str, move: str) -> str:
    return f"{request.script_root}/v1/games/{game}/moves/{move}"


@moves.call("GET", "/<id:game>/moves/<id:move>", access=Permission.READ, gives={200: MoveResponse})
def show_move(game: str, move: str) -> dict[str, Any]:
    """Show the outcome of a move: queued, applied or refused"""
    found = seen_game(game)
    known = outcome(ports(), game, move)
    if known is None:
        raise Refused("no-such-move")
    return dump_move(ports(), found, known)
