"""How often one player, or one address, may ask. Counted in the queue's Redis, which may be lost."""

import hashlib
import time
from typing import Any

from flask import Flask, Response, g, request
from flask_limiter import Limiter, RateLimitExceeded
from limits import parse

from api.http.context import inside
from api.http.problems import Problem, answer
from api.http.rate_settings import read_rates
from marketpost.rules.refusal import Refusal
from marketpost.store.connections import connect_server
from marketpost.store.settings import Settings

SIGNING_IN = ("players.register_player", "tokens.sign_in_player")
NOT_COUNTED = ("service.health", "service.ready", "service.metrics")


def install(app: Flask, settings: Settings) -> None:
    limits = read_rates(settings.rate_limits)
    limiter = Limiter(
        _asker,
        storage_uri="redis://",
        storage_options={"connection_pool": connect_server(settings.queue_redis_url).connection_pool},  # type: ignore[dict-item]
        default_limits=[limits["player"]] if limits else [],
        enabled=bool(limits),
        swallow_errors=True,
        headers_enabled=False,
    )
    limiter.request_filter(lambda: request.endpoint in NOT_COUNTED)
    limiter.init_app(app)
    if limits:
        app.config["CODES_LIMIT"] = limits["codes"]
        for endpoint in SIGNING_IN:
            limit: Any = limiter.limit(limits["address"], key_func=_address, override_defaults=False)
            app.view_functions[endpoint] = limit(app.view_functions[endpoint])
    app.register_error_handler(RateLimitExceeded, lambda error: _too_many(limiter))
    app.after_request(lambda response: _tell(limiter, response))
    app.extensions["marketpost-limiter"] = limiter


def _address() -> str:
    return f"address {request.remote_addr}"


def _asker() -> str:
    return f"player {g.token.player}" if g.get("token") else _address()


def _too_many(limiter: Limiter) -> Response:
    limit = limiter.current_limit
    return answer(_refused(limit.reset_at if limit else time.time() + 60))


def _refused(reset_at: float) -> Problem:
    seconds = max(1, round(reset_at - time.time()))
    return Problem(Refusal("too-many-requests", values={"seconds": seconds}), 429, {"Retry-After": str(seconds)})


def _tell(limiter: Limiter, response: Response) -> Response:
    limit = limiter.current_limit if limiter.enabled else None
    if limit:
        response.headers["RateLimit-Limit"] = str(limit.limit.amount)
        response.headers["RateLimit-Remaining"] = str(max(0, limit.remaining))
        response.headers["RateLimit-Reset"] = str(max(0, round(limit.reset_at - time.time())))
    return response


def count_code(app: Flask, email: str) -> None:
    """A few codes an hour for one mail address, whoever asks for them: nobody's mailbox is to be flooded from here."""
    limiter: Limiter = app.extensions["marketpost-limiter"]
    if not limiter.enabled:
        return
    limit = parse(app.config["CODES_LIMIT"])
    digest = hashlib.sha256(f"{inside(app).settings.secret_key}|{email.casefold()}".encode()).hexdigest()
    if not limiter.limiter.hit(limit, "codes", digest):
        raise _refused(limiter.limiter.get_window_stats(limit, "codes", digest).reset_time)
