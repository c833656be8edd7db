"""Refuse what would change something while the service drains."""

from flask import Flask, request

from api.http.auth import SAFE, Permission, access_of
from api.http.context import ports
from marketpost.rules.refusal import Refused

GOES_ON = (None, Permission.OPEN, Permission.LOOPBACK, Permission.ADMIN, Permission.OPERATOR)
"""Who may call what is not refused: sign-in, mail from a provider, and the operator."""


def install(app: Flask) -> None:
    """Check before each request that may change something."""
    app.before_request(_refuse)


def _refuse() -> None:
    if request.method not in SAFE and access_of(request.endpoint) not in GOES_ON and ports().drain.is_set():
        raise Refused("draining")
