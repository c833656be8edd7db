"""Errors as problem+json (RFC 9457): a code for programs, a sentence in the reader's language for people."""

import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, current_app, g, request
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from redis import RedisError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge
from werkzeug.routing import RequestRedirect

from api.http.request_id import request_id
from marketpost.play.limits import Period
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.words import COMMON, LANGUAGES, Wait, Words
from marketpost.store.changes import SameKeyOtherMove
from marketpost.store.idempotent_responses import SameKeyOtherRequest

MEDIA_TYPE = "application/problem+json"
AGAIN_LATER = 600
"""Seconds in Retry-After where the end of the wait is unknown, because something else has to end first: no client waits that long."""
TRY_AGAIN = 2
"""Seconds in Retry-After of a 503."""
log = logging.getLogger("marketpost.api")

STATUS = {
    "json-not-utf8": 400,
    "json-unreadable": 400,
    "json-deep": 400,
    "json-twice": 400,
    "json-number": 400,
    "text-surrogate": 400,
    "bad-request": 400,
    "token-missing": 401,
    "token-unknown": 401,
    "scope-missing": 403,
    "not-your-game": 403,
    "wrong-code": 403,
    "address-yours": 409,
    "address-taken": 409,
    "address-main": 409,
    "no-such-address": 404,
    "suspended": 403,
    "guest-bots-only": 403,
    "no-such-page": 404,
    "no-such-game": 404,
    "no-such-competition": 404,
    "competition-closed": 409,
    "competition-over": 409,
    "competition-full": 409,
    "competition-own-bot": 409,
    "no-such-search": 404,
    "no-such-move": 404,
    "no-such-target": 404,
    "no-such-token": 404,
    "no-such-bot": 404,
    "bot-owns-none": 403,
    "bot-invites-bots": 403,
    "no-such-version": 404,
    "no-standing-orders": 409,
    "wrong-method": 405,
    "not-acceptable": 406,
    "not-started": 409,
    "already-started": 409,
    "not-running": 409,
    "turn-passed": 409,
    "hints-off": 409,
    "wrong-secret": 403,
    "chance-shown": 409,
    "seat-lost": 409,
    "out-of-time": 409,
    "no-free-seat": 409,
    "not-together": 409,
    "word-unused": 409,
    "not-the-host": 403,
    "not-over": 409,
    "nothing-to-undo": 409,
    "proposal-open": 409,
    "no-such-proposal": 404,
    "no-such-link": 404,
    "no-such-invitation": 404,
    "archived": 410,
    "too-slow": 408,
    "stale-version": 412,
    "too-large": 413,
    "wrong-media-type": 415,
    "wrong-encoding": 415,
    "over-limit": 429,
    "internal": 500,
    "game-damaged": 500,
    "game-too-new": 503,
    "too-busy": 503,
    "streams-full": 503,
    "guests-waiting": 503,
    "store-away": 503,
    "queue-away": 503,
    "draining": 503,
    "tools-away": 503,
}
"""The HTTP status of each refusal code; codes that are not listed have 422."""
UNPROCESSABLE = 422


