"""Health, readiness, metrics and the API's own documentation."""

import logging
from typing import Any

from flask import Response, current_app
from redis import RedisError

from api import docs, metrics
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside, ports
from api.http.request_id import request_id
from api.http.response_schemas import HealthResponse, ReadyResponse
from api.http.serialize import moment
from marketpost.rules.refusal import Refused

log = logging.getLogger("marketpost.api")
service = Calls("service", __name__, description="The service itself")


@service.call("GET", "/health", access=Permission.OPEN, gives={200: HealthResponse})
def health() -> dict[str, Any]:
    """Whether this process runs"""
    return {"status": "alive"}


@service.call("GET", "/ready", access=Permission.OPEN, gives={200: ReadyResponse})
def ready() -> dict[str, Any]:
    """Whether moves can be accepted: the store answers and accepts writes, and the service does not drain

    `canary` tells how long a letter of the service to itself took to come back, if `CANARY_EVERY` is set. Moves are accepted without mail.
    """
    ports().games.probe()
    if ports().drain.is_set():
        raise Refused("draining")
    try:
        inside().work_queue.probe()
    except RedisError as error:
        log.warning("request %(request)s: the queue's Redis cannot be used: %(why)s", {"request": request_id(), "why": error})
        raise Refused("queue-away") from error
    return {"status": "ready", "canary": _canary()}


def _canary() -> dict[str, Any] | None:
    """Serialize the last round of the canary; None if it never sent a letter."""
    found = inside().mailer.canary.read()
    if not found.sent:
        return None
    back = {"back": moment(found.back), "seconds": found.took / 1000} if found.back else {"back": None, "seconds": None}
    return {"sent": moment(found.sent), **back}


@service.call("GET", "/metrics", access=Permission.LOOPBACK, gives={200: "text/plain"})
def show_metrics() -> Response:
    """Show counters and times in the format of Prometheus

    For programs on the same machine, and for admins.
    """
    return Response(metrics.text(inside()), mimetype="text/plain")


@service.call("GET", "/openapi.yaml", access=Permission.OPEN, gives={200: "application/yaml"})
def openapi() -> Response:
    """Show this document"""
    return Response(current_app.extensions["marketpost-openapi"], mimetype="application/yaml")


@service.call("GET", "/docs", access=Permission.OPEN, gives={200: "text/html"})
def show_docs() -> Response:
    """Show this document as a web page"""
    return docs.page(current_app)
