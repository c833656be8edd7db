"""Health, readiness, metrics and the API's own documentation."""

from typing import Any

from flask import Response, current_app

from api import docs, metrics
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside, ports
from api.http.response_schemas import HealthResponse

service = Calls("service", __name__, description="The service itself")


@service.call("GET", "/health", access=Permission.OPEN, gives={200: HealthResponse})
def health() -> dict[str, Any]:
    """Does this process live?"""
    return {"status": "alive"}


@service.call("GET", "/ready", access=Permission.OPEN, gives={200: HealthResponse})
def ready() -> dict[str, Any]:
    """Can moves be accepted? The store must answer and take what is written."""
    ports().games.probe()
    return {"status": "ready"}


@service.call("GET", "/metrics", access=Permission.LOOPBACK, gives={200: "text/plain"})
def show_metrics() -> Response:
    """Counts and times, as Prometheus reads them

    For programs on the same machine, and for admins.
    """
    return Response(metrics.text(inside()), mimetype="text/plain")


@service.call("GET", "/openapi.yaml", access=Permission.OPEN, gives={200: "application/yaml"})
def openapi() -> Response:
    """This document"""
    return Response(current_app.extensions["marketpost-openapi"], mimetype="application/yaml")


@service.call("GET", "/docs", access=Permission.OPEN, gives={200: "text/html"})
def show_docs() -> Response:
    """The same, for people"""
    return docs.page(current_app)