class Problem(Refused):
    """A refusal with a status, headers or document members of its own."""

    def __init__(
        self,
        refusal: Refusal,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(refusal.code, refusal.step, **refusal.values)
        self.status, self.headers, self.members = status, dict(headers or {}), dict(members or {})


def language() -> str:
    """Return the language of this request."""
    return request.accept_languages.best_match(LANGUAGES, "en") or "en"


def words() -> Words:
    """Return the words for this request: those of the game it is about, else the common ones."""
    return Words(language(), g.get("words", COMMON))


def explain(refusal: Refusal) -> str:
    """Return the sentence of a refusal in the language of this request."""
    return words().explain(refusal)


def answer(refused: Refused) -> Response:
    """Build the problem document of a refusal."""
    code, problem = refused.code, refused if isinstance(refused, Problem) else Problem(refused.refusal)
    status, headers = problem.status or status_of(refused.refusal), headers_of(refused.refusal)
    document = {
        "type": f"/docs#{code}",
        "title": words().say(f"api.{status}"),
        "status": status,
        "detail": explain(refused.refusal),
        "code": code,
        "instance": quote(request.path),
        "request": request_id(),
    }
    if refused.refusal.step > 0:
        document["step"] = refused.refusal.step
    response = Response(current_app.json.dumps(document | problem.members), status, mimetype=MEDIA_TYPE)
    response.headers.update(_headers(status) | headers | problem.headers)
    return response


def status_of(refusal: Refusal) -> int:
    """Return the HTTP status of a refusal."""
    too_large = refusal.code == "over-limit" and refusal.values["period"] == Period.EACH
    return STATUS["too-large"] if too_large else STATUS.get(refusal.code, UNPROCESSABLE)


def headers_of(refusal: Refusal) -> dict[str, str]:
    """Return Retry-After for a refusal because of a limit."""
    wait = refusal.values.get("wait")
    return {"Retry-After": str(int(wait) or AGAIN_LATER)} if isinstance(wait, Wait) else {}


def _headers(status: int) -> dict[str, str]:
    if status == 401:
        return {"WWW-Authenticate": 'Bearer realm="marketpost"'}
    return {"Retry-After": str(TRY_AGAIN)} if status == 503 else {}


def http_problem(error: HTTPException) -> Response:
    """Answer an HTTP error of Flask or werkzeug as a problem."""
    if isinstance(error, RequestRedirect):
        return Response(status=error.code, headers={"Location": error.new_url})
    response = answer(Problem(_refusal_of(error), error.code if error.code in _CODES else None))
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


_CODES = {
    400: "bad-request", 404: "no-such-page", 405: "wrong-method", 408: "too-slow", 413: "too-large", 415: "wrong-media-type",
    500: "internal",
}  # fmt: skip


def _refusal_of(error: HTTPException) -> Refusal:
    match error:
        case MethodNotAllowed():
            return Refusal("wrong-method", values={"methods": sorted(error.valid_methods or ())})
        case RequestEntityTooLarge():
            return Refusal("too-large", values={"most": current_app.config["MAX_CONTENT_LENGTH"]})
        case _:
            return Refusal(_CODES.get(error.code or 500, "bad-request"))


def _garbled(error: Exception) -> Response:
    """Answer a chunked body that cannot be decoded."""
    return answer(Refused("bad-request"))


def _store_away(error: RedisError) -> Response:
    """Answer 503 if Redis fails.

    Fault: the write may have been done before the connection broke. The client repeats it under the same idempotency key, and it is done
    once.
    """
    log.error(
        "request %(request)s: the Redis of the games cannot be used: %(why)s. `marketpost doctor` says more",
        {"request": request_id(), "why": error},
    )
    return answer(Refused("store-away"))


def noted(error: Exception) -> Refused:
    """Log an unexpected exception and return the refusal for it. What is wrong with a game was logged when it was read."""
    if isinstance(error, Tampered):
        return Refused("game-damaged")
    if isinstance(error, WrittenByNewer):
        return Refused("game-too-new")
    log.exception(
        "request %(request)s: %(method)s %(route)s went wrong",
        {"request": request_id(), "method": request.method, "route": request.url_rule} | (request.view_args or {}),
    )
    return Refused("internal")


def _internal(error: Exception) -> Response:
    return answer(noted(error))


def _key_reused(error: Exception) -> Response:
    return answer(Refused("key-reused"))


def register(app: Flask) -> None:
    """Register the error handlers."""
    app.register_error_handler(Refused, answer)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(ParseException, _garbled)
    app.register_error_handler(RedisError, _store_away)
    app.register_error_handler(SameKeyOtherMove, _key_reused)
    app.register_error_handler(SameKeyOtherRequest, _key_reused)
    app.register_error_handler(Exception, _internal)
